"""Balancing old buckets: the fewest counterfeits, checked by trying every choice."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import InfeasibleError
from minv.heuristics.balancing import most_fillers
from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance


@st.composite
def pools(draw):
    """Free points and empty slots of a few colours, and m."""
    colours = draw(st.integers(2, 4))
    counts = st.lists(st.integers(0, 4), min_size=colours, max_size=colours)
    return np.array(draw(counts)), np.array(draw(counts)), draw(st.integers(2, 3))


@given(pools())
def test_as_many_free_points_fill_slots_as_any_choice_allows(pool):
    free, empty, m = pool
    eligible = []
    for choice in itertools.product(*(range(min(a, b) + 1) for a, b in zip(free, empty, strict=True))):
        rest = free - np.array(choice)
        if m * rest.max() <= rest.sum():
            eligible.append(sum(choice))
    if not eligible:
        with pytest.raises(InfeasibleError):
            most_fillers(free, empty, m)
        return
    fillers = most_fillers(free, empty, m)
    assert (fillers >= 0).all()
    assert (fillers <= np.minimum(free, empty)).all()
    rest = free - fillers
    assert m * rest.max() <= rest.sum()
    assert fillers.sum() == max(eligible)


@given(st.integers(0, 10_000))
def test_a_staged_release_keeps_signatures_and_counts_its_counterfeits(seed):
    rng = np.random.default_rng(seed)
    signatures = ((0, 1, 2), (1, 3))
    old = [(s, colour) for s in range(2) for colour in signatures[s] for _ in range(rng.integers(0, 3))]
    fresh = np.tile(np.arange(4), rng.integers(0, 3))
    colours = np.array([colour for _, colour in old] + fresh.tolist(), dtype=np.int64)
    required = np.array([s for s, _ in old] + [FREE] * len(fresh), dtype=np.int64)
    instance = Instance(
        rng.normal(size=(len(colours), 2)), colours, 2, required=required, signatures=signatures
    )
    release = staged(instance, seed, split_by_halving)
    lacking = 0
    for label, kind in enumerate(release.signature_of_class.tolist()):
        members = np.flatnonzero(release.labels == label)
        held = colours[members].tolist()
        assert len(set(held)) == len(held)
        if kind == FREE:
            assert len(held) >= 2
            assert (required[members] == FREE).all()
        else:
            assert set(held) <= set(signatures[kind])
            assert set(required[members].tolist()) <= {FREE, kind}
            assert kind in required[members]
            lacking += len(signatures[kind]) - len(held)
    assert lacking == release.counterfeits
