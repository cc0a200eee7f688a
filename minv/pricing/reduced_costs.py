"""Reduced costs of given columns, penalties of cuts included."""

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.pricing.cuts import CutPenalties
from minv.pricing.protocol import Columns


def sums_over_members(columns: Columns, values: FloatArray) -> FloatArray:
    """Return, for each column, the sum of `values` (one a row) over its members."""
    if not columns.number:
        return np.zeros(0)
    return np.add.reduceat(values[columns.members], columns.starts[:-1])


def reduced_costs(columns: Columns, duals: FloatArray) -> FloatArray:
    """Return cost minus the sum of the duals of each column's rows."""
    return columns.costs - sums_over_members(columns, duals)


def held_by(columns: Columns, triple: IntArray) -> BoolArray:
    """Return which columns hold two or more rows of the triple."""
    member_of = np.isin(columns.members, triple)
    held = np.concatenate([[0], np.cumsum(member_of)])
    result: BoolArray = held[columns.starts[1:]] - held[columns.starts[:-1]] >= 2
    return result


def priced(columns: Columns, duals: FloatArray, cuts: CutPenalties) -> FloatArray:
    """Return the reduced cost of each column, penalties of cuts included."""
    costs = reduced_costs(columns, duals)
    for triple, penalty in zip(cuts.triples, cuts.penalties, strict=True):
        costs += penalty * held_by(columns, triple)
    return costs


def least_reduced_cost(columns: Columns, duals: FloatArray, cuts: CutPenalties) -> float:
    """Return the least reduced cost of the given columns, penalties of cuts included; +inf if there are none."""
    return float(priced(columns, duals, cuts).min(initial=np.inf))
