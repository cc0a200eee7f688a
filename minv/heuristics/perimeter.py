"""The split of Xiao and Tao 2007: the attribute and cut of the least total perimeter."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.heuristics.buckets import COUNTERFEIT
from minv.heuristics.ordering import sort_slots, unit_domain


def split_by_perimeter(points: FloatArray, table: IntArray, rng: np.random.Generator) -> IntArray:
    """Cut a bucket recursively until every class has one slot a colour.

    A part's perimeter is its number of tuples times the sum over the attributes of its extent as a
    share of the domain. All attributes and all cuts are tried. Of equal cuts the most even one is taken.
    Counterfeits have no extent.

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
    _split(unit_domain(points), arranged)
    return arranged


@kernel
def _split(points: FloatArray, table: IntArray) -> None:
    pending = [(0, table.shape[1])]
    while len(pending) > 0:
        first, last = pending.pop()
        if last - first < 2:
            continue
        # Every attribute sorts the parent's order, so that ties keep the neighbours of earlier cuts.
        slots = table[:, first:last].copy()
        cut, cost = 1, np.inf
        for attribute in range(points.shape[1]):
            ordered = sort_slots(points, slots, attribute)
            attribute_cut, attribute_cost = _best_cut(points, ordered)
            if attribute_cost < cost:
                cut, cost = attribute_cut, attribute_cost
                table[:, first:last] = ordered
        pending.append((first, first + cut))
        pending.append((first + cut, last))


@kernel
def _best_cut(points: FloatArray, slots: IntArray) -> tuple[int, float]:
    """Return the number of columns before the cut of least cost, as the slots are ordered, and its cost."""
    width = slots.shape[1]
    head = _extents(points, slots)
    tail = _extents(points, slots[:, ::-1])
    best, cost = 1, np.inf
    for cut in range(1, width):
        value = cut * head[cut] + (width - cut) * tail[width - cut]
        more_even = abs(2 * cut - width) < abs(2 * best - width)
        if value < cost or (value == cost and more_even):
            best, cost = cut, value
    return best, cost


@kernel
def _extents(points: FloatArray, slots: IntArray) -> FloatArray:
    """Return the sum over the attributes of the extent of the first 0, 1, 2, ... columns."""
    dimension = points.shape[1]
    low = np.full(dimension, np.inf)
    high = np.full(dimension, -np.inf)
    extents = np.zeros(slots.shape[1] + 1)
    for column in range(slots.shape[1]):
        for row in range(slots.shape[0]):
            point = slots[row, column]
            if point == COUNTERFEIT:
                continue
            for attribute in range(dimension):
                low[attribute] = min(low[attribute], points[point, attribute])
                high[attribute] = max(high[attribute], points[point, attribute])
        for attribute in range(dimension):
            if high[attribute] >= low[attribute]:
                extents[column + 1] += high[attribute] - low[attribute]
    return extents
