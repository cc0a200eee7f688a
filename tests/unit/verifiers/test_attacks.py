"""The attack by level, against enumeration of all worlds and the worked examples of docs/attacks.md."""

import io
import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from minv_verifiers import InputError, Knowledge, UsageError, attack
from minv_verifiers.attacks.attacker import AttackReport
from minv_verifiers.attacks.report import attack_object, print_attack

ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age"],
    "sensitive": "disease",
    "person": "id",
    "class_id": "group",
    "m": 2,
}


def release(*classes: tuple[str, str]) -> pd.DataFrame:
    """A release of classes, each written as (people, values), a dot being a counterfeit."""
    rows = [
        (person if person != "." else None, number, "*", value, person == ".")
        for number, (people, values) in enumerate(classes)
        for person, value in zip(people, values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["id", "group", "age", "disease", "fake"])


def run(frames: list[pd.DataFrame], *levels: int, **knowledge: Any) -> AttackReport:
    """Attack frames of `release`."""
    return attack(frames, Knowledge(levels=levels, **knowledge), counterfeit="fake", **ROLES)


def belief(report: AttackReport, level: int) -> dict[str, tuple[str, float]]:
    """Candidates (joined) and confidence of each person."""
    found = report.level(level)
    return {
        report.dossier.person(int(person)): (
            "".join(report.value(found, int(code)) for code in found.candidates(place)),
            round(float(found.confidence[place]), 9),
        )
        for place, person in enumerate(found.persons)
    }


def test_tables_1_and_2_give_hiv_for_tuple_1() -> None:
    """The m-invariance paper, section 2.1: from Tables 1 and 2 tuple 1 has HIV for certain."""
    report = run([release(("12", "HF")), release(("13", "HA"), ("24", "FC"))], 0, 1)
    assert belief(report, 0)["1"] == ("H", 1.0)
    assert belief(report, 0)["2"] == ("F", 1.0)
    assert report.breached == (0, 1)
    assert report.exit_code == 1
    # Knowing everybody, the attacker also knows the newcomers beside them.
    assert belief(report, 1) == {"1": ("H", 1.0), "2": ("F", 1.0), "3": ("A", 1.0), "4": ("C", 1.0)}


def test_tables_1_and_3_hold() -> None:
    """After Table 3 nobody's value is known with more than 1/2."""
    report = run([release(("12", "HF")), release(("12", "HF"), ("34", "AC"))], 0, 1)
    assert report.breached == ()
    assert report.level(0).worst == report.level(1).worst == 0.5
    assert report.exit_code == 0


def worlds(frames: list[pd.DataFrame]) -> Iterator[dict[str, str]]:
    """Yield every assignment of lasting values to people that fits every class."""
    classes = [
        (members["id"].dropna().tolist(), Counter(members["disease"]))
        for frame in frames
        for _, members in frame.groupby("group")
    ]
    people = sorted({person for names, _ in classes for person in names})
    values = sorted({value for _, counts in classes for value in counts})
    for choice in itertools.product(values, repeat=len(people)):
        world = dict(zip(people, choice, strict=True))
        if all(Counter(world[person] for person in names) <= counts for names, counts in classes):
            yield world


@pytest.mark.parametrize("seed", range(25))
def test_level_1_is_the_share_of_worlds(seed: int) -> None:
    """On random small series the confidence is that of enumerating all worlds."""
    rng = np.random.default_rng(seed)
    truth = dict(zip("ABCDEF", rng.choice(list("xyzw"), 6), strict=True))
    frames = []
    for _ in range(rng.integers(1, 4)):
        people = rng.permutation(list("ABCDEF"))[: rng.integers(3, 7)]
        classes = []
        for members in np.array_split(people, max(1, len(people) // 2)):
            fakes = "".join(rng.choice(list("xyzw"), rng.integers(0, 2)))
            names = "".join(members)
            classes.append((names + "." * len(fakes), "".join(truth[one] for one in names) + fakes))
        frames.append(release(*classes))
    shares: dict[str, Counter[str]] = defaultdict(Counter)
    everything = list(worlds(frames))
    for world in everything:
        for person, value in world.items():
            shares[person][value] += 1
    report = run(frames, 1)
    assert report.level(1).exact
    for person, (candidates, confidence) in belief(report, 1).items():
        assert set(candidates) == set(shares[person])
        assert confidence == pytest.approx(max(shares[person].values()) / len(everything), abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_invariant_series_hold_at_levels_0_and_1(seed: int) -> None:
    """Random tau-safe series with counterfeits: exactly one over the size of the signature."""
    rng = np.random.default_rng(seed)
    signatures = ["xyz", "xw", "uvw"]
    home = {person: int(rng.integers(3)) for person in "ABCDEFGHIJKL"}
    frames = []
    for _ in range(3):
        classes = []
        for number, signature in enumerate(signatures):
            group = [p for p in home if home[p] == number and rng.random() < 0.8]
            while group:
                members, group = group[: len(signature)], group[len(signature) :]
                values = "".join(rng.permutation(list(signature)))
                classes.append(("".join(members).ljust(len(signature), "."), values))
        frames.append(release(*classes))
    report = run(frames, 0, 1)
    assert report.breached == ()
    for level in (0, 1):
        for person, (candidates, confidence) in belief(report, level).items():
            signature = signatures[home[person]]
            assert set(candidates) == set(signature)
            assert confidence == pytest.approx(1 / len(signature))


def test_a_repeated_value_weighs_more() -> None:
    """Within one class the frequencies are the confidence."""
    report = run([release(("ABCD", "xxxy"))], 0, 1)
    assert belief(report, 0)["A"] == ("xy", 0.75)
    assert belief(report, 1)["A"] == ("xy", 0.75)


def test_a_change_that_must_have_happened_is_seen() -> None:
    """Disjoint classes rule a lasting value out; each time is then attacked by itself."""
    report = run([release(("AB", "xy")), release(("AC", "zw"))], 0, 1)
    assert belief(report, 0)["A"][1] == 0.5
    assert belief(report, 1)["A"][1] == 0.5


def test_fewer_releases_tell_less() -> None:
    """The attacker who has the second release alone knows one class."""
    frames = [release(("12", "HF")), release(("13", "HA"), ("24", "FC"))]
    assert run(frames, 0, releases=(2,)).level(0).worst == 0.5
    with pytest.raises(UsageError, match="there is no release 3"):
        run(frames, 0, releases=(3,))


def test_many_worlds_are_bounded_from_below() -> None:
    """Where enumeration is given up, elimination still finds what follows, and the report says so."""
    people = [f"{number}" for number in range(60)]
    values = [f"v{number}" for number in range(60)]
    first = pd.DataFrame({"id": people, "group": 0, "age": "*", "disease": values, "fake": False})
    second = first.assign(group=[0] * 58 + [1] * 2)
    report = run([first, second], 1)
    assert not report.level(1).exact
    assert report.level(1).worst == pytest.approx(0.5)
    assert "lower bounds" in report.level(1).remark


def test_others_values_shrink_the_candidates() -> None:
    """Level 3: each known companion leaves one candidate less; counterfeits are no companions."""
    frame = release(("AB.", "xyz"))
    original = pd.DataFrame({"id": ["A", "B"], "age": "1", "disease": ["x", "y"]})
    options = {**ROLES, "counterfeit": "fake", "tables": [original]}
    for others, expected in ((0, 1 / 3), (1, 1 / 2), (2, 1 / 2)):
        report = attack([frame], Knowledge(levels=(3,), others=others), **options)
        assert report.level(3).worst == pytest.approx(expected)


def test_persistent_values_break_disjoint_signatures() -> None:
    """Level 4: a lasting value that a later class lacks was the other one."""
    frames = [release(("AB", "xy")), release(("AC", "zw"))]
    found = belief(run(frames, 4, persistent=("x",)), 4)
    assert found["A"] == ("y", 1.0)
    assert belief(run(frames, 4), 4)["A"][1] == 0.5
    with pytest.raises(InputError, match="1 of the persistent values never occurs"):
        run(frames, 4, persistent=("unheard of",))


def test_transitions_are_followed_forward_and_backward() -> None:
    """Level 4: Bayes' rule on two releases, by hand."""
    frames = [release(("AB", "xy")), release(("AC", "xz"))]
    chain = {
        "x": {"x": 0.8, "y": 0.1, "z": 0.1},
        "y": {"x": 0.1, "y": 0.8, "z": 0.1},
        "z": {"x": 0.1, "y": 0.1, "z": 0.8},
    }
    report = run(frames, 4, transitions=chain)
    joint = {(a, b): chain[a][b] for a in "xy" for b in "xz"}
    total = sum(joint.values())
    best = max(
        *(sum(p for (a, _), p in joint.items() if a == v) / total for v in "xy"),
        *(sum(p for (_, b), p in joint.items() if b == v) / total for v in "xz"),
    )
    assert belief(report, 4)["A"][1] == pytest.approx(best)
    with pytest.raises(InputError, match="lacks the rows of 1 value of"):
        run(frames, 4, transitions={key: chain[key] for key in "xy"})
    with pytest.raises(InputError, match="something else than probabilities"):
        run(frames, 4, transitions={**chain, "x": {"x": -1.0}})
    with pytest.raises(InputError, match="leads nowhere"):
        run(frames, 4, transitions={**chain, "x": {"x": 0.0}})


def test_a_true_histogram_unmasks_counterfeits() -> None:
    """Level 5: no case of x this month means that the published x is the counterfeit."""
    frame = release(("A.", "yx"), ("BC", "yz"))
    counts = pd.DataFrame({"group": [0], "count": [1]})
    options = {**ROLES, "counterfeit": "fake", "counterfeit_counts": [counts]}
    known = Knowledge(levels=(5,), histograms=[{"y": 2, "z": 1}])
    found = belief(attack([frame], known, **options), 5)
    assert found["A"] == ("y", 1.0)
    assert found["B"][1] == 0.5
    vague = Knowledge(levels=(5,), histograms=[{"y": 1, "x": 0, "z": 1}])
    assert belief(attack([frame], vague, **options), 5)["A"][1] == 0.5


def test_absences_say_not_in_the_signature(good_series: Path) -> None:
    """Level 2: person 7, suppressed, has one of the values outside gout, cold and ache."""
    report = attack(good_series, Knowledge(levels=(2,)))
    found = report.level(2)
    assert [report.dossier.person(int(person)) for person in found.persons] == ["7"]
    names = {report.value(found, int(code)) for code in found.candidates(0)}
    assert names == {"flu", "rash", "mumps"}  # mumps is declared but never published
    assert found.worst == pytest.approx(1 / 3)


def test_fewest_counterfeits_leak(builder: ModuleType, tmp_path: Path) -> None:
    """Level 6: had P had HIV, no counterfeit would have been needed; so P has flu."""
    first = builder.Plan([builder.Row("P", ("1",), "flu", "a"), builder.Row("Q", ("2",), "HIV", "a")])
    second = builder.Plan(
        [
            builder.Row("P", ("1",), "flu", "a"),
            builder.Row("R", ("10",), "flu", "b"),
            builder.Row("S", ("11",), "gout", "b"),
            builder.Row("T", ("20",), "flu", "c"),
            builder.Row("U", ("21",), "cold", "c"),
        ],
        [("a", "HIV")],
    )
    root = builder.build(tmp_path / "s", [first, second], quasi_identifiers=(("age", "numeric"),))
    report = attack(root, Knowledge(levels=(1, 6)))
    found = report.level(6)
    by_person = {report.dossier.person(int(person)): place for place, person in enumerate(found.persons)}
    assert found.confidence[by_person["P"]] == 1.0
    assert [report.value(found, int(code)) for code in found.candidates(by_person["P"])] == ["flu"]
    assert report.level(1).worst == 0.5


def test_least_loss_leaks() -> None:
    """Level 6: of 12 worlds 2 have the published classes as optimum; in both the person at 13 has c."""
    people = {
        "P": ("9", "a", 0),
        "Q": ("33", "b", 0),
        "R": ("7", "a", 1),
        "S": ("28", "b", 1),
        "T": ("13", "c", 1),
    }
    frame = pd.DataFrame(
        [(name, group, "*", value, False) for name, (_, value, group) in people.items()],
        columns=["id", "group", "age", "disease", "fake"],
    )
    original = pd.DataFrame(
        [(name, age, value) for name, (age, value, _) in people.items()], columns=["id", "age", "disease"]
    )
    report = attack([frame], Knowledge(levels=(6,)), tables=[original], **ROLES)
    found = belief(report, 6)
    assert found["T"] == ("c", 1.0)
    assert found["P"] == ("ab", 0.5)


def test_what_cannot_be_run_is_listed_with_the_reason() -> None:
    """Levels that need the truth, or too many people, say so."""
    frame = release(("AB", "xy"))
    report = run([frame], 2, 3, 5, 6)
    assert set(report.not_run) == {2, 3, 5, 6}
    assert report.exit_code == 3
    many = release(*[("AB", "xy")] * 6).assign(id=range(12))
    original = pd.DataFrame({"id": range(12), "age": "1", "disease": "x"})
    crowded = attack([many], Knowledge(levels=(6,)), tables=[original], **ROLES)
    assert "12 people; enumeration is for at most 10" in crowded.not_run[6]
    with pytest.raises(UsageError, match="0 to 6"):
        Knowledge(levels=(7,))


def test_the_findings_follow_their_schema_and_hide_values(good_series: Path) -> None:
    """JSON by its schema; ids and values only on request."""
    report = attack(good_series, Knowledge(levels=tuple(range(7))))
    schema = json.loads(
        resources.files("minv_verifiers.attacks").joinpath("attack.schema.json").read_text("utf-8")
    )
    validator = jsonschema.Draft202012Validator(schema)
    for show_values in (False, True):
        content = json.loads(json.dumps(attack_object(report, show_values=show_values), allow_nan=False))
        validator.validate(content)
        console = Console(file=io.StringIO(), width=1000)
        print_attack(report, console, show_values=show_values)
        assert ("gout" in console.file.getvalue()) is show_values
        assert ("gout" in json.dumps(content)) is show_values
    assert (
        sum(one["people"] for one in content["levels"][0]["distribution"]) == content["levels"][0]["people"]
    )
