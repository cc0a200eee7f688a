"""Kernels on the spans that generalise records of mixed quasi-identifiers (see `minv.loss.records`)."""

from minv.compiled import FloatArray, IntArray, kernel
from minv.loss.records import span_penalty, span_union

TIE = 1e-12  # penalties that differ by less are equal: rounding must not decide


@kernel
def pair_penalty(first: FloatArray, second: FloatArray, layout: IntArray, penalties: FloatArray) -> float:
    """Return the penalty of a record when these two are generalised to one: d times COAA's `dis`."""
    total = 0.0
    for attribute in range(len(first)):
        one, other = first[attribute], second[attribute]
        low, high = span_union(one, one, other, other, layout[attribute, 0])
        total += span_penalty(low, high, attribute, layout, penalties)
    return total


@kernel
def spans_penalty(low: FloatArray, high: FloatArray, layout: IntArray, penalties: FloatArray) -> float:
    """Return the penalty of one record of a class with these spans, over all attributes."""
    total = 0.0
    for attribute in range(len(low)):
        total += span_penalty(low[attribute], high[attribute], attribute, layout, penalties)
    return total


@kernel
def extended_penalty(
    low: FloatArray, high: FloatArray, record: FloatArray, layout: IntArray, penalties: FloatArray
) -> float:
    """Return what `spans_penalty` becomes when `record` joins the class."""
    total = 0.0
    for attribute in range(len(low)):
        value = record[attribute]
        first, last = span_union(low[attribute], high[attribute], value, value, layout[attribute, 0])
        total += span_penalty(first, last, attribute, layout, penalties)
    return total


@kernel
def extend(
    low: FloatArray, high: FloatArray, other_low: FloatArray, other_high: FloatArray, layout: IntArray
) -> None:
    """Widen the spans low..high, in place, until they contain others; a record is spans at both ends."""
    for attribute in range(len(low)):
        low[attribute], high[attribute] = span_union(
            low[attribute],
            high[attribute],
            other_low[attribute],
            other_high[attribute],
            layout[attribute, 0],
        )


@kernel
def class_penalty(values: FloatArray, members: IntArray, layout: IntArray, penalties: FloatArray) -> float:
    """Return the penalty of a class: the number of its members times that of each."""
    low = values[members[0]].copy()
    high = low.copy()
    for member in members[1:]:
        extend(low, high, values[member], values[member], layout)
    return len(members) * spans_penalty(low, high, layout, penalties)
