"""MDAV: maximum distance to average vector (Domingo-Ferrer and Torra 2005)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance
from minv.kanonymity.remaining import farthest, nearest, without_labelled


def mdav(points: FloatArray, k: int) -> IntArray:
    """Partition `points` into classes of k, the last one of up to 2k-1.

    While at least 3k points remain: the point farthest from their mean forms a class with its k-1 nearest,
    then so does the point farthest from it. Of 2k to 3k-1 points, one class of k is formed in that way and
    the rest is the last class; fewer than 2k points are one class. O(n^2 d / k).

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    k
        Least size of a class.

    Returns
    -------
    (n,) class of each point, numbered by first appearance.

    Raises
    ------
    UsageError, InfeasibleError
        See `check_k`.
    """
    check_k(len(points), k)
    return by_first_appearance(_mdav(np.ascontiguousarray(points, dtype=np.float64), k))


@kernel
def _mdav(points: FloatArray, k: int) -> IntArray:
    labels = np.full(len(points), -1, np.int64)
    remaining = np.arange(len(points))
    label = 0
    while len(remaining) >= 2 * k:
        centre = _mean(points, remaining)
        first = farthest(points, remaining, centre)
        both = len(remaining) >= 3 * k
        labels[nearest(points, remaining, points[first], k)] = label
        remaining = without_labelled(remaining, labels)
        label += 1
        if both:
            # its class holds the nearest to `first` only, so the farthest is still here
            second = farthest(points, remaining, points[first])
            labels[nearest(points, remaining, points[second], k)] = label
            remaining = without_labelled(remaining, labels)
            label += 1
    labels[remaining] = label
    return labels


@kernel
def _mean(points: FloatArray, members: IntArray) -> FloatArray:
    total = np.zeros(points.shape[1])
    for member in members:
        total += points[member]
    return total / len(members)
