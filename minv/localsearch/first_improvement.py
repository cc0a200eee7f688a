"""Fast local search by first improvement over candidate lists."""

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, lean_kernel
from minv.localsearch.candidates import Candidates, nearest_places
from minv.localsearch.limits import limits_for_swaps
from minv.localsearch.moves import (
    can_give_and_take,
    can_swap,
    enter_delta,
    fits,
    leave_delta,
    relocate,
    slot_of_colour,
    swap,
    swap_delta,
)
from minv.localsearch.requirements import Requirements
from minv.localsearch.state import IMPROVEMENT, Clusters, Points, State, better_labels, open_state
from minv.stopping import Stop

NEIGHBOURS = 30
RESIDENTS = 6  # candidates taken at one place
POINTS_A_CHUNK = 20_000
STAY = -1  # in place of a partner: no exchange improves
ALONE = -2  # in place of a partner: the point moves without one


def first_improvement(
    points: FloatArray,
    colours: IntArray,
    labels: IntArray,
    *,
    neighbours: int = NEIGHBOURS,
    requirements: Requirements | None = None,
    stop: Stop | None = None,
) -> IntArray:
    """Apply improving swaps as they are found until no swap among candidates improves.

    A point's candidates are some points at each of its nearest places. A point and a candidate may bring
    either of them into the other's cluster, in exchange for any member.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    colours
        (n,) colour of each point, 0..L-1.
    labels
        (n,) start: a partition whose clusters have distinct colours.
    neighbours
        Number of nearest places.
    requirements
        Required signatures of points and clusters, if any.
    stop
        Looked at often; the best labels so far are returned.

    Returns
    -------
    IntArray
        (n,) labels of no larger SSE, cluster sizes unchanged.

    Raises
    ------
    UsageError
        The start breaks a rule.
    """
    state = open_state(points, colours, labels, limits_for_swaps(labels), requirements)
    improve(state, nearest_places(state.points.coordinates, neighbours), stop or Stop())
    return better_labels(points, labels, state.clusters.labels)


def improve(state: State, candidates: Candidates, stop: Stop) -> None:
    """Apply improving swaps and, where sizes allow, relocations to a state, until none among candidates is left."""
    size = len(state.clusters.labels)
    active = np.ones(size, dtype=np.bool_)
    position = 0
    while active.any() and not stop.reached():
        last = min(position + POINTS_A_CHUNK, size)
        _improve_points(*state, candidates, active, position, last)
        position = last % size
        stop.charge(1)


@lean_kernel
def _improve_points(
    points: Points, clusters: Clusters, candidates: Candidates, active: BoolArray, first: int, last: int
) -> None:
    """Improve around each active point of a range until it is in no improving move, then make it inactive."""
    for point in range(first, last):
        while active[point]:
            active[point] = _improve_point(points, clusters, candidates, active, point)


@lean_kernel
def _improve_point(
    points: Points, clusters: Clusters, candidates: Candidates, active: BoolArray, point: int
) -> bool:
    """Do the first improving move between a point and its candidates, if there is one."""
    place = candidates.place[point]
    for near in candidates.near[place]:
        first = candidates.starts[near]
        count = candidates.starts[near + 1] - first
        for turn in range(min(count, RESIDENTS)):
            # Points of one place begin at different residents, so that together they meet all.
            other = candidates.residents[first + (point + turn) % count]
            if _join(points, clusters, active, point, other) or _join(points, clusters, active, other, point):
                return True
    return False


@lean_kernel
def _join(points: Points, clusters: Clusters, active: BoolArray, point: int, host: int) -> bool:
    """Bring a point into the cluster of another one, if that improves; wake the two clusters."""
    source, target = clusters.labels[point], clusters.labels[host]
    if source == target or not fits(points, clusters, point, target):
        return False
    partner = _best_exchange(points, clusters, point, target)
    if partner == STAY:
        return False
    if partner == ALONE:
        relocate(points, clusters, point, target)
    else:
        swap(points, clusters, point, partner)
    for cluster in (source, target):
        for slot in range(clusters.sizes[cluster]):
            active[clusters.members[cluster, slot]] = True
    return True


@lean_kernel
def _best_exchange(points: Points, clusters: Clusters, point: int, target: int) -> int:
    """Return which member of a cluster should make room for a point: ALONE if none need to, else STAY."""
    same = slot_of_colour(clusters, target, points.colours[point])
    best, least = STAY, -IMPROVEMENT
    if same >= 0:
        other = clusters.members[target, same]
        if swap_delta(points, clusters, point, other) < least and can_swap(points, clusters, point, other):
            best = other
        return best
    if can_give_and_take(clusters, clusters.labels[point], target):
        delta = leave_delta(points, clusters, point) + enter_delta(points, clusters, point, target)
        if delta < least:
            best, least = ALONE, delta
    for slot in range(clusters.sizes[target]):
        other = clusters.members[target, slot]
        delta = swap_delta(points, clusters, point, other)
        if delta < least and can_swap(points, clusters, point, other):
            best, least = other, delta
    return best
