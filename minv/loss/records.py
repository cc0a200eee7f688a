"""Records on mixed quasi-identifiers, in the form that kernels use.

Every value is a number: of a numeric attribute the value itself, scaled by the width of its domain; of an
attribute with a hierarchy the code of its leaf. Leaves are numbered so that every node covers a run of
codes. Hence a class is generalised to its span, from its least to its greatest value, in both cases, and
only the penalty of a span differs. A category without a hierarchy is a power of two; the span of a class is
then the set of its values, as the sum of their powers, at both ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.errors import DataError
from minv.hierarchy import Hierarchy
from minv.wording import counted, form

NUMERIC, TABLE, MAXIMA, SET = 0, 1, 2, 3  # how the penalty of a span is found
LARGEST_TABLE = 512  # leaves up to which an attribute has the penalties of all its spans in a table
MOST_CATEGORIES = 52  # so that every set is a whole number that a 64-bit float holds


class SpanPenalties(NamedTuple):
    """Penalties of the spans of all attributes, as two arrays for kernels.

    Attributes
    ----------
    layout
        (d, 3) kind of each attribute, where its penalties begin, and the length of their rows (of a SET, the
        number of its categories).
    penalties
        Per attribute with a hierarchy, for TABLE: entry (low, high) of an (L, L) table. For MAXIMA, row p,
        entry i: the greatest penalty among the nodes that join the neighbours i..i + 2**p - 1. The penalty
        of a span is that of the largest such node within it: the greater of two overlapping runs.
    """

    layout: IntArray
    penalties: FloatArray


@dataclass(frozen=True, eq=False)
class Numbers:
    """A numeric attribute.

    Parameters
    ----------
    values
        (n,) finite numbers.
    low, high
        Ends of its domain |A|; by default the least and the greatest value.
    """

    values: FloatArray
    low: float | None = None
    high: float | None = None

    def numbers(self) -> FloatArray:
        """Return the values as shares of the domain, the least value at 0; all 0 if the domain is one point.

        Raises
        ------
        DataError
            Values that are not finite, or outside the domain.
        """
        values = np.asarray(self.values, dtype=np.float64)
        if not np.isfinite(values).all():
            raise DataError(f"{np.count_nonzero(~np.isfinite(values))} numbers are missing or not finite")
        if not len(values):
            return values
        low = values.min() if self.low is None else self.low
        high = values.max() if self.high is None else self.high
        outside = int(np.count_nonzero((values < low) | (values > high)))
        if outside:
            raise DataError(
                f"{outside} of {counted(len(values), 'number')} {form(outside, 'lies', 'lie')} outside "
                f"the domain {low:g} to {high:g}"
            )
        return (values - values.min()) / (high - low) if high > low else np.zeros(len(values))


@dataclass(frozen=True, eq=False)
class Leaves:
    """An attribute whose values are the leaves of a hierarchy.

    Parameters
    ----------
    codes
        (n,) leaf codes.
    hierarchy
        The tree.
    """

    codes: IntArray
    hierarchy: Hierarchy

    def numbers(self) -> FloatArray:
        """Return the codes as numbers.

        Raises
        ------
        DataError
            Codes that are no leaves.
        """
        return _checked(self.codes, self.hierarchy.leaves).astype(np.float64)

    def joins(self) -> FloatArray:
        """(L-1,) penalty of the node that joins each two neighbouring leaves."""
        return self.hierarchy.penalties[self.hierarchy.neighbour_ancestors]


@dataclass(frozen=True, eq=False)
class Categories:
    """A nominal attribute without a hierarchy: a class is generalised to the set of its values.

    Parameters
    ----------
    codes
        (n,) whole numbers from 0.
    count
        Number of different values in its domain, at most MOST_CATEGORIES; for more, use `Leaves` of
        `flat_hierarchy`.
    """

    codes: IntArray
    count: int

    def numbers(self) -> FloatArray:
        """Return the sets that hold one value each.

        Raises
        ------
        DataError
            Codes that are no values of the domain, or a domain that is too large.
        """
        if self.count > MOST_CATEGORIES:
            raise DataError(f"{self.count} categories are too many for sets; give them a hierarchy")
        return np.exp2(_checked(self.codes, self.count))


def _checked(codes: IntArray, count: int) -> IntArray:
    codes = np.asarray(codes, dtype=np.int64)
    if len(codes) and not (codes.min() >= 0 and codes.max() < count):
        raise DataError("some codes are no values of their attribute")
    return codes


QuasiIdentifier = Numbers | Leaves | Categories


class MixedRecords:
    """A table of mixed quasi-identifiers with the penalties of their generalisation.

    Parameters
    ----------
    attributes
        At least one; all of the same length.

    Attributes
    ----------
    values
        (n, d) numbers as described at the top of this module.
    spans
        Penalties for NCP: (generalised range) / (domain range), leaves(node) / leaves(root), and
        (values of the set) / (values of the domain).

    Raises
    ------
    DataError
        No attribute, unequal lengths, numbers or codes outside their domain.
    """

    def __init__(self, attributes: Sequence[QuasiIdentifier]) -> None:
        if not attributes:
            raise DataError("at least one quasi-identifier is needed")
        columns = [attribute.numbers() for attribute in attributes]
        if len({len(column) for column in columns}) > 1:
            raise DataError("the quasi-identifiers differ in length")
        self.values: FloatArray = np.ascontiguousarray(np.column_stack(columns))
        self.spans = span_penalties([_rule(attribute) for attribute in attributes])

    def __len__(self) -> int:
        return len(self.values)


def _rule(attribute: QuasiIdentifier) -> FloatArray | int | None:
    if isinstance(attribute, Leaves):
        return attribute.joins()
    return attribute.count if isinstance(attribute, Categories) else None


def span_penalties(
    rules: Sequence[FloatArray | int | None], largest_table: int = LARGEST_TABLE
) -> SpanPenalties:
    """Lay out the penalties of all attributes.

    Parameters
    ----------
    rules
        Per attribute with a hierarchy, (L-1,) penalty of the node that joins each two neighbouring leaves, which
        must not exceed that of the node above; per attribute of categories, their number; None if numeric.
    largest_table
        Leaves up to which an attribute gets a table of all its spans; larger ones take O(L log L) memory.
    """
    layout = np.zeros((len(rules), 3), np.int64)
    parts, used = [np.zeros(0)], 0
    for attribute, joining in enumerate(rules):
        if joining is None:
            continue
        if isinstance(joining, int):
            layout[attribute] = SET, 0, joining
            continue
        leaves = len(joining) + 1
        if leaves <= largest_table:
            layout[attribute] = TABLE, used, leaves
            part = _all_spans(joining)
        else:
            layout[attribute] = MAXIMA, used, leaves - 1
            part = _range_maxima(joining)
        parts.append(part)
        used += len(part)
    return SpanPenalties(layout, np.concatenate(parts))


def _all_spans(joining: FloatArray) -> FloatArray:
    leaves = len(joining) + 1
    table = np.zeros((leaves, leaves))
    for low in range(leaves - 1):
        table[low, low + 1 :] = np.maximum.accumulate(joining[low:])
    return table.reshape(-1)


def _range_maxima(joining: FloatArray) -> FloatArray:
    rows = [joining]
    width = 1
    while 2 * width <= len(joining):
        longer = rows[-1].copy()
        longer[:-width] = np.maximum(rows[-1][:-width], rows[-1][width:])
        rows.append(longer)
        width *= 2
    return np.concatenate(rows)


@kernel
def set_size(values: float) -> int:
    """Return the number of values of a set of categories."""
    left = int(values)
    size = 0
    while left != 0:
        left &= left - 1
        size += 1
    return size


@kernel
def span_union(
    low: float, high: float, other_low: float, other_high: float, kind: int
) -> tuple[float, float]:
    """Return the least span of an attribute of that kind that contains two spans (a value is a span)."""
    if kind == SET:
        union = float(int(low) | int(other_low))
        return union, union
    # written out, since the built-in `min` and `max` also look for NaN, which takes most of the time
    return low if low < other_low else other_low, high if high > other_high else other_high


@kernel
def span_penalty(low: float, high: float, attribute: int, layout: IntArray, penalties: FloatArray) -> float:
    """Return the penalty of generalising one attribute to the span low..high. O(1) but for huge domains."""
    kind = layout[attribute, 0]
    if kind == NUMERIC:
        return high - low
    start, row = layout[attribute, 1], layout[attribute, 2]
    if kind == TABLE:
        return float(penalties[start + int(low) * row + int(high)])
    if kind == SET:
        values = set_size(high)
        return values / row if values > 1 else 0.0
    first = int(low)
    length = int(high) - first
    if length == 0:
        return 0.0
    power = 0
    while 2 << power <= length:
        power += 1
    run = start + power * row + first
    return float(max(penalties[run], penalties[run + length - (1 << power)]))
