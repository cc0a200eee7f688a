"""Find rank-one cuts on many rows that a fractional solution violates, by walks over the multipliers."""

import numpy as np

from minv.colgen.pool import columns_of_rows, take
from minv.colgen.rank_one_kernels import search_violated
from minv.compiled import FloatArray, IntArray
from minv.pricing.cuts import WIDEST, RankOneCuts, rank_one_cuts
from minv.pricing.protocol import Columns

_DENOMINATORS = (2, 3, 4, 5)
_SUPPORT = 1e-6
_WHOLE = 1 - 1e-6
_WALKS_A_ROW = 2
_MOST_WALKS = 600  # a denominator
_STEPS = 200
_A_ROW = 8  # cuts of one round that may share a row
_KEPT = 10  # times the cuts wanted: more of one denominator are not looked at

Found = tuple[
    float, int, tuple[int, ...], tuple[int, ...]
]  # minus the violation, denominator, rows, numerators


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
    row_starts, columns_of_row = columns_of_rows(used, rows)
    fractional = np.repeat(weights < _WHOLE, np.diff(used.starts))
    starts = np.repeat(np.unique(used.members[fractional]), _WALKS_A_ROW)
    if len(starts) > _MOST_WALKS:
        starts = np.sort(random.choice(starts, _MOST_WALKS, replace=False))
    found: list[Found] = []
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
        scores[np.count_nonzero(multipliers, axis=1) > WIDEST] = 0.0
        best = np.argsort(-scores, kind="stable")[: _KEPT * most]
        for score, line in zip(scores[best].tolist(), multipliers[best], strict=True):
            if score > 0:
                held = np.flatnonzero(line)
                found.append((-score, denominator, tuple(held.tolist()), tuple(line[held].tolist())))
    chosen = _varied(sorted(found), rows, most)
    lines = [(np.array(held), np.array(numerators)) for _, _, held, numerators in chosen]
    return rank_one_cuts(lines, [denominator for _, denominator, _, _ in chosen], multiplicity)


def _varied(found: list[Found], rows: int, most: int) -> list[Found]:
    """Return the first cuts, once each, of which at most `_A_ROW` share a row."""
    uses = np.zeros(rows, np.int64)
    chosen: list[Found] = []
    for cut in dict.fromkeys(found):
        held = list(cut[2])
        if (uses[held] < _A_ROW).all():
            uses[held] += 1
            chosen.append(cut)
        if len(chosen) == most:
            break
    return chosen
