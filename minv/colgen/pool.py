"""A growing set of distinct columns in compressed form."""

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.grouping import grouped
from minv.pricing.protocol import Columns, joined, no_columns


def take(columns: Columns, chosen: IntArray) -> Columns:
    """Return the columns of the given indices, in that order."""
    lengths = np.diff(columns.starts)[chosen]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    entries = np.repeat(columns.starts[:-1][chosen] - starts[:-1], lengths) + np.arange(starts[-1])
    return Columns(starts, columns.members[entries], columns.costs[chosen])


def costed(points: FloatArray, starts: IntArray, members: IntArray) -> Columns:
    """Make columns from their members alone; the cost of each is its SSE."""
    sizes = np.diff(starts)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    costs = np.zeros(len(sizes))
    for coordinate in points[members].T if len(members) else ():
        mean = np.bincount(owner, weights=coordinate, minlength=len(sizes)) / sizes
        costs += np.bincount(owner, weights=(coordinate - mean[owner]) ** 2, minlength=len(sizes))
    return Columns(starts, members, costs)


def columns_of_partition(points: FloatArray, row_of_point: IntArray, labels: IntArray) -> Columns:
    """Return the clusters of a partition of the original points as columns over rows.

    Parameters
    ----------
    points
        (r, d) coordinates of the rows.
    row_of_point, labels
        (n,) row and cluster of each original point.
    """
    starts, order = grouped(labels)
    return costed(points, starts, row_of_point[order])


def columns_of_rows(columns: Columns, rows: int) -> tuple[IntArray, IntArray]:
    """Return the columns that hold each row, in compressed form: (starts, columns)."""
    starts, order = grouped(columns.members, rows)
    return starts, np.repeat(np.arange(columns.number), np.diff(columns.starts))[order]


class ColumnPool:
    """Columns without repetition, recognised by a 64-bit sum of random keys of their rows."""

    def __init__(self, rows: int) -> None:
        keys = np.random.default_rng(rows).integers(1, 2**63, size=rows, dtype=np.int64)
        self._keys = keys.astype(np.uint64)
        self._known: set[int] = set()
        self.columns = no_columns()

    def add(self, columns: Columns) -> int:
        """Add those that are new; return how many that were."""
        if not columns.number:
            return 0
        hashes = np.add.reduceat(self._keys[columns.members], columns.starts[:-1]).tolist()
        fresh = []
        for index, value in enumerate(hashes):
            if value not in self._known:
                self._known.add(value)
                fresh.append(index)
        self.columns = joined([self.columns, take(columns, np.array(fresh, np.int64))])
        return len(fresh)

    def keep(self, chosen: IntArray) -> None:
        """Forget all columns but those of the given ascending indices."""
        self.columns = take(self.columns, chosen)
        hashes = np.add.reduceat(self._keys[self.columns.members], self.columns.starts[:-1])
        self._known = set(hashes.tolist())
