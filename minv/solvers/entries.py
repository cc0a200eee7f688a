"""Entries of a matrix in compressed form."""

import numpy as np

from minv.compiled import FloatArray, IntArray


def merged_entries(starts: IntArray, rows: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return columns that list a row k times as columns with a coefficient of k in it.

    Parameters
    ----------
    starts, rows
        Column j lists `rows[starts[j]:starts[j + 1]]`.

    Returns
    -------
    Starts, rows (ascending within a column) and coefficients.
    """
    number = len(starts) - 1
    owners = np.repeat(np.arange(number), np.diff(starts))
    height = int(rows.max(initial=-1)) + 1
    keys, values = np.unique(owners * height + rows, return_counts=True)
    counts = np.bincount(keys // max(height, 1), minlength=number)
    return (
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        keys % max(height, 1),
        values.astype(np.float64),
    )
