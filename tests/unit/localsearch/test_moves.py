"""Every delta is the difference of two SSEs, every edit leaves a consistent state."""

import numpy as np
import pytest

from minv.localsearch.limits import limits_for_moves
from minv.localsearch.moves import (
    can_give_and_take,
    can_swap,
    enter_delta,
    leave_delta,
    relocate,
    replace_delta,
    swap,
    swap_delta,
)
from minv.localsearch.state import Clusters, Points, State, open_state, refill


def open_case(case):
    limits = limits_for_moves(case.labels, case.m, case.max_size, case.requirements)
    return open_state(case.points, case.colours, case.labels, limits, case.requirements)


def pairs(state):
    size = len(state.clusters.labels)
    return [
        (one, other)
        for one in range(size)
        for other in range(size)
        if state.clusters.labels[one] != state.clusters.labels[other]
    ]


def copy_of(state):
    return State(state.points, Clusters(*(array.copy() for array in state.clusters)))


def check_consistent(state):
    """Sizes, members, held colours and centroids are those of the labels."""
    fresh = copy_of(state)
    refill(*fresh)
    assert (fresh.clusters.sizes == state.clusters.sizes).all()
    np.testing.assert_allclose(state.clusters.centroids, fresh.clusters.centroids, atol=1e-12)
    for cluster, size in enumerate(state.clusters.sizes):
        members = state.clusters.members[cluster, :size]
        assert set(members) == set(fresh.clusters.members[cluster, :size])
        assert (state.clusters.held[cluster, :size] == state.points.colours[members]).all()


@pytest.mark.parametrize("seed", range(6))
def test_swap_delta_is_the_change_of_the_sse(tools, seed):
    state = open_case(tools.make_case(seed, fixed=seed % 2 == 0))
    before = tools.sse_of(state.points.coordinates, state.clusters.labels)
    for one, other in pairs(state):
        after = copy_of(state)
        swap(*after, one, other)
        check_consistent(after)
        change = tools.sse_of(state.points.coordinates, after.clusters.labels) - before
        assert swap_delta(*state, one, other) == pytest.approx(change, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_relocation_delta_is_the_change_of_the_sse(tools, seed):
    state = open_case(tools.make_case(seed, fixed=seed % 2 == 0))
    before = tools.sse_of(state.points.coordinates, state.clusters.labels)
    for point, host in pairs(state):
        source, target = state.clusters.labels[point], state.clusters.labels[host]
        if not can_give_and_take(state.clusters, source, target):
            continue
        after = copy_of(state)
        relocate(*after, point, target)
        check_consistent(after)
        change = tools.sse_of(state.points.coordinates, after.clusters.labels) - before
        delta = leave_delta(*state, point) + enter_delta(*state, point, target)
        assert delta == pytest.approx(change, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_replacing_and_entering_and_leaving_add_up_to_a_swap(tools, seed):
    """Two replacements are a swap."""
    state = open_case(tools.make_case(seed, fixed=False))
    for one, other in pairs(state):
        parts = replace_delta(*state, one, other) + replace_delta(*state, other, one)
        assert parts == pytest.approx(swap_delta(*state, one, other), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_swaps_are_allowed_exactly_where_the_result_is_feasible(tools, seed):
    case = tools.make_case(seed, fixed=True)
    state = open_case(case)
    for one, other in pairs(state):
        labels = case.labels.copy()
        labels[[one, other]] = labels[[other, one]]
        assert can_swap(*state, one, other) == (tools.broken_rules(case, labels) == [])


def test_coordinates_are_centred_and_of_unit_length(tools):
    case = tools.make_case(0, fixed=False)
    for points in (case.points * 1e200 + 1e190, case.points * 1e-200, case.points + 1e6):
        state = open_case(case._replace(points=points))
        assert isinstance(state.points, Points)
        np.testing.assert_allclose(state.points.coordinates.mean(axis=0), 0, atol=1e-8)
        assert (state.points.coordinates**2).sum() == pytest.approx(len(points))
