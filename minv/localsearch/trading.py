"""Moves of free points that trade counterfeits against the loss."""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, lean_kernel
from minv.instance import FREE
from minv.localsearch.limits import SizeLimits
from minv.localsearch.moves import enter_delta, fits, leave_delta, relocate, slot_of_colour
from minv.localsearch.requirements import Requirements
from minv.localsearch.state import IMPROVEMENT, Clusters, Points, open_state
from minv.loss import total_sum_of_squares
from minv.stopping import Stop


class Terms(NamedTuple):
    """What counterfeits cost, and where they may stand.

    Attributes
    ----------
    price
        Of one counterfeit, in the squared units of the coordinates.
    m
        Least size of a free cluster, counterfeits included.
    adding
        Whether a free cluster may have counterfeits.
    """

    price: float
    m: int
    adding: bool


def trade(
    points: FloatArray,
    colours: IntArray,
    labels: IntArray,
    *,
    terms: Terms,
    limits: SizeLimits,
    requirements: Requirements,
    stop: Stop | None = None,
) -> IntArray:
    """Move free points one by one to where SSE plus the price of all counterfeits is least, until none improves.

    A free point that leaves a class of old points leaves its place to a counterfeit; one that joins takes a
    counterfeit's place. Points that require a signature stay where they are.

    Parameters
    ----------
    points, colours, labels
        (n, d) coordinates, (n,) colours, (n,) clusters 0..K-1.
    limits
        Least and largest number of real points of each cluster.
    stop
        Looked at before every sweep over all points.

    Returns
    -------
    IntArray
        (n,) labels; no cluster is opened or closed.

    Raises
    ------
    UsageError
        The start breaks a rule.
    """
    state = open_state(points, colours, labels, limits, requirements)
    sst = total_sum_of_squares(points)
    unit = len(points) / sst if sst > 0 else 1.0  # a state has mean squared length 1
    stop = stop or Stop()
    while not stop.reached() and _sweep(*state, terms.price * unit, terms.m, terms.adding):
        pass
    return state.clusters.labels.copy()


@lean_kernel
def _sweep(points: Points, clusters: Clusters, price: float, m: int, adding: bool) -> int:
    """Move each free point to its best cluster; return how many moved."""
    moved = 0
    for point in range(len(points.colours)):
        source = clusters.labels[point]
        if points.required[point] != FREE or clusters.sizes[source] <= clusters.least[source]:
            continue
        leaving = leave_delta(points, clusters, point)
        if _counted(clusters, source, clusters.sizes[source], m, adding):
            leaving += price
        best, least = -1, -IMPROVEMENT
        for target in range(len(clusters.sizes)):
            size = clusters.sizes[target]
            if target == source or size >= clusters.most[target] or not fits(points, clusters, point, target):
                continue
            delta = leaving + enter_delta(points, clusters, point, target)
            if _counted(clusters, target, size + 1, m, adding):
                delta -= price
            if delta < least and slot_of_colour(clusters, target, points.colours[point]) < 0:
                best, least = target, delta
        if best >= 0:
            relocate(points, clusters, point, best)
            moved += 1
    return moved


@lean_kernel
def _counted(clusters: Clusters, cluster: int, size: int, m: int, adding: bool) -> bool:
    """Whether the last of so many points of a cluster stands where a counterfeit would otherwise."""
    return bool(clusters.signature[cluster] != FREE or (adding and size <= m))


def counterfeits(labels: IntArray, requirements: Requirements, m: int) -> int:
    """Return the number of counterfeits that a partition needs.

    Parameters
    ----------
    labels
        (n,) cluster of each point, all of `requirements.signature_of_cluster`.
    """
    kinds = requirements.signature_of_cluster
    sizes = np.bincount(labels, minlength=len(kinds))
    fixed = kinds != FREE
    wanted = np.full(len(kinds), m)
    wanted[fixed] = requirements.allowed.sum(axis=1)[kinds[fixed]]
    return int(np.maximum(wanted - sizes, 0).sum())
