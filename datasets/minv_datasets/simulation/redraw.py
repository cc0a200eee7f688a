"""Drawing another value than the present one from a table's own distribution."""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

IntArray = NDArray[np.int64]


class Redraw:
    """Draws, for a group of columns, a row of the table that differs from a given row in the group.

    A value is drawn with the probability that it has among the table's rows with another value; missing is a
    value like any other.

    Parameters
    ----------
    frame
        The table.
    columns
        The group; its columns are compared as one tuple.
    """

    def __init__(self, frame: pd.DataFrame, columns: Sequence[Hashable]) -> None:
        self.columns = tuple(columns)
        codes = frame.groupby(list(columns), dropna=False, sort=False, observed=True).ngroup()
        self._codes: IntArray = np.asarray(codes, dtype=np.int64)
        self._rows_by_code: IntArray = np.argsort(self._codes, kind="stable").astype(np.int64)
        self._size = np.bincount(self._codes)
        self._start = np.cumsum(self._size) - self._size

    @property
    def possible(self) -> bool:
        """Whether the group has two different values at all."""
        return len(self._size) > 1

    def draw(self, rows: IntArray, random: np.random.Generator) -> IntArray:
        """Return for each of these rows of the table a random row with another value."""
        codes = self._codes[rows]
        position = random.integers(0, len(self._codes) - self._size[codes])
        position += np.where(position >= self._start[codes], self._size[codes], 0)
        drawn: IntArray = self._rows_by_code[position]
        return drawn
