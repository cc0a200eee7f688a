"""A column of published cells against a column of true values."""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Literal

import numpy as np

from minv_verifiers.arrays import BoolArray, FloatArray, IntArray, pair_codes
from minv_verifiers.cells.cell import Cell, Interval, ValueSet
from minv_verifiers.cells.number import beyond_float
from minv_verifiers.vocabulary import Vocabulary

Kind = Literal["numeric", "ordinal", "nominal", "any"]
Parser = Callable[[str], Cell]
Scale = Callable[[str], float | None]


class Unreadable:
    """A cell that does not follow its format; it admits nothing.

    Parameters
    ----------
    text
        The cell.
    reason
        What is wrong with it, without the text.
    """

    def __init__(self, text: str, reason: str) -> None:
        self.text = text
        self.reason = reason

    def admits(self, text: str | None, number: float) -> bool:
        """No."""
        return False

    @property
    def normal(self) -> str:
        """The text itself."""
        return f"unreadable {self.text!r}"


class ValueColumn:
    """True values of one quasi-identifier.

    Parameters
    ----------
    codes
        (t,) code of each row.
    vocabulary
        Their texts.
    scale
        Turns a text into its number, or None where it has none.
    """

    def __init__(self, codes: IntArray, vocabulary: Vocabulary, scale: Scale) -> None:
        self.codes = codes
        self.vocabulary = vocabulary
        self._scale = scale

    @cached_property
    def texts(self) -> list[str | None]:
        """The text of each code; None is a missing value."""
        return self.vocabulary.all

    @cached_property
    def numbers(self) -> FloatArray:
        """The number of each code; NaN where it has none."""
        found = [None if text is None else self._scale(text) for text in self.texts]
        return np.array([np.nan if number is None else number for number in found], dtype=np.float64)

    @cached_property
    def beyond_float(self) -> BoolArray:
        """Whether the float of each code does not tell its number."""
        pairs = zip(self.texts, self.numbers.tolist(), strict=True)
        return np.array(
            [
                text is not None and not math.isnan(number) and beyond_float(text, number) is not None
                for text, number in pairs
            ],
            dtype=np.bool_,
        )

    def differs(self, rows: IntArray, other: "ValueColumn", other_rows: IntArray) -> BoolArray:
        """Whether the value of `rows[i]` is another than that of `other_rows[i]`, as text and as a number."""
        own, theirs = self.codes[rows], other.codes[other_rows]
        _, first, inverse = np.unique(pair_codes(own, theirs), return_index=True, return_inverse=True)
        settled = [
            self.texts[own[place]] != other.texts[theirs[place]]
            and self.numbers[own[place]] != other.numbers[theirs[place]]
            for place in first
        ]
        return np.array(settled, dtype=np.bool_)[inverse.reshape(-1)]


class CellColumn:
    """Published cells of one quasi-identifier.

    Parameters
    ----------
    codes
        (n,) code of each row.
    vocabulary
        The cells' texts.
    parser
        Reads one text; raises ValueError where it does not follow the format.
    """

    def __init__(self, codes: IntArray, vocabulary: Vocabulary, parser: Parser) -> None:
        self.codes = codes
        self.vocabulary = vocabulary
        self._parser = parser

    @cached_property
    def cells(self) -> list[Cell]:
        """The meaning of each code."""
        return [self._read(text) for text in self.vocabulary.all]

    def _read(self, text: str | None) -> Cell:
        if text is None:
            return ValueSet(frozenset([None]))
        try:
            return self._parser(text)
        except ValueError as error:
            return Unreadable(text, str(error))

    @cached_property
    def readable(self) -> BoolArray:
        """Whether each code's cell follows its format."""
        return np.array([not isinstance(cell, Unreadable) for cell in self.cells], dtype=np.bool_)

    @cached_property
    def meanings(self) -> IntArray:
        """For each code a number that is equal for all spellings of one meaning."""
        numbered: dict[str, int] = {}
        return np.array(
            [numbered.setdefault(cell.normal, len(numbered)) for cell in self.cells], dtype=np.int64
        )

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Low and high end of each code's interval; NaN for cells of another kind."""
        pairs = [
            (cell.low, cell.high) if isinstance(cell, Interval) else (np.nan, np.nan) for cell in self.cells
        ]
        low, high = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        return low, high

    @cached_property
    def _closed(self) -> tuple[BoolArray, BoolArray]:
        pairs = [
            (isinstance(cell, Interval) and (cell.low_closed, cell.high_closed)) or (True, True)
            for cell in self.cells
        ]
        low, high = np.array(pairs, dtype=np.bool_).reshape(-1, 2).T
        return low, high

    @cached_property
    def _beyond_float(self) -> BoolArray:
        return np.array(
            [isinstance(cell, Interval) and cell.beyond_float for cell in self.cells], dtype=np.bool_
        )

    def admits(self, rows: IntArray, values: ValueColumn, value_rows: IntArray) -> BoolArray:
        """Whether the cell of `rows[i]` admits the value of `value_rows[i]`, for every i."""
        cells, truths = self.codes[rows], values.codes[value_rows]
        numbers = values.numbers[truths]
        low, high = (bound[cells] for bound in self.bounds)
        low_closed, high_closed = (closed[cells] for closed in self._closed)
        with np.errstate(invalid="ignore"):
            inside = np.where(low_closed, numbers >= low, numbers > low)
            inside &= np.where(high_closed, numbers <= high, numbers < high)
        # What is no number in an interval, or lies at an end that floats do not tell, is settled once for each
        # distinct pair of cell and value.
        at_end = (numbers == low) | (numbers == high)
        at_end &= self._beyond_float[cells] | values.beyond_float[truths]
        others = np.flatnonzero(np.isnan(low) | np.isnan(numbers) | at_end)
        if len(others):
            _, first, inverse = np.unique(
                pair_codes(cells[others], truths[others]), return_index=True, return_inverse=True
            )
            settled = [
                self.cells[cells[position]].admits(
                    values.texts[truths[position]], float(values.numbers[truths[position]])
                )
                for position in others[first]
            ]
            inside[others] = np.array(settled, dtype=np.bool_)[inverse.reshape(-1)]
        return np.asarray(inside, dtype=np.bool_)
