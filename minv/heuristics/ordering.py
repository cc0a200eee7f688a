"""Sorting parts of a bucket's table by one attribute: what all cutting strategies share."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.heuristics.buckets import COUNTERFEIT


def unit_domain(points: FloatArray) -> FloatArray:
    """Scale every attribute to the domain [0, 1] (a constant one to 0), as the published rules measure.

    Parameters
    ----------
    points
        (n, d) coordinates.
    """
    if points.size == 0:
        return np.zeros((len(points), 1))
    low = points.min(axis=0)
    extent = points.max(axis=0) - low
    scaled: FloatArray = (points - low) / np.where(extent > 0, extent, 1.0)
    return scaled


@kernel
def sort_slots(points: FloatArray, slots: IntArray, attribute: int) -> IntArray:
    """Return the slots with each row sorted by an attribute: counterfeits last, ties in their old order."""
    ordered = np.empty_like(slots)
    keys = np.empty(slots.shape[1])
    for row in range(slots.shape[0]):
        for column in range(slots.shape[1]):
            point = slots[row, column]
            keys[column] = points[point, attribute] if point != COUNTERFEIT else np.inf
        ordered[row] = slots[row][np.argsort(keys, kind="mergesort")]
    return ordered
