"""Compiled parts of the bounds of the implicit enumeration."""

import math

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, kernel

_ROUNDING = 1e-12  # relative


@kernel
def insert(values: FloatArray, colours: IntArray, count: int, most: int, value: float, colour: int) -> int:
    """Keep the `most` least values of distinct colours, ascending; return how many there are."""
    if count == most and (most == 0 or value >= values[count - 1]):
        return count
    at = count
    for k in range(count):
        if colours[k] == colour:
            if value >= values[k]:
                return count
            at = k
            break
    if at == count:
        if count < most:
            count += 1
        else:
            at = count - 1
    while at > 0 and values[at - 1] > value:
        values[at] = values[at - 1]
        colours[at] = colours[at - 1]
        at -= 1
    values[at] = value
    colours[at] = colour
    return count


@kernel
def sum_of_others(values: FloatArray, colours: IntArray, count: int, number: int, colour: int) -> float:
    """Sum of the `number` least values of colours other than `colour`; infinite if there are fewer."""
    total = 0.0
    for k in range(count):
        if number == 0:
            break
        if colours[k] != colour:
            total += values[k]
            number -= 1
    return total if number == 0 else np.inf


@kernel
def half_sums_of_nearest(distances: FloatArray, colours: IntArray, largest: int) -> FloatArray:
    """Return `Problem.near`."""
    rows = len(distances)
    near = np.zeros((rows, largest))
    least = np.empty(largest)
    least_colours = np.empty(largest, np.int64)
    for i in range(rows):
        least[:] = np.inf
        count = 0
        for j in range(rows):
            if colours[j] != colours[i]:
                count = insert(least, least_colours, count, largest - 1, distances[i, j], colours[j])
        for t in range(1, largest):
            near[i, t] = near[i, t - 1] + 0.5 * least[t - 1]
    return near


@kernel
def may_both_gain(distance: float, dual: float, other: float, largest: int) -> bool:
    """Whether two rows may lie in one cluster of up to `largest` rows to which both gain by belonging."""
    if dual <= 0.0 or other <= 0.0:
        return False
    reach = math.sqrt(dual) + math.sqrt(other)
    return distance <= (largest - 1) / largest * reach * reach * (1.0 + _ROUNDING)


@kernel
def sort_candidates(
    rows: IntArray,
    sums: FloatArray,
    gainings: BoolArray,
    values: FloatArray,
    keys: FloatArray,
    number: int,
    sizes: int,
) -> None:
    """Sort the first `number` candidates by ascending key, in place (Shell's method)."""
    gap = number // 2
    while gap > 0:
        for start in range(gap, number):
            at = start
            while at >= gap and keys[at] < keys[at - gap]:
                other = at - gap
                keys[at], keys[other] = keys[other], keys[at]
                rows[at], rows[other] = rows[other], rows[at]
                sums[at], sums[other] = sums[other], sums[at]
                gainings[at], gainings[other] = gainings[other], gainings[at]
                for j in range(sizes):
                    values[j, at], values[j, other] = values[j, other], values[j, at]
                at = other
        gap //= 2
