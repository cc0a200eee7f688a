"""Where the searches stop there is nothing left of what they look for."""

import itertools

import numpy as np
import pytest

from minv.localsearch import descend, first_improvement, reassign_colours, two_swap
from minv.localsearch.colour_assignment import assign_points
from minv.localsearch.limits import limits_for_moves
from minv.localsearch.state import open_state


def swapped(labels, one, other):
    result = labels.copy()
    result[[one, other]] = labels[[other, one]]
    return result


def relocated(labels, point, cluster):
    result = labels.copy()
    result[point] = cluster
    return result


def gains(tools, case, labels, candidates):
    """By how much each feasible candidate is better than the labels."""
    sse = tools.sse_of(case.points, labels)
    return [
        sse - tools.sse_of(case.points, candidate)
        for candidate in candidates
        if tools.broken_rules(case, candidate) == []
    ]


def all_swaps(labels):
    return [swapped(labels, one, other) for one, other in itertools.combinations(range(len(labels)), 2)]


def all_relocations(labels):
    return [
        relocated(labels, point, cluster)
        for point in range(len(labels))
        for cluster in range(labels.max() + 1)
    ]


@pytest.mark.parametrize("search", [two_swap, first_improvement])
@pytest.mark.parametrize("seed", range(8))
def test_no_swap_improves(tools, search, seed):
    """With fewer than 30 places every point is a candidate of every other."""
    case = tools.make_case(seed, fixed=seed % 2 == 0)
    labels = search(case.points, case.colours, case.labels, requirements=case.requirements)
    assert max(gains(tools, case, labels, all_swaps(labels)), default=0) < 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_no_swap_or_relocation_improves_after_descend(tools, seed):
    case = tools.make_case(seed, fixed=seed % 2 == 0)
    labels = descend(
        case.points,
        case.colours,
        case.labels,
        m=case.m,
        max_size=case.max_size,
        requirements=case.requirements,
    )
    assert max(gains(tools, case, labels, all_swaps(labels) + all_relocations(labels)), default=0) < 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_no_permutation_of_one_colour_improves(tools, seed):
    case = tools.make_case(seed, fixed=seed % 2 == 0)
    labels = reassign_colours(
        case.points,
        case.colours,
        case.labels,
        m=case.m,
        max_size=case.max_size,
        requirements=case.requirements,
    )
    for colour in np.unique(case.colours):
        members = np.flatnonzero(case.colours == colour)[:5]
        candidates = []
        for order in itertools.permutations(range(len(members))):
            candidate = labels.copy()
            candidate[members] = labels[members[list(order)]]
            candidates.append(candidate)
        assert max(gains(tools, case, labels, candidates)) < 1e-9


def best_placement(tools, case, members):
    """The least SSE over all placements of some points, by trying all."""
    best = np.inf
    for places in itertools.permutations(range(case.labels.max() + 1), len(members)):
        candidate = case.labels.copy()
        candidate[members] = places
        if tools.broken_rules(case, candidate) == []:
            best = min(best, tools.sse_of(case.points, candidate))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_points_of_a_colour_get_the_best_of_all_places(tools, seed):
    """Also in clusters that lacked it: there are few enough to be all considered."""
    case = tools.make_case(seed, fixed=False)
    members = np.flatnonzero(case.colours == case.colours[0])
    limits = limits_for_moves(case.labels, case.m, case.max_size, None)
    state = open_state(case.points, case.colours, case.labels, limits, None)
    assign_points(state, members, fixed=False)
    assert tools.sse_of(case.points, state.clusters.labels) == pytest.approx(
        best_placement(tools, case, members)
    )
