"""Subset-row cuts as pricers see them: a penalty for columns that hold two or more rows of a triple."""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray


class CutPenalties(NamedTuple):
    """Triples of rows with the penalties (minus their duals, 0 or more) of the cuts on them."""

    triples: IntArray  # (q, 3)
    penalties: FloatArray  # (q,)

    def by_row(self, rows: int) -> tuple[IntArray, IntArray]:
        """Return the cuts of each row in compressed form: (cuts, starts)."""
        flat = self.triples.ravel()
        order = np.argsort(flat, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(flat, minlength=rows))])
        return order // 3, starts.astype(np.int64)


def no_cuts() -> CutPenalties:
    """Return the empty set of cuts."""
    return CutPenalties(np.zeros((0, 3), np.int64), np.zeros(0))
