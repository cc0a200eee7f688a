"""The state of a local search as bundles of plain arrays, for kernels to read and edit."""

from typing import NamedTuple

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, lean_kernel
from minv.errors import UsageError
from minv.instance import Instance
from minv.localsearch.limits import SizeLimits, check_start
from minv.localsearch.requirements import Requirements, no_requirements
from minv.loss import sum_of_squared_errors

IMPROVEMENT = 1e-11
"""Least gain that counts, in units of the mean squared distance to the mean: below it is rounding."""


class Points(NamedTuple):
    """What never changes. Coordinates have mean 0 and mean squared length 1."""

    coordinates: FloatArray  # (n, d)
    colours: IntArray  # (n,)
    required: IntArray  # (n,) signature or FREE
    allowed: BoolArray  # (T, L)


class Clusters(NamedTuple):
    """A partition that kernels edit in place.

    The first `sizes[k]` entries of row k of `members` and `held` are the points of cluster k and their colours.
    """

    labels: IntArray  # (n,)
    members: IntArray  # (K, widest)
    held: IntArray  # (K, widest)
    sizes: IntArray  # (K,)
    centroids: FloatArray  # (K, d)
    least: IntArray  # (K,) least size
    most: IntArray  # (K,) largest size
    signature: IntArray  # (K,) or FREE


class State(NamedTuple):
    """Points and their present clusters."""

    points: Points
    clusters: Clusters


def open_state(
    points: FloatArray,
    colours: IntArray,
    labels: IntArray,
    limits: SizeLimits,
    requirements: Requirements | None,
) -> State:
    """Check a start and make it ready for search; no argument is changed or shared.

    Parameters
    ----------
    points, colours, labels
        (n, d) coordinates, (n,) colours, (n,) clusters 0..K-1, none of them empty.
    limits
        Least and largest size of each cluster.
    requirements
        Required signatures, or None.

    Raises
    ------
    UsageError
        The arrays do not fit each other, or the start breaks a rule.
    """
    instance = Instance(points, colours, m=1)
    if labels.shape != (instance.size,):
        raise UsageError(f"{instance.size} points but {labels.size} labels")
    number = len(limits.least)
    wanted = requirements or no_requirements(instance.size, number)
    check_start(instance.colours, labels, limits, wanted)
    widest = int(limits.most.max(initial=0))
    state = State(
        Points(
            _normalised(instance.points),
            instance.colours,
            wanted.required.astype(np.int64),
            np.ascontiguousarray(wanted.allowed, dtype=np.bool_),
        ),
        Clusters(
            labels=labels.astype(np.int64),
            members=np.full((number, widest), -1, dtype=np.int64),
            held=np.full((number, widest), -1, dtype=np.int64),
            sizes=np.zeros(number, dtype=np.int64),
            centroids=np.zeros((number, instance.dimension)),
            least=limits.least.astype(np.int64),
            most=limits.most.astype(np.int64),
            signature=wanted.signature_of_cluster.astype(np.int64),
        ),
    )
    refill(*state)
    return state


def better_labels(points: FloatArray, start: IntArray, found: IntArray) -> IntArray:
    """Return the labels of the smaller SSE, recomputed from the points; the start if they tie."""
    better = sum_of_squared_errors(points, found) < sum_of_squared_errors(points, start)
    return found.copy() if better else start.astype(np.int64)


@lean_kernel
def refill(points: Points, clusters: Clusters) -> None:
    """Set members, sizes and centroids from the labels."""
    clusters.sizes[:] = 0
    clusters.centroids[:] = 0.0
    for point in range(len(clusters.labels)):
        cluster = clusters.labels[point]
        clusters.members[cluster, clusters.sizes[cluster]] = point
        clusters.held[cluster, clusters.sizes[cluster]] = points.colours[point]
        clusters.sizes[cluster] += 1
        for axis in range(points.coordinates.shape[1]):
            clusters.centroids[cluster, axis] += points.coordinates[point, axis]
    for cluster in range(len(clusters.sizes)):
        for axis in range(points.coordinates.shape[1]):
            clusters.centroids[cluster, axis] /= clusters.sizes[cluster]


def _normalised(points: FloatArray) -> FloatArray:
    """Return the points with mean 0 and mean squared length 1, whatever their magnitude."""
    if points.size == 0:
        return points
    largest = np.abs(points).max()
    scaled = points / largest if largest > 0 else points
    centred = scaled - scaled.mean(axis=0)
    length = np.sqrt(np.einsum("ij,ij->", centred, centred) / len(points))
    normalised: FloatArray = np.ascontiguousarray(centred / length if length > 0 else centred)
    return normalised
