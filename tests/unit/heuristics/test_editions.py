"""The fewest counterfeits and deletions, against the enumeration of all partitions."""

import numpy as np
import pytest
from edition_oracle import fewest_by_enumeration, fewest_by_program
from hypothesis import event, given, settings
from hypothesis import strategies as st

from minv.errors import InfeasibleError
from minv.heuristics.balancing import classify, least_editions
from minv.heuristics.editions import Allowance
from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance

COLOURS = 4
ALLOWANCES = [
    Allowance(completing, adding, deletions)
    for completing, adding in ((True, False), (True, True), (False, False))
    for deletions in (0, 1, 3)
]


@st.composite
def releases(draw):
    """A few old points of one or two signatures, a few new ones, m and a size cap."""
    m = draw(st.integers(2, 3))
    max_size = draw(st.integers(m, 2 * m - 1))
    signature = st.sets(st.integers(0, COLOURS - 1), min_size=m, max_size=min(max_size, COLOURS))
    signatures = sorted({tuple(sorted(draw(signature))) for _ in range(draw(st.integers(0, 2)))})
    old = [
        (place, draw(st.sampled_from(signatures[place])))
        for place in range(len(signatures))
        for _ in range(draw(st.integers(1, 3)))
    ]
    fresh = draw(st.lists(st.integers(0, COLOURS - 1), max_size=7 - len(old)))
    colours = np.array([colour for _, colour in old] + fresh, dtype=np.int64)
    required = np.array([place for place, _ in old] + [FREE] * len(fresh), dtype=np.int64)
    points = np.random.default_rng(0).normal(size=(len(colours), 2))
    return Instance(points, colours, m, max_size, required, tuple(signatures))


@pytest.mark.parametrize("allowance", ALLOWANCES, ids=str)
@settings(max_examples=60, deadline=None)
@given(instance=releases())
def test_no_partition_has_fewer_editions(allowance, instance):
    expected = fewest_by_enumeration(instance, allowance)
    buckets = list(classify(instance).values())
    if expected is None:
        event("infeasible")
        with pytest.raises(InfeasibleError):
            least_editions(instance, buckets, allowance)
        return
    found = least_editions(instance, buckets, allowance)
    event(f"extra classes: {bool(found.extra.any())}")
    assert (found.counterfeits + found.deleted.sum(), found.deleted.sum()) == expected
    assert not found.adding or allowance.adding
    assert not found.completing or allowance.completing
    assert (found.fillers >= 0).all()
    assert (found.deleted >= 0).all()


@settings(max_examples=60, deadline=None)
@given(instance=releases())
def test_the_program_of_counts_agrees_with_the_enumeration(instance):
    """It is the oracle of releases that are too large to enumerate."""
    expected = fewest_by_enumeration(instance, Allowance())
    if expected is not None:
        assert fewest_by_program(instance) == expected[0]


@pytest.mark.parametrize("allowance", [Allowance(), Allowance(adding=True)], ids=str)
@settings(max_examples=60, deadline=None)
@given(instance=releases(), seed=st.integers(0, 100))
def test_stages_reach_the_fewest(allowance, instance, seed):
    expected = fewest_by_enumeration(instance, allowance)
    if expected is None:
        with pytest.raises(InfeasibleError):
            staged(instance, seed, split_by_halving, allowance)
        return
    release = staged(instance, seed, split_by_halving, allowance)
    assert release.counterfeits == expected[0]
    counted = 0
    for label, kind in enumerate(release.signature_of_class.tolist()):
        members = np.flatnonzero(release.labels == label)
        held = instance.colours[members].tolist()
        wanted = set(instance.required[members].tolist())
        assert 1 <= len(held) == len(set(held))
        if kind == FREE:
            assert wanted == {FREE}
            assert len(held) <= instance.max_size
            counted += max(0, instance.m - len(held))
        else:
            assert wanted - {FREE} == {kind}
            assert set(held) <= set(instance.signatures[kind])
            counted += len(instance.signatures[kind]) - len(held)
    assert counted == release.counterfeits


def test_a_single_newcomer_joins_an_old_class():
    """Two old persons share a class; the newcomer fits into none, unless each of them has a class alone."""
    instance = Instance(
        np.zeros((3, 1)), np.array([0, 1, 0]), 2, required=np.array([0, 0, FREE]), signatures=((0, 1),)
    )
    release = staged(instance, 0, split_by_halving)
    assert release.completing == 1
    assert sorted(np.bincount(release.labels).tolist()) == [1, 2]


def test_the_shortage_is_told():
    instance = Instance(np.zeros((4, 1)), np.array([0, 0, 0, 1]), 2)
    with pytest.raises(InfeasibleError, match=r"3 of one sensitive value .* 4 rows .* fewer than 2 x 3 = 6"):
        staged(instance, 0, split_by_halving)


def test_forbidden_counterfeits_are_counted():
    instance = Instance(np.zeros((1, 1)), np.array([0]), 3, required=np.array([0]), signatures=((0, 1, 2),))
    with pytest.raises(InfeasibleError, match="need 2 counterfeits, and counterfeits are forbidden"):
        staged(instance, 0, split_by_halving, Allowance(completing=False))
