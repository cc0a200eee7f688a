"""Tables in memory: pandas frames of any index and backend, and Arrow tables."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from minv.errors import DataError, UsageError
from minv.tables.arrow import ArrowArray
from minv.tables.source import check_columns, check_names


class FrameSource:
    """A table in memory; its index plays no part, and it is never changed.

    Raises
    ------
    UsageError
        The object is neither a pandas frame nor an Arrow table.
    DataError
        Column names that are not text, empty or repeated.
    """

    title = "the table"

    def __init__(self, frame: pd.DataFrame | pa.Table) -> None:
        if not isinstance(frame, pd.DataFrame | pa.Table):
            raise UsageError(
                f"a table must be a pandas DataFrame or a pyarrow Table, not {type(frame).__name__}"
            )
        self._frame: Any = frame
        names = frame.columns if isinstance(frame, pd.DataFrame) else frame.column_names
        self.names = check_names(list(names), self.title)
        self.rows = len(frame)

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return these columns as Arrow arrays."""
        self._check_index(columns)
        check_columns(self.names, columns, self.title)
        if isinstance(self._frame, pa.Table):
            return self._frame.select(list(columns))
        arrays = [_arrow(self._frame[name], name) for name in columns]
        return pa.Table.from_arrays(arrays, names=list(columns))

    def _check_index(self, columns: Sequence[str]) -> None:
        levels = [] if isinstance(self._frame, pa.Table) else self._frame.index.names
        for name in columns:
            if name in levels and name not in self.names:
                raise DataError(
                    f"{self.title}: {name!r} is its index, not a column; call reset_index() first"
                )


def _arrow(series: "pd.Series[Any]", name: str) -> ArrowArray:
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, TypeError, OverflowError, ValueError):
        # Arrow's own message would repeat a value.
        types = Counter(type(value).__name__ for value in series[series.notna()])
    if len(types) > 1:
        parts = ", ".join(f"{count} {kind}" for kind, count in types.most_common(4))
        raise DataError(f"column {name!r} mixes types ({parts}); convert it to one type")
    kind = next(iter(types), "unknown")
    raise DataError(f"column {name!r} holds values of type {kind}; convert it to numbers or text")
