"""The published stages: valid releases, counterfeits by the greedy rule, never fewer than ours."""

import numpy as np
import pytest
from edition_oracle import fewest_by_enumeration
from hypothesis import given, settings
from hypothesis import strategies as st

from minv.errors import InfeasibleError
from minv.heuristics.editions import BALANCING
from minv.heuristics.halving import split_by_halving
from minv.heuristics.perimeter import split_by_perimeter
from minv.heuristics.published_stages import staged_as_published
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance


def release(signatures, old, fresh, m):
    colours = np.array([colour for _, colour in old] + fresh, dtype=np.int64)
    required = np.array([place for place, _ in old] + [FREE] * len(fresh), dtype=np.int64)
    points = np.random.default_rng(1).normal(size=(len(colours), 2))
    return Instance(points, colours, m, required=required, signatures=signatures)


def test_greedy_balancing_by_hand():
    """Two flu and two gout are free; the class of S = {flu, cold} lacks a flu.

    To take a flu leaves 1 flu and 2 gout, which are not 2-eligible: the published rule adds a counterfeit.
    """
    instance = release(((0, 2),), [(0, 2)], [0, 0, 1, 1], 2)
    assert staged_as_published(instance, 0, split_by_halving).completing == 1
    enough = release(((0, 2),), [(0, 2)], [0, 0, 1, 1, 3], 2)
    assert staged_as_published(enough, 0, split_by_halving).completing == 0


def test_one_at_a_time_takes_more_counterfeits_than_needed():
    """Two flu and two gout are free, one of each is lacking: without either alone the rest is not 2-eligible."""
    instance = release(((1, 3), (0, 2)), [(0, 3), (1, 2)], [0, 0, 1, 1], 2)
    assert staged_as_published(instance, 0, split_by_halving).completing == 2
    assert staged(instance, 0, split_by_halving).completing == 0


def test_no_answer_without_eligibility():
    with pytest.raises(InfeasibleError):
        staged_as_published(release((), [], [0, 0, 1], 2), 0, split_by_halving)


@settings(max_examples=80, deadline=None)
@given(st.data(), st.integers(0, 50), st.sampled_from([split_by_halving, split_by_perimeter]))
def test_published_releases_are_valid(data, seed, split):
    signatures = ((0, 1, 2), (1, 3))
    old = data.draw(st.lists(st.sampled_from([(0, 0), (0, 1), (0, 2), (1, 1), (1, 3)]), max_size=3))
    fresh = data.draw(st.lists(st.integers(0, 3), max_size=5))
    instance = release(signatures, old, fresh, 2)
    try:
        found = staged_as_published(instance, seed, split)
    except InfeasibleError:
        return
    fewest = fewest_by_enumeration(instance, BALANCING)
    assert fewest is not None
    assert found.counterfeits >= fewest[0]
    lacking = 0
    for label, kind in enumerate(found.signature_of_class.tolist()):
        members = np.flatnonzero(found.labels == label)
        held = instance.colours[members].tolist()
        assert len(held) == len(set(held))
        wanted = set(instance.required[members].tolist())
        if kind == FREE:
            assert 2 <= len(held) <= 3
            assert wanted == {FREE}
        else:
            assert kind in wanted <= {FREE, kind}
            assert set(held) <= set(signatures[kind])
            lacking += len(signatures[kind]) - len(held)
    assert lacking == found.counterfeits
