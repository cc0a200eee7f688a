"""V-MDAV: MDAV with classes of variable size (Solanas and Martinez-Balleste 2006)."""

import math

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.errors import UsageError
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance
from minv.kanonymity.remaining import farthest, nearest, squared_distance, without_labelled

SCATTERED, CLUSTERED = 0.2, 1.1  # gains that the authors suggest


def v_mdav(points: FloatArray, k: int, *, gain: float = SCATTERED) -> IntArray:
    """Partition `points` into classes of k to 2k-1 (more only where left-overs join a class).

    While at least k points remain: the point farthest from the mean of all points forms a class with its
    k-1 nearest; then the remaining point nearest to the class joins it, as long as its distance to the
    class is below `gain` times its distance to the nearest other remaining point. Left-over points join
    the class that is nearest to them. O(n^2 d).

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    k
        Least size of a class.
    gain
        The authors' gamma: about 0.2 for scattered and 1.1 for clustered data; 0 never extends a class.

    Returns
    -------
    (n,) class of each point, numbered by first appearance.

    Raises
    ------
    UsageError, InfeasibleError
        A negative gain; see `check_k`.
    """
    check_k(len(points), k)
    if not 0 <= gain < math.inf:
        raise UsageError(f"the gain must be a finite number, 0 or more, not {gain}")
    if not len(points):
        return np.zeros(0, np.int64)
    return by_first_appearance(_v_mdav(np.ascontiguousarray(points, dtype=np.float64), k, gain))


@kernel
def _v_mdav(points: FloatArray, k: int, gain: float) -> IntArray:
    labels = np.full(len(points), -1, np.int64)
    remaining = np.arange(len(points))
    centre = np.zeros(points.shape[1])
    for point in remaining:
        centre += points[point]
    centre /= len(points)
    label = 0
    members = np.empty(2 * k - 1, np.int64)
    while len(remaining) >= k:
        start = farthest(points, remaining, centre)
        members[:k] = nearest(points, remaining, points[start], k)
        labels[members[:k]] = label
        remaining = without_labelled(remaining, labels)
        size = k
        while size < 2 * k - 1 and len(remaining) > 0:
            candidate, distance = _nearest_to_class(points, remaining, members[:size])
            if not math.sqrt(distance) < gain * _distance_to_others(points, remaining, candidate):
                break
            members[size] = candidate
            size += 1
            labels[candidate] = label
            remaining = without_labelled(remaining, labels)
        label += 1
    for point in remaining:
        labels[point] = _nearest_class(points, labels, label, points[point])
    return labels


@kernel
def _nearest_to_class(points: FloatArray, remaining: IntArray, members: IntArray) -> tuple[int, float]:
    """Return the remaining point whose least squared distance to a member is least, and that distance."""
    best, best_distance = -1, np.inf
    for point in remaining:
        for member in members:
            distance = squared_distance(points[point], points[member])
            if distance < best_distance:
                best, best_distance = point, distance
    return best, best_distance


@kernel
def _distance_to_others(points: FloatArray, remaining: IntArray, candidate: int) -> float:
    best = np.inf
    for point in remaining:
        if point != candidate:
            best = min(best, squared_distance(points[point], points[candidate]))
    return math.sqrt(best)


@kernel
def _nearest_class(points: FloatArray, labels: IntArray, classes: int, centre: FloatArray) -> int:
    """Return the class whose centroid is nearest to `centre`."""
    sums = np.zeros((classes, points.shape[1]))
    sizes = np.zeros(classes)
    for point in range(len(points)):
        if labels[point] >= 0:
            sums[labels[point]] += points[point]
            sizes[labels[point]] += 1
    best, best_distance = -1, np.inf
    for label in range(classes):
        distance = squared_distance(sums[label] / sizes[label], centre)
        if distance < best_distance:
            best, best_distance = label, distance
    return best
