"""Halving on the widest attribute: the partitioning that matches the published "Tau" figures."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.heuristics.buckets import COUNTERFEIT
from minv.heuristics.ordering import sort_slots, unit_domain


def split_by_halving(points: FloatArray, table: IntArray, rng: np.random.Generator) -> IntArray:
    """Cut a bucket in the middle of the attribute with the widest normalised range, recursively.

    Parameters
    ----------
    points
        (n, d) coordinates of all points, which define the domain.
    table
        (s, x) slots of a balanced bucket.
    rng
        Not used: the split is deterministic.

    Returns
    -------
    IntArray
        (s, x) the same slots, each column a class.
    """
    arranged = table.copy()
    _halve(unit_domain(points), arranged)
    return arranged


@kernel
def _halve(points: FloatArray, table: IntArray) -> None:
    pending = [(0, table.shape[1])]
    while len(pending) > 0:
        first, last = pending.pop()
        if last - first < 2:
            continue
        slots = table[:, first:last]
        table[:, first:last] = sort_slots(points, slots, _widest_attribute(points, slots))
        middle = (first + last) // 2
        pending.append((first, middle))
        pending.append((middle, last))


@kernel
def _widest_attribute(points: FloatArray, slots: IntArray) -> int:
    widest, extent = 0, -np.inf
    for attribute in range(points.shape[1]):
        low, high = np.inf, -np.inf
        for row in range(slots.shape[0]):
            for column in range(slots.shape[1]):
                point = slots[row, column]
                if point != COUNTERFEIT:
                    low = min(low, points[point, attribute])
                    high = max(high, points[point, attribute])
        if high - low > extent:
            widest, extent = attribute, high - low
    return widest
