"""Positions grouped by a key, in compressed form."""

import numpy as np

from minv.compiled import IntArray


def grouped(keys: IntArray, number: int = 0) -> tuple[IntArray, IntArray]:
    """Return (starts, order): the positions of key k are `order[starts[k]:starts[k + 1]]`, ascending.

    Parameters
    ----------
    keys
        (n,) 0 or more.
    number
        Of keys, at least: the last ones may not occur.
    """
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=number))])
    return starts.astype(np.int64), np.argsort(keys, kind="stable")
