"""Rank-one cuts, and what pricers see of them: a penalty for columns that hold many of their rows.

A cut adds up the covering rows of some points, each times a fraction below 1, and rounds both sides down
(docs/bound.md, section 6). A column *holds* it as often as the denominator goes into the sum of its rows' numerators.
"""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.grouping import grouped

WIDEST = 40  # rows of a cut


class RankOneCuts(NamedTuple):
    """sum over columns of floor(sum of its rows' numerators / denominator) * x <= right side, for each cut.

    Attributes
    ----------
    rows, numerators
        (q, 40); unused places, the last of a line, hold row 0 with numerator 0.
    denominators, right
        (q,).
    """

    rows: IntArray
    numerators: IntArray
    denominators: IntArray
    right: IntArray

    @property
    def number(self) -> int:
        """Number of cuts, q."""
        return len(self.right)

    def by_row(self, rows: int) -> tuple[IntArray, IntArray, IntArray]:
        """Return, in compressed form, the cuts on each row with its numerators: (starts, cuts, numerators)."""
        used = self.numerators > 0
        cut, row = np.nonzero(used)[0], self.rows[used]
        starts, order = grouped(row, rows)
        return starts, cut[order].astype(np.int64), self.numerators[used][order]


class CutTable(NamedTuple):
    """Cuts with their penalties, for compiled code; see `RankOneCuts`."""

    starts: IntArray  # (r + 1,) those of row i are cuts[starts[i]:starts[i + 1]]
    cuts: IntArray
    of_row: IntArray  # its numerators in them
    rows: IntArray
    numerators: IntArray
    denominators: IntArray
    penalties: FloatArray


class CutPenalties(NamedTuple):
    """Cuts with their penalties (minus their duals, 0 or more), paid as often as a column holds the cut."""

    cuts: RankOneCuts
    penalties: FloatArray  # (q,)

    def table(self, rows: int) -> CutTable:
        """Return them for compiled code; `rows` is the number of the master's rows."""
        lines, numerators, denominators, _ = self.cuts
        return CutTable(*self.cuts.by_row(rows), lines, numerators, denominators, self.penalties)


def rank_one_cuts(
    lines: list[tuple[IntArray, IntArray]], denominators: list[int], multiplicity: IntArray
) -> RankOneCuts:
    """Return cuts from their rows and numerators, and the denominators.

    Parameters
    ----------
    multiplicity
        (r,) how often each row is covered.
    """
    rows, numerators = np.zeros((2, len(lines), WIDEST), np.int64)
    for index, (held, weights) in enumerate(lines):
        rows[index, : len(held)], numerators[index, : len(held)] = held, weights
    below = np.array(denominators, np.int64)
    right = (numerators * multiplicity[rows]).sum(axis=1) // np.maximum(below, 1)
    return RankOneCuts(rows, numerators, below, right)


def subset_row_cuts(triples: IntArray, multiplicity: IntArray) -> RankOneCuts:
    """Return the cuts on (q, 3) triples of rows with halves: a column holds one with two rows or more."""
    halves = np.ones(3, np.int64)
    return rank_one_cuts([(triple, halves) for triple in triples], [2] * len(triples), multiplicity)


def no_rank_one_cuts() -> RankOneCuts:
    """Return the empty set of cuts."""
    return rank_one_cuts([], [], np.zeros(1, np.int64))


def joined_cuts(first: RankOneCuts, second: RankOneCuts) -> RankOneCuts:
    """Return the cuts of both, in order."""
    return RankOneCuts(*(np.concatenate(pair) for pair in zip(first, second, strict=True)))


def chosen_cuts(cuts: RankOneCuts, chosen: IntArray) -> RankOneCuts:
    """Return the cuts of the given indices, in that order."""
    return RankOneCuts(*(part[chosen] for part in cuts))


def no_cuts() -> CutPenalties:
    """Return no cuts and no penalties."""
    return CutPenalties(no_rank_one_cuts(), np.zeros(0))
