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

NUMERIC, TABLE, MAXIMA = 0, 1, 2  # how the penalty of a span is found
LARGEST_TABLE = 512  # leaves up to which an attribute has the penalties of all its spans in a table


class SpanPenalties(NamedTuple):
    """Penalties of the spans of all attributes, as two arrays for kernels.

    Attributes
    ----------
    layout
        (d, 3) kind of each attribute, where its penalties begin, and the length of their rows.
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
    spans
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
        self.spans = span_penalties(
            [None if tree is None else tree.penalties[tree.neighbour_ancestors] for tree in self.hierarchies]
        )

    def __len__(self) -> int:
        return len(self.values)


def _checked_codes(attribute: Leaves) -> FloatArray:
    codes = np.asarray(attribute.codes)
    if len(codes) and not (codes.min() >= 0 and codes.max() < attribute.hierarchy.leaves):
        raise DataError("some codes are no leaves of the hierarchy")
    return codes.astype(np.float64)


def span_penalties(
    neighbour_penalties: Sequence[FloatArray | None], largest_table: int = LARGEST_TABLE
) -> SpanPenalties:
    """Lay out the penalties of all attributes.

    Parameters
    ----------
    neighbour_penalties
        Per attribute, (L-1,) penalty of the node that joins each two neighbouring leaves; None if numeric.
        The penalty of a node must not exceed that of its parent.
    largest_table
        Leaves up to which an attribute gets a table of all its spans; larger ones take O(L log L) memory.
    """
    layout = np.zeros((len(neighbour_penalties), 3), np.int64)
    parts, used = [np.zeros(0)], 0
    for attribute, joining in enumerate(neighbour_penalties):
        if joining is None:
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
def span_penalty(low: float, high: float, attribute: int, layout: IntArray, penalties: FloatArray) -> float:
    """Return the penalty of generalising one attribute to the span low..high. O(1) but for huge domains."""
    kind = layout[attribute, 0]
    if kind == NUMERIC:
        return high - low
    start, row = layout[attribute, 1], layout[attribute, 2]
    if kind == TABLE:
        return float(penalties[start + int(low) * row + int(high)])
    first = int(low)
    length = int(high) - first
    if length == 0:
        return 0.0
    power = 0
    while 2 << power <= length:
        power += 1
    run = start + power * row + first
    return float(max(penalties[run], penalties[run + length - (1 << power)]))
