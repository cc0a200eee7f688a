"""Reduced costs of given columns, penalties of cuts included."""

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.pricing.cut_kernels import add_penalties, list_holdings
from minv.pricing.cuts import CutPenalties, RankOneCuts
from minv.pricing.protocol import Columns


def sums_over_members(columns: Columns, values: FloatArray) -> FloatArray:
    """Return, for each column, the sum of `values` (one a row) over its members."""
    if not columns.number:
        return np.zeros(0)
    return np.add.reduceat(values[columns.members], columns.starts[:-1])


def reduced_costs(columns: Columns, duals: FloatArray) -> FloatArray:
    """Return cost minus the sum of the duals of each column's rows."""
    return columns.costs - sums_over_members(columns, duals)


def holdings(columns: Columns, cuts: RankOneCuts, rows: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the columns that hold a cut, which one and how often, ordered by column; `rows` is their number."""
    table = CutPenalties(cuts, np.zeros(cuts.number)).table(rows)
    room = int(np.diff(table.starts)[columns.members].sum())
    owners, held, times = (np.empty(room, np.int64) for _ in range(3))
    found = list_holdings(columns.starts, columns.members, table, owners, held, times)
    return owners[:found], held[:found], times[:found]


def priced(columns: Columns, duals: FloatArray, cuts: CutPenalties) -> FloatArray:
    """Return the reduced cost of each column, penalties of cuts included."""
    costs = reduced_costs(columns, duals)
    add_penalties(columns.starts, columns.members, cuts.table(len(duals)), costs)
    return costs


def least_reduced_cost(columns: Columns, duals: FloatArray, cuts: CutPenalties) -> float:
    """Return the least reduced cost of the given columns, penalties of cuts included; +inf if there are none."""
    return float(priced(columns, duals, cuts).min(initial=np.inf))
