"""Ids for tables that have none."""

import numpy as np
import pandas as pd

from minv_datasets.errors import UsageError


def with_ids(frame: pd.DataFrame, name: str = "id") -> pd.DataFrame:
    """Return the table with a first column of ids: the row numbers, 1 and up, as 64-bit integers.

    Raises
    ------
    UsageError
        The table has a column of that name.
    """
    if name in frame.columns:
        raise UsageError(f"the table has a column {name} already")
    result = frame.copy()
    result.insert(0, name, np.arange(1, len(frame) + 1, dtype=np.int64))
    return result
