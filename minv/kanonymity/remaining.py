"""Kernels on the records that have no class yet: who is farthest, who is nearest."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel


@kernel
def squared_distance(first: FloatArray, second: FloatArray) -> float:
    """Return the squared Euclidean distance of two points."""
    total = 0.0
    for axis in range(len(first)):
        difference = first[axis] - second[axis]
        total += difference * difference
    return total


@kernel
def farthest(points: FloatArray, remaining: IntArray, centre: FloatArray) -> int:
    """Return which of the points `remaining` is farthest from `centre`; the first of equals."""
    best, best_distance = -1, -1.0
    for point in remaining:
        distance = squared_distance(points[point], centre)
        if distance > best_distance:
            best, best_distance = point, distance
    return best


@kernel
def nearest(points: FloatArray, remaining: IntArray, centre: FloatArray, count: int) -> IntArray:
    """Return the `count` points of `remaining` nearest to `centre`, nearest first; the first of equals."""
    found = np.empty(count, np.int64)
    distances = np.full(count, np.inf)
    for point in remaining:
        distance = squared_distance(points[point], centre)
        if distance >= distances[count - 1]:
            continue
        place = count - 1
        while place > 0 and distances[place - 1] > distance:
            distances[place], found[place] = distances[place - 1], found[place - 1]
            place -= 1
        distances[place], found[place] = distance, point
    return found


@kernel
def without_labelled(remaining: IntArray, labels: IntArray) -> IntArray:
    """Return the points of `remaining` that have no label yet (below 0), in their order."""
    kept = np.empty(len(remaining), np.int64)
    count = 0
    for point in remaining:
        if labels[point] < 0:
            kept[count] = point
            count += 1
    return kept[:count]
