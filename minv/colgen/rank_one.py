"""Rank-one cuts on many rows: what they are, what columns pay for them, and how to find violated ones.

A cut adds up the covering rows of some points, each times a fraction, and rounds both sides down
(docs/bound.md, section 6). On columns that are all listed they cost a pricer nothing, so that stronger ones than
subset-row cuts on triples are within reach.
"""

from typing import NamedTuple

import numpy as np

from minv.colgen.pool import take
from minv.colgen.rank_one_kernels import add_penalties, list_holdings, search_violated
from minv.compiled import FloatArray, IntArray
from minv.pricing.protocol import Columns
from minv.pricing.reduced_costs import reduced_costs

_DENOMINATORS = (2, 3, 4, 5)
_SUPPORT = 1e-6
_WHOLE = 1 - 1e-6
_WALKS_A_ROW = 2
_STEPS = 200
_WIDEST = 40  # rows of a cut
_A_ROW = 8  # cuts of one round that may share a row


class RankOneCuts(NamedTuple):
    """sum over columns of floor(sum of its rows' numerators / denominator) * x <= right side, for each cut.

    Attributes
    ----------
    rows, numerators
        (q, 40); unused places hold row 0 with numerator 0.
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


def no_rank_one_cuts() -> RankOneCuts:
    """Return the empty set of cuts."""
    nothing = np.zeros(0, np.int64)
    return RankOneCuts(np.zeros((0, _WIDEST), np.int64), np.zeros((0, _WIDEST), np.int64), nothing, nothing)


def joined_cuts(first: RankOneCuts, second: RankOneCuts) -> RankOneCuts:
    """Return the cuts of both, in order."""
    return RankOneCuts(*(np.concatenate(pair) for pair in zip(first, second, strict=True)))


def chosen_cuts(cuts: RankOneCuts, chosen: IntArray) -> RankOneCuts:
    """Return the cuts of the given indices, in that order."""
    return RankOneCuts(*(part[chosen] for part in cuts))


def holdings(columns: Columns, cuts: RankOneCuts, rows: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the columns that hold a cut, which one and how often, ordered by column; `rows` is their number."""
    starts, places, numerators = _by_row(cuts, rows)
    room = int(np.diff(starts)[columns.members].sum())
    owners, held, times = (np.empty(room, np.int64) for _ in range(3))
    found = list_holdings(
        columns.starts, columns.members, starts, places, numerators, cuts.denominators, owners, held, times
    )
    return owners[:found], held[:found], times[:found]


def priced_by(columns: Columns, duals: FloatArray, cuts: RankOneCuts, penalties: FloatArray) -> FloatArray:
    """Return the reduced cost of each column, the penalties of the cuts that it holds included."""
    costs = reduced_costs(columns, duals)
    add_penalties(
        columns.starts,
        columns.members,
        *_by_row(cuts, len(duals)),
        cuts.denominators,
        penalties,
        costs,
    )
    return costs


def violated_cuts(
    columns: Columns,
    values: FloatArray,
    multiplicity: IntArray,
    random: np.random.Generator,
    *,
    most: int,
    least: float,
) -> RankOneCuts:
    """Search for violated cuts; return the most violated, few of which share a row.

    Parameters
    ----------
    columns, values
        Columns with their values in a fractional solution.
    multiplicity
        (r,) how often each row is covered.
    random
        Of the walks.
    most
        How many cuts to return.
    least
        Violations up to this are left.
    """
    support = np.flatnonzero(values > _SUPPORT)
    used, weights = take(columns, support), values[support]
    rows = len(multiplicity)
    owners = np.repeat(np.arange(used.number), np.diff(used.starts))
    columns_of_row = owners[np.argsort(used.members, kind="stable")]
    row_starts = np.concatenate([[0], np.cumsum(np.bincount(used.members, minlength=rows))]).astype(np.int64)
    starts = np.repeat(np.unique(used.members[weights[owners] < _WHOLE]), _WALKS_A_ROW)
    found: list[tuple[float, int, tuple[int, ...]]] = []
    for denominator in _DENOMINATORS:
        multipliers, scores = np.zeros((len(starts), rows), np.int64), np.zeros(len(starts))
        search_violated(
            weights,
            used.starts,
            used.members,
            row_starts,
            columns_of_row,
            multiplicity,
            denominator,
            starts,
            random.random((len(starts), _STEPS, 2)),
            least,
            multipliers,
            scores,
        )
        narrow = (scores > 0) & (np.count_nonzero(multipliers, axis=1) <= _WIDEST)
        found += [
            (-score, denominator, tuple(line))
            for score, line in zip(scores[narrow].tolist(), multipliers[narrow].tolist(), strict=True)
        ]
    return _made(_varied(sorted(found), rows, most), multiplicity)


def _varied(
    found: list[tuple[float, int, tuple[int, ...]]], rows: int, most: int
) -> list[tuple[int, IntArray]]:
    """Return the first cuts, once each, of which at most `_A_ROW` share a row."""
    uses = np.zeros(rows, np.int64)
    chosen: list[tuple[int, IntArray]] = []
    for _, denominator, line in dict.fromkeys(found):
        multipliers = np.array(line, np.int64)
        held = multipliers > 0
        if (uses[held] < _A_ROW).all():
            uses[held] += 1
            chosen.append((denominator, multipliers))
        if len(chosen) == most:
            break
    return chosen


def _made(chosen: list[tuple[int, IntArray]], multiplicity: IntArray) -> RankOneCuts:
    rows, numerators = np.zeros((2, len(chosen), _WIDEST), np.int64)
    for index, (_, multipliers) in enumerate(chosen):
        held = np.flatnonzero(multipliers)
        rows[index, : len(held)], numerators[index, : len(held)] = held, multipliers[held]
    denominators = np.array([denominator for denominator, _ in chosen], np.int64)
    right = (numerators * multiplicity[rows]).sum(axis=1) // np.maximum(denominators, 1)
    return RankOneCuts(rows, numerators, denominators, right)


def _by_row(cuts: RankOneCuts, rows: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return, in compressed form, the cuts on each row with its numerators."""
    used = cuts.numerators > 0
    cut, row = np.nonzero(used)[0], cuts.rows[used]
    order = np.argsort(row, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))]).astype(np.int64)
    return starts, cut[order].astype(np.int64), cuts.numerators[used][order]
