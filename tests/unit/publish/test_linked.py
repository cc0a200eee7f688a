"""Parts of a later release, solved by themselves: what they are, and that the whole stays a release."""

import numpy as np
import pytest
from edition_oracle import fewest_by_enumeration

from minv.colgen.covering import columns_of, counterfeits_of
from minv.colgen.exact import open_generation
from minv.heuristics.editions import Allowance
from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance
from minv.loss import sum_of_squared_errors
from minv.progress import silent
from minv.publish.engines import default_solvers
from minv.publish.incumbent import Incumbent
from minv.publish.linked import Classes, Links, Search, part_of
from minv.stopping import Stop

SIGNATURES = ((0, 1, 2), (1, 3), (0, 2, 3), (2, 4))


def release(seed: int, old: int, fresh: int, counterfeits: bool) -> tuple[Instance, np.ndarray]:
    """Return a release with the labels of its stages; without counterfeits every old class is whole."""
    rng = np.random.default_rng(seed)
    people = []
    for _ in range(old):
        kind = int(rng.integers(len(SIGNATURES)))
        people += [(kind, colour) for colour in SIGNATURES[kind]]
    if counterfeits:
        people = [person for person in people if rng.random() < 0.6]
    new = np.tile(np.arange(5), -(-fresh // 5))[:fresh].tolist()
    colours = np.array([colour for _, colour in people] + new, np.int64)
    required = np.array([kind for kind, _ in people] + [FREE] * fresh, np.int64)
    points = rng.normal(size=(len(colours), 2))
    bare = Instance(points, colours, 2, required=required, signatures=SIGNATURES)
    start = staged(bare, seed, split_by_halving)
    return Instance(
        points, colours, 2, required=required, signatures=SIGNATURES, counterfeits=start.counterfeits
    ), start.labels


def assert_release(instance: Instance, labels: np.ndarray) -> None:
    """Every class follows the model, and there are no more counterfeits than allowed."""
    assert instance.required is not None
    lacking = 0
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        held = instance.colours[members].tolist()
        wanted = set(instance.required[members].tolist()) - {FREE}
        assert len(held) == len(set(held))
        if wanted:
            (kind,) = wanted
            assert set(held) <= set(instance.signatures[kind])
            lacking += len(instance.signatures[kind]) - len(held)
        else:
            assert instance.m <= len(held) <= instance.max_size
    assert lacking <= instance.counterfeits


@pytest.mark.parametrize("counterfeits", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_whole_stays_a_release_and_gains(seed: int, counterfeits: bool) -> None:
    instance, labels = release(seed, 60, 5 if counterfeits else 60, counterfeits)
    assert (instance.counterfeits > 0) == counterfeits
    stop = Stop()
    incumbent = Incumbent(instance, labels, stop, silent)
    before = incumbent.sse
    generation = open_generation(instance, labels, default_solvers())
    while generation.step(stop):
        pass
    Search(incumbent, generation, default_solvers(), seed).run(stop, 12)
    assert generation.bound.value <= incumbent.sse < before
    assert incumbent.sse == pytest.approx(sum_of_squared_errors(instance.points, incumbent.labels))
    assert_release(instance, incumbent.labels)


def test_a_part_has_the_counterfeits_of_its_classes() -> None:
    """By itself the part needs no more than these, by trying all its partitions."""
    instance, labels = release(1, 12, 0, True)
    lacking = counterfeits_of(instance, labels)
    chosen = np.argsort(-lacking, kind="stable")[:2]
    members = np.flatnonzero(np.isin(labels, chosen))
    part = part_of(instance, labels, members)
    assert part.counterfeits == lacking[chosen].sum() > 0
    fewest = fewest_by_enumeration(part, Allowance())
    assert fewest is not None
    assert fewest[0] <= part.counterfeits


def test_classes_are_linked_by_what_they_can_exchange() -> None:
    """Two whole classes of one signature and one of another, all in one place: a column links the former."""
    required = np.array([0, 0, 0, 0, 1, 1])
    instance = Instance(
        np.arange(6.0)[:, None] / 100,
        np.array([0, 1, 0, 1, 0, 1]),
        2,
        required=required,
        signatures=((0, 1),) * 2,
    )
    labels = np.array([0, 0, 1, 1, 2, 2])
    exchanged = columns_of(instance, np.array([0, 1, 1, 0, 2, 2]))
    links = Links(instance, exchanged, np.zeros(7))
    classes, unused = Classes.of(instance, labels), np.zeros(3, np.bool_)
    assert links.around(classes, 0, 6, unused).tolist() == [0, 1]
    assert links.around(classes, 0, 6, np.array([False, True, False])).tolist() == [0]
    assert not len(links.around(classes, 1, 6, np.array([False, True, False])))
