"""The two objectives of the search, SSE and NCP, as kernels with one signature each.

A class is described by a summary, one row of numbers: its centroid and its SSE; or the lower ends of its
spans (see `minv.loss.records`), then the upper ends. `layout` and `penalties` are those of `SpanPenalties`
for NCP; for SSE, `layout` is None, and the compiler drops the branch that does not apply. Both objectives add
up over classes, and neither falls when a record joins a class.
"""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.spans import extend, extended_penalty, spans_penalty
from minv.loss import MixedRecords
from minv.loss.records import SET, span_penalty, span_union

Layout = IntArray | None
Penalties = FloatArray


class Objective(NamedTuple):
    """What is partitioned, and what a class costs."""

    values: FloatArray  # (n, d) points or records
    layout: Layout
    penalties: Penalties


def squared_errors(points: FloatArray) -> Objective:
    """Return the SSE of (n, d) points."""
    return Objective(np.ascontiguousarray(points, dtype=np.float64), None, np.zeros(0))


def certainty_penalty(records: MixedRecords) -> Objective:
    """Return the NCP of records."""
    return Objective(records.values, *records.spans)


@kernel
def difference(first: float, second: float, axis: int, layout: Layout, penalties: Penalties) -> float:
    """Return how far two values of one attribute are apart; for records, differences add up over attributes."""
    if layout is None:
        return (first - second) * (first - second)
    low, high = span_union(first, first, second, second, layout[axis, 0])
    return span_penalty(low, high, axis, layout, penalties)


@kernel
def summary_width(dimension: int, layout: Layout) -> int:
    """Return the length of a summary."""
    return dimension + 1 if layout is None else 2 * dimension


@kernel
def summarise(
    values: FloatArray, members: IntArray, summary: FloatArray, layout: Layout, penalties: Penalties
) -> float:
    """Write the summary of the class of `members` (not empty) and return its cost."""
    dimension = values.shape[1]
    size = len(members)
    if layout is None:
        sse = 0.0
        for axis in range(dimension):
            total = 0.0
            for member in members:
                total += values[member, axis]
            mean = total / size
            for member in members:
                difference = values[member, axis] - mean
                sse += difference * difference
            summary[axis] = mean
        summary[dimension] = sse
        return sse
    for axis in range(dimension):
        low = high = values[members[0], axis]
        for member in members[1:]:
            value = values[member, axis]
            low, high = span_union(low, high, value, value, layout[axis, 0])
        summary[axis], summary[dimension + axis] = low, high
    return size * spans_penalty(summary[:dimension], summary[dimension:], layout, penalties)


@kernel
def summarise_one(record: FloatArray, summary: FloatArray, layout: Layout) -> None:
    """Write the summary of a class of one record, which costs nothing."""
    dimension = len(record)
    for axis in range(dimension):
        summary[axis] = record[axis]
        if layout is not None:
            summary[dimension + axis] = record[axis]
    if layout is None:
        summary[dimension] = 0.0


@kernel
def joined_cost(
    summary: FloatArray, size: int, record: FloatArray, layout: Layout, penalties: Penalties
) -> float:
    """Return the cost of a class of `size` members after `record` has joined it."""
    dimension = len(record)
    if layout is None:
        distance = 0.0
        for axis in range(dimension):
            difference = record[axis] - summary[axis]
            distance += difference * difference
        return float(summary[dimension] + size / (size + 1.0) * distance)
    return (size + 1) * extended_penalty(summary[:dimension], summary[dimension:], record, layout, penalties)


@kernel
def merged_cost(
    first: FloatArray,
    first_size: int,
    second: FloatArray,
    second_size: int,
    layout: Layout,
    penalties: Penalties,
) -> float:
    """Return the cost of the union of two classes."""
    if layout is None:
        dimension = len(first) - 1
        distance = 0.0
        for axis in range(dimension):
            difference = first[axis] - second[axis]
            distance += difference * difference
        weight = first_size * second_size / (first_size + second_size)
        return float(first[dimension] + second[dimension] + weight * distance)
    dimension = len(first) // 2
    total = 0.0
    for axis in range(dimension):
        low, high = span_union(
            first[axis], first[dimension + axis], second[axis], second[dimension + axis], layout[axis, 0]
        )
        total += span_penalty(low, high, axis, layout, penalties)
    return (first_size + second_size) * total


@kernel
def join(summary: FloatArray, size: int, record: FloatArray, layout: Layout) -> None:
    """Update the summary of a class of `size` members, in place, for `record` that joins it."""
    dimension = len(record)
    if layout is None:
        weight = size / (size + 1.0)
        for axis in range(dimension):
            difference = record[axis] - summary[axis]
            summary[dimension] += weight * difference * difference
            summary[axis] += difference / (size + 1.0)
    else:
        extend(summary[:dimension], summary[dimension:], record, record, layout)


@kernel
def summarise_rests(
    values: FloatArray,
    members: IntArray,
    summary: FloatArray,
    rests: FloatArray,
    rest_costs: FloatArray,
    layout: Layout,
    penalties: Penalties,
) -> None:
    """Write, for every member of a class of two or more, the summary and the cost of the class without it.

    Parameters
    ----------
    summary
        Of the class.
    rests, rest_costs
        (n, width) and (n,): the rows of the members are written. O(size d) for them all.
    """
    dimension = values.shape[1]
    size = len(members)
    if layout is None:
        for member in members:
            distance = 0.0
            for axis in range(dimension):
                difference = values[member, axis] - summary[axis]
                distance += difference * difference
                rests[member, axis] = summary[axis] - difference / (size - 1.0)
            rest = summary[dimension] - size / (size - 1.0) * distance
            rests[member, dimension] = rest if rest > 0.0 else 0.0
            rest_costs[member] = rests[member, dimension]
        return
    for member in members:
        rest_costs[member] = 0.0
    for axis in range(dimension):
        _summarise_rest_spans(values, members, axis, rests, rest_costs, layout, penalties)


@kernel
def _summarise_rest_spans(
    values: FloatArray,
    members: IntArray,
    axis: int,
    rests: FloatArray,
    rest_costs: FloatArray,
    layout: IntArray,
    penalties: FloatArray,
) -> None:
    if layout[axis, 0] == SET:
        _write_rest_sets(values, members, axis, rests)
    else:
        _write_rest_ranges(values, members, axis, rests)
    dimension = values.shape[1]
    for member in members:
        penalty = span_penalty(rests[member, axis], rests[member, dimension + axis], axis, layout, penalties)
        rest_costs[member] += (len(members) - 1) * penalty


@kernel
def _write_rest_ranges(values: FloatArray, members: IntArray, axis: int, rests: FloatArray) -> None:
    low = next_low = np.inf
    high = next_high = -np.inf
    for member in members:
        value = values[member, axis]
        if value < low:
            low, next_low = value, low
        elif value < next_low:
            next_low = value
        if value > high:
            high, next_high = value, high
        elif value > next_high:
            next_high = value
    for member in members:
        value = values[member, axis]
        rests[member, axis] = next_low if value == low else low
        rests[member, values.shape[1] + axis] = next_high if value == high else high


@kernel
def _write_rest_sets(values: FloatArray, members: IntArray, axis: int, rests: FloatArray) -> None:
    once, twice = 0, 0
    for member in members:
        value = int(values[member, axis])
        twice |= once & value
        once |= value
    for member in members:
        value = int(values[member, axis])
        rest = float((once & ~value) | (twice & value))
        rests[member, axis] = rests[member, values.shape[1] + axis] = rest
