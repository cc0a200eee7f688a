"""Every example of docs/guarantee.md, by enumeration of all worlds.

A release is a list of classes, each written as its people and its values: fewer people than values means counterfeits.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest
from coloured_clusters import least_sse, squared_error
from edition_oracle import fewest_by_enumeration

from minv.errors import InfeasibleError
from minv.heuristics.editions import Allowance
from minv.instance import FREE, Instance
from minv.publish.partition import partition
from minv.publish.series import Series
from minv_verifiers import verify

Classes = Sequence[tuple[str, Sequence[str]]]
World = dict[str, str]
Believed = dict[str, dict[str, float]]
NewSeries = Callable[..., Series]
HALF = pytest.approx(0.5)


def consistent_worlds(*releases: Classes) -> list[World]:
    """Return every assignment of lasting values to people that fits all classes."""
    classes = [(people, list(values)) for release in releases for people, values in release]
    everybody = sorted({person for people, _ in classes for person in people})
    worlds: list[World] = [{}]
    for person in everybody:
        own = [set(values) for people, values in classes if person in people]
        worlds = [{**world, person: value} for world in worlds for value in sorted(set.intersection(*own))]
    return [
        world
        for world in worlds
        if all(len({world[person] for person in people}) == len(people) for people, _ in classes)
    ]


def believed(worlds: Sequence[World], weight: Callable[[World], float] = lambda world: 1.0) -> Believed:
    """Return the probability of each value for each person."""
    total = sum(map(weight, worlds))
    found: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for world in worlds:
        for person, value in world.items():
            found[person][value] += weight(world) / total
    return {person: {v: p for v, p in values.items() if p > 0} for person, values in found.items()}


def test_the_guarantee() -> None:
    """Two releases of one invariant series, with a counterfeit and newcomers; also if people of a class are alike."""
    worlds = consistent_worlds(
        [("PQ", ("flu", "HIV")), ("RST", ("gout", "cold", "ache"))],
        [("PU", ("flu", "HIV")), ("Q", ("flu", "HIV")), ("RS", ("gout", "cold", "ache"))],
    )

    def opposites(world: World) -> float:
        """Weigh what does not depend on which of the values it is."""
        return 3.0 if world["Q"] == world["U"] else 1.0

    for found in (believed(worlds), believed(worlds, opposites)):
        for person in "PQU":
            assert found[person] == {"flu": HALF, "HIV": HALF}
        for person in "RST":
            assert found[person] == dict.fromkeys(("gout", "cold", "ache"), pytest.approx(1 / 3))


def test_skewed_priors() -> None:
    worlds = consistent_worlds([("PQ", ("flu", "prostate cancer"))])
    woman = believed(worlds, lambda world: float(world["P"] != "prostate cancer"))
    assert woman["P"] == {"flu": 1.0}
    likely = believed(worlds, lambda world: 0.9 if world["P"] == "flu" else 0.1)
    assert likely["P"]["flu"] == pytest.approx(0.9)


def test_related_people() -> None:
    worlds = consistent_worlds([("PR", ("flu", "HIV")), ("QS", ("flu", "gout"))])
    assert believed(worlds)["P"]["flu"] == HALF
    assert believed([world for world in worlds if world["P"] == world["Q"]])["P"] == {"flu": 1.0}


def test_lasting_values() -> None:
    """Values may change between the releases; x may not."""
    before = consistent_worlds([("PQ", "xy")])
    after = consistent_worlds([("PR", "zw")])
    possible = [first for first in before for then in after if first["P"] != "x" or then["P"] == "x"]
    assert believed(before)["P"] == {"x": HALF, "y": HALF}
    assert believed(possible)["P"] == {"y": 1.0}


def test_values_of_others() -> None:
    worlds = consistent_worlds([("PQ", ("flu", "HIV"))])
    assert believed([world for world in worlds if world["Q"] == "flu"])["P"] == {"HIV": 1.0}


def test_equivalence() -> None:
    worlds = consistent_worlds([("PQ", ("flu", "HIV"))], [("PR", ("flu", "HIV"))])
    assert all(world["Q"] == world["R"] for world in worlds)
    assert believed(worlds)["R"]["HIV"] == HALF
    assert believed([world for world in worlds if world["Q"] == "HIV"])["R"] == {"HIV": 1.0}


def test_near_synonyms(new_series: NewSeries) -> None:
    """The publisher takes them for two values; the judge warns."""
    series = new_series()
    frame = pd.DataFrame({"person": ["P", "Q"], "age": [30, 40], "sex": "f", "illness": ["flu", "Flu "]})
    series.publish(frame)
    report = verify(series.path)
    assert report.violated == ()
    assert report.outcome("near-synonyms").witnesses
    worlds = consistent_worlds([("PQ", ("flu", "Flu "))])
    meant = [{person: value.strip().lower() for person, value in world.items()} for world in worlds]
    assert believed(meant)["P"] == {"flu": 1.0}


def test_true_histograms() -> None:
    worlds = consistent_worlds([("P", ("flu", "HIV"))])
    assert believed(worlds)["P"]["flu"] == HALF
    assert believed([world for world in worlds if "HIV" not in world.values()])["P"] == {"flu": 1.0}


def test_another_series() -> None:
    one, other = [("PQ", ("flu", "HIV"))], [("PR", ("flu", "gout"))]
    assert believed(consistent_worlds(one))["P"]["flu"] == HALF
    assert believed(consistent_worlds(one, other))["P"] == {"flu": 1.0}


@pytest.mark.parametrize(("domain", "left"), [("abc", 1), ("abcde", 3)])
def test_absence_by_suppression(new_series: NewSeries, domain: str, left: int) -> None:
    """The publisher refuses where fewer than m values are left."""
    series = new_series(domain=list(domain))
    frame = pd.DataFrame({"person": ["P", "Q"], "age": [30, 40], "sex": "f", "illness": ["a", "b"]})
    series.publish(frame)
    changed = frame.assign(illness=["c", "b"])
    assert len(set(domain) - {"a", "b"}) == left
    if left < 2:
        with pytest.raises(InfeasibleError, match="would give the new value away"):
            series.publish(changed)
    else:
        assert series.publish(changed).figures["suppressed"] == 1


def editions(world: World, allowance: Allowance, signatures: dict[str, str] | None = None) -> tuple[int, int]:
    """Return the fewest editions and deletions that a publisher needs in a world, by trying all partitions."""
    wanted = signatures or {}
    names = sorted(world)
    colour_of = {value: code for code, value in enumerate(sorted({*world.values(), "HIV", "flu"}))}
    sets = tuple(
        tuple(sorted(colour_of[value] for value in text.split())) for text in sorted(set(wanted.values()))
    )
    places = {text: place for place, text in enumerate(sorted(set(wanted.values())))}
    found = fewest_by_enumeration(
        Instance(
            np.zeros((len(names), 1)),
            np.array([colour_of[world[name]] for name in names]),
            2,
            required=np.array([places[wanted[name]] if name in wanted else FREE for name in names]),
            signatures=sets,
        ),
        allowance,
    )
    assert found is not None
    return found


def test_absence_by_deletion() -> None:
    published = consistent_worlds([("AB", ("flu", "gout")), ("CD", ("flu", "cold"))])
    worlds = [{**world, "E": value} for world in published for value in ("flu", "gout", "cold")]
    needing = [world for world in worlds if editions(world, Allowance(deletions=1)) == (1, 1)]
    assert believed(worlds)["E"]["flu"] == pytest.approx(1 / 3)
    assert believed(needing)["E"] == {"flu": 1.0}


def test_minimality_of_completing_counterfeits() -> None:
    worlds = consistent_worlds([("P", ("flu", "HIV")), ("RS", ("flu", "gout")), ("TU", ("flu", "cold"))])
    assert len(worlds) == 8
    optimal = [world for world in worlds if editions(world, Allowance(), {"P": "HIV flu"}) == (1, 0)]
    assert believed(worlds)["P"]["flu"] == HALF
    assert believed(optimal)["P"] == {"flu": 1.0}


def test_minimality_of_added_counterfeits() -> None:
    worlds = consistent_worlds([("P", ("flu", "gout")), ("Q", ("flu", "HIV"))])
    optimal = [world for world in worlds if editions(world, Allowance(adding=True)) == (2, 0)]
    assert len(worlds) == 4
    assert optimal == [{"P": "flu", "Q": "flu"}]


def test_minimality_of_the_loss() -> None:
    """The published classes are those that the engine makes of the true values."""
    ages = {"P": 9.0, "Q": 33.0, "R": 7.0, "S": 28.0, "T": 13.0}
    points = np.array(list(ages.values()))[:, None]
    worlds = consistent_worlds([("PQ", "ab"), ("RST", "abc")])
    published = squared_error(points, (0, 1)) + squared_error(points, (2, 3, 4))

    def colours(world: World) -> np.ndarray:
        return np.array(["abc".index(world[person]) for person in ages])

    optimal = [world for world in worlds if least_sse(points, colours(world), 2) == pytest.approx(published)]
    assert (len(worlds), len(optimal)) == (12, 2)
    assert believed(optimal)["T"] == {"c": 1.0}
    for world in optimal:
        found = partition(points, colours(world), 2, effort=1, workers=1)
        assert found.labels.tolist() == [0, 0, 1, 1, 1]


def test_reinsertion_under_another_signature() -> None:
    worlds = consistent_worlds([("PQ", ("flu", "HIV"))], [("PR", ("HIV", "gout"))])
    assert believed(worlds)["P"] == {"HIV": 1.0}


def test_one_real_person_among_counterfeits(new_series: NewSeries) -> None:
    series = new_series()
    frame = pd.DataFrame({"person": ["P", "Q"], "age": [30, 40], "sex": "f", "illness": ["flu", "gout"]})
    series.publish(frame)
    series.publish(frame.iloc[:1])
    assert set(pd.read_parquet(series.path / "public/release-0002.parquet")["age"]) == {"30"}


def test_permutations_of_the_engine_are_worlds(new_series: NewSeries, real_engine: None) -> None:
    """What the engine publishes keeps the promise: each value of the signature is equally likely for everybody."""
    series = new_series()
    everybody = pd.DataFrame(
        {
            "person": list("ABCDEFGH"),
            "age": [20, 25, 31, 36, 42, 47, 55, 60],
            "sex": "f",
            "illness": ["flu", "gout", "cold", "HIV", "flu", "gout", "cold", "HIV"],
        }
    )
    releases = []
    for number, rows in enumerate((slice(0, 6), slice(2, 8), slice(0, 7)), start=1):
        series.publish(everybody.iloc[rows], effort=1, workers=1)
        frame = pd.read_parquet(series.path / f"private/release-{number:04d}.parquet")
        releases.append(
            [("".join(part["id"].dropna()), list(part["illness"])) for _, part in frame.groupby("class")]
        )
    for values in believed(consistent_worlds(*releases)).values():
        assert len(values) >= 2
        assert all(probability == pytest.approx(1 / len(values)) for probability in values.values())
