"""Kernels on the spans that generalise records of mixed quasi-identifiers (see `minv.loss.records`).

Comparisons are written out: the built-in `min` and `max` also look for NaN, which takes most of the time.
"""

from minv.compiled import FloatArray, IntArray, kernel
from minv.loss.records import span_penalty

TIE = 1e-12  # penalties that differ by less are equal: rounding must not decide


@kernel
def pair_penalty(first: FloatArray, second: FloatArray, layout: IntArray, penalties: FloatArray) -> float:
    """Return the penalty of a record when these two are generalised to one: d times COAA's `dis`."""
    total = 0.0
    for attribute in range(len(first)):
        low, high = first[attribute], second[attribute]
        if low > high:
            low, high = high, low
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
        first = low[attribute] if low[attribute] < value else value
        last = high[attribute] if high[attribute] > value else value
        total += span_penalty(first, last, attribute, layout, penalties)
    return total


@kernel
def extend(low: FloatArray, high: FloatArray, record: FloatArray) -> None:
    """Widen the spans low..high, in place, until they contain `record`."""
    for attribute in range(len(low)):
        if record[attribute] < low[attribute]:
            low[attribute] = record[attribute]
        if record[attribute] > high[attribute]:
            high[attribute] = record[attribute]


@kernel
def class_penalty(values: FloatArray, members: IntArray, layout: IntArray, penalties: FloatArray) -> float:
    """Return the penalty of a class: the number of its members times that of each."""
    low = values[members[0]].copy()
    high = low.copy()
    for member in members[1:]:
        extend(low, high, values[member])
    return len(members) * spans_penalty(low, high, layout, penalties)
