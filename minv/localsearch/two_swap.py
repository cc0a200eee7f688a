"""Two-swapping by best improvement, as the paper defines it."""

import numpy as np

from minv.compiled import FloatArray, IntArray, lean_kernel
from minv.localsearch.limits import limits_for_swaps
from minv.localsearch.moves import can_swap, swap, swap_delta
from minv.localsearch.requirements import Requirements
from minv.localsearch.state import IMPROVEMENT, Clusters, Points, better_labels, open_state
from minv.stopping import Stop

SWAPS_A_CHUNK = 1000
NONE = -1  # in place of a partner: no swap improves
UNKNOWN = -2  # in place of a partner: the delta is a lower bound


def two_swap(
    points: FloatArray,
    colours: IntArray,
    labels: IntArray,
    *,
    requirements: Requirements | None = None,
    stop: Stop | None = None,
) -> IntArray:
    """Apply the best of all feasible swaps of two points until none improves.

    The best partner of every point is remembered. A swap changes the deltas of the pairs of two clusters
    alone, so it costs about n m evaluations instead of n^2 / 2; a point that lost its best partner looks
    for another only once no other point offers more than it did.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    colours
        (n,) colour of each point, 0..L-1.
    labels
        (n,) start: a partition whose clusters have distinct colours.
    requirements
        Required signatures of points and clusters, if any.
    stop
        Looked at after every thousand swaps; the best labels so far are returned.

    Returns
    -------
    IntArray
        (n,) labels of no larger SSE, cluster sizes unchanged.

    Raises
    ------
    UsageError
        The start breaks a rule.

    References
    ----------
    Tobar Nicolau, Castro and Gentile (2025), A new mathematical optimization-based method for the
    m-invariance problem, section 4.
    """
    stop = stop or Stop()
    state = open_state(points, colours, labels, limits_for_swaps(labels), requirements)
    partners = np.full(len(labels), -1, dtype=np.int64)
    deltas = np.zeros(len(labels))
    _find_partners(*state, partners, deltas)
    while len(labels) and not stop.reached():
        done = _swap_best(*state, partners, deltas, SWAPS_A_CHUNK)
        stop.charge(1)
        if done < SWAPS_A_CHUNK:
            break
    return better_labels(points, labels, state.clusters.labels)


@lean_kernel
def _find_partners(points: Points, clusters: Clusters, partners: IntArray, deltas: FloatArray) -> None:
    for point in range(len(partners)):
        _find_partner(points, clusters, point, partners, deltas)


@lean_kernel
def _find_partner(
    points: Points, clusters: Clusters, point: int, partners: IntArray, deltas: FloatArray
) -> None:
    """Set the best partner of a point among those of higher number; the first of equals."""
    best, least = NONE, -IMPROVEMENT
    for other in range(point + 1, len(partners)):
        if clusters.labels[other] == clusters.labels[point]:
            continue
        delta = swap_delta(points, clusters, point, other)
        if delta < least and can_swap(points, clusters, point, other):
            best, least = other, delta
    partners[point], deltas[point] = best, least


@lean_kernel
def _swap_best(points: Points, clusters: Clusters, partners: IntArray, deltas: FloatArray, limit: int) -> int:
    """Do up to `limit` best swaps; return how many were done."""
    for done in range(limit):
        point = int(np.argmin(deltas))
        while partners[point] == UNKNOWN:
            _find_partner(points, clusters, point, partners, deltas)
            point = int(np.argmin(deltas))
        if partners[point] == NONE:
            return done
        first, second = clusters.labels[point], clusters.labels[partners[point]]
        swap(points, clusters, point, partners[point])
        for other in range(len(partners)):
            if clusters.labels[other] == first or clusters.labels[other] == second:
                _find_partner(points, clusters, other, partners, deltas)
            else:
                _update_partner(points, clusters, other, first, second, partners, deltas)
    return limit


@lean_kernel
def _update_partner(
    points: Points,
    clusters: Clusters,
    point: int,
    first: int,
    second: int,
    partners: IntArray,
    deltas: FloatArray,
) -> None:
    """Bring the best partner of a point outside up to date after two clusters changed.

    If the partner was in them, the old delta remains a lower bound on what the unchanged clusters offer.
    """
    partner = partners[point]
    if partner >= 0 and (clusters.labels[partner] == first or clusters.labels[partner] == second):
        partners[point] = UNKNOWN
    for changed in (first, second):
        for slot in range(clusters.sizes[changed]):
            other = clusters.members[changed, slot]
            if other < point:
                continue
            delta = swap_delta(points, clusters, point, other)
            better = delta < deltas[point] or (delta == deltas[point] and other < partners[point])
            if better and can_swap(points, clusters, point, other):
                partners[point], deltas[point] = other, delta
