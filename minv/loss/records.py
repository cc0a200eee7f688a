"""Records on mixed quasi-identifiers, in the form that kernels use.

Every value is a number: of a numeric attribute the value itself, scaled by the width of its domain; of an
attribute with a hierarchy the code of its leaf. Leaves are numbered so that every node covers a run of
codes. Hence a set of values is generalised to its span, from the least to the greatest, in both cases,
and only the penalty of a span differs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.errors import DataError
from minv.hierarchy import Hierarchy

NUMERIC = -1  # offset of an attribute without a table


class SpanTables(NamedTuple):
    """Penalties of the spans of all attributes, for kernels.

    The penalty of a span of leaves is the greatest among the nodes that join two neighbours within it: a
    range maximum, answered from two overlapping runs whose length is a power of two.
    """

    offsets: IntArray  # (d,) where the table of the attribute begins, NUMERIC without one
    rows: IntArray  # (d,) length of one row of that table: leaves - 1
    maxima: FloatArray  # row p of a table, entry i: the maximum over the neighbours i..i + 2**p - 1
    logarithms: IntArray  # floor(log2(length)) of a run of neighbours


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

    def scaled(self) -> FloatArray:
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
            raise DataError(f"{outside} of {len(values)} numbers lie outside the domain {low:g} to {high:g}")
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
    tables
        Penalties for NCP: (generalised range) / (domain range), leaves(node) / leaves(root).

    Raises
    ------
    DataError
        No attribute, unequal lengths, numbers or codes outside their domain.
    """

    def __init__(self, attributes: Sequence[Numbers | Leaves]) -> None:
        if not attributes:
            raise DataError("at least one quasi-identifier is needed")
        self.hierarchies = tuple(a.hierarchy if isinstance(a, Leaves) else None for a in attributes)
        columns = [a.scaled() if isinstance(a, Numbers) else _checked_codes(a) for a in attributes]
        if len({len(column) for column in columns}) > 1:
            raise DataError("the quasi-identifiers differ in length")
        self.values: FloatArray = np.ascontiguousarray(np.column_stack(columns), dtype=np.float64)
        self.tables = span_tables(
            [None if tree is None else tree.penalties[tree.neighbour_ancestors] for tree in self.hierarchies]
        )

    def __len__(self) -> int:
        return len(self.values)


def _checked_codes(attribute: Leaves) -> FloatArray:
    codes = np.asarray(attribute.codes)
    if len(codes) and not (codes.min() >= 0 and codes.max() < attribute.hierarchy.leaves):
        raise DataError("some codes are no leaves of the hierarchy")
    return codes.astype(np.float64)


def span_tables(neighbour_penalties: Sequence[FloatArray | None]) -> SpanTables:
    """Lay out the range-maximum tables of all attributes.

    Parameters
    ----------
    neighbour_penalties
        Per attribute, (L-1,) penalty of the node that joins each two neighbouring leaves; None if numeric.
        The penalty of a node must not exceed that of its parent.
    """
    offsets, rows, parts, used = [], [], [], 0
    for penalties in neighbour_penalties:
        if penalties is None:
            offsets.append(NUMERIC)
            rows.append(0)
            continue
        table = _range_maxima(penalties)
        offsets.append(used)
        rows.append(len(penalties))
        parts.append(table)
        used += len(table)
    longest = max(rows, default=0)
    lengths = np.arange(longest + 1)
    logarithms = np.floor(np.log2(np.maximum(lengths, 1))).astype(np.int64)
    maxima = np.concatenate(parts) if parts else np.zeros(0)
    return SpanTables(np.array(offsets), np.array(rows), maxima, logarithms)


def _range_maxima(penalties: FloatArray) -> FloatArray:
    rows = [penalties]
    width = 1
    while 2 * width <= len(penalties):
        shifted = rows[-1].copy()
        shifted[:-width] = np.maximum(rows[-1][:-width], rows[-1][width:])
        rows.append(shifted)
        width *= 2
    return np.concatenate(rows)


@kernel
def span_penalty(low: float, high: float, attribute: int, tables: SpanTables) -> float:
    """Return the penalty of generalising one attribute to the span low..high. O(1)."""
    if low >= high:
        return 0.0
    offset = tables.offsets[attribute]
    if offset < 0:
        return high - low
    first = int(low)
    length = int(high) - first
    power = tables.logarithms[length]
    row = offset + power * tables.rows[attribute]
    return max(tables.maxima[row + first], tables.maxima[row + first + length - (1 << power)])
