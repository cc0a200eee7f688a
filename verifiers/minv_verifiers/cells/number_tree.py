"""Declared intervals of numbers: what their labels mean, and which of them is the smallest around some numbers."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from minv_verifiers.arrays import BoolArray, FloatArray
from minv_verifiers.cells.cell import Anything, Cell, Interval, Masked, ValueSet
from minv_verifiers.cells.dialects import parse_any


class NumberTree:
    """The intervals to which the numbers of a column may be generalised, beside the numbers themselves.

    Parameters
    ----------
    intervals
        By label, where a label is no interval in itself; in any order, the domain among them.
    unlabelled
        Those whose label is the interval, as in ``[20, 25)``.
    """

    def __init__(self, intervals: Mapping[str, Interval], unlabelled: frozenset[Interval]) -> None:
        self._labelled = intervals
        every = sorted({*intervals.values(), *unlabelled}, key=lambda interval: interval.high - interval.low)
        self.domain = every[-1]
        self._declared = frozenset(every)
        self._low: FloatArray = np.array([interval.low for interval in every])
        self._high: FloatArray = np.array([interval.high for interval in every])
        self._closed: BoolArray = np.array([interval.high_closed for interval in every])

    @cached_property
    def _widths(self) -> FloatArray:
        widths: FloatArray = self._high - self._low
        return widths

    def parse(self, text: str) -> Cell:
        """Read a cell: the interval of that label; any other text as without a declaration."""
        return self._labelled.get(text) or parse_any(text)

    def declares(self, cell: Cell) -> bool:
        """Whether the cell is one of the intervals, or a single number."""
        return cell in self._declared or is_one_number(cell)

    def share(self, cell: Cell) -> float:
        """Return the width of a cell / that of the domain, and 0 for a single number (COAA paper, eq. 2)."""
        if isinstance(cell, Interval):
            low, high = max(cell.low, self.domain.low), min(cell.high, self.domain.high)
        elif isinstance(cell, ValueSet):
            numbers = [number.value for number in cell.numbers] or [0.0]
            low, high = min(numbers), max(numbers)
        else:
            assert isinstance(cell, Anything | Masked)
            return 1.0
        extent = self.domain.high - self.domain.low
        return max(0.0, high - low) / extent if extent > 0 else 0.0

    def has_smaller(self, cell: Interval, low: float, high: float) -> bool:
        """Whether a narrower interval than the cell contains all numbers from `low` to `high`, or they are one."""
        if low == high:
            return not is_one_number(cell)
        narrower = int(np.searchsorted(self._widths, cell.high - cell.low))
        ends = self._high[:narrower]
        fits = (self._low[:narrower] <= low) & ((high < ends) | ((high == ends) & self._closed[:narrower]))
        return bool(fits.any())


def is_one_number(cell: Cell) -> bool:
    """Whether the cell says a single number."""
    if isinstance(cell, Interval):
        return cell.low == cell.high and not cell.missing and not cell.beyond_float
    return isinstance(cell, ValueSet) and len(cell.numbers) == 1 and None not in cell.values
