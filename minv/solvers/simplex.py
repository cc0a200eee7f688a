"""A growing linear program that HiGHS solves again and again, each time from the basis of the last."""

import math
from typing import Any

import highspy
import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.solvers.highs import silent_highs, status_of
from minv.solvers.protocol import LinearSolution, SolveStatus

_UNLIMITED = 2_147_483_647
_INT = np.int32


class HighsSimplex:
    """min cost x subject to lower <= A x <= upper, x >= 0; columns can be closed, that is kept at 0.

    Parameters
    ----------
    lower, upper
        Bounds of the first rows.
    """

    def __init__(self, lower: FloatArray, upper: FloatArray) -> None:
        self._highs: Any = silent_highs(math.inf)
        self._highs.setOptionValue("solver", "simplex")
        self._highs.setOptionValue("presolve", "off")  # it would forget the basis
        self._open = np.zeros(0, bool)
        for low, high in zip(lower.tolist(), upper.tolist(), strict=True):
            self._highs.addRow(low, high, 0, np.zeros(0, _INT), np.zeros(0))

    def add_columns(self, starts: IntArray, rows: IntArray, values: FloatArray, costs: FloatArray) -> None:
        """Append open columns in compressed form (starts has one entry more than there are columns)."""
        number = len(costs)
        self._highs.addCols(
            number,
            costs,
            np.zeros(number),
            np.full(number, highspy.kHighsInf),
            len(rows),
            starts[:-1].astype(_INT),
            rows.astype(_INT),
            values,
        )
        self._open = np.append(self._open, np.ones(number, bool))

    def add_rows(self, starts: IntArray, columns: IntArray, values: FloatArray, upper: FloatArray) -> None:
        """Append rows A x <= upper in compressed form over the present columns."""
        self._highs.addRows(
            len(upper),
            np.full(len(upper), -highspy.kHighsInf),
            upper,
            len(columns),
            starts[:-1].astype(_INT),
            columns.astype(_INT),
            values,
        )

    def drop_rows(self, rows: IntArray) -> None:
        """Remove rows; those after them move up."""
        self._highs.deleteRows(len(rows), rows.astype(_INT))

    def bound_row(self, row: int, lower: float, upper: float) -> None:
        """Replace the bounds of one row."""
        self._highs.changeRowBounds(row, lower, upper)

    def open_columns(self, opened: BoolArray) -> None:
        """Open these columns and close all others."""
        changed = np.flatnonzero(opened != self._open)
        if len(changed):
            self._highs.changeColsBounds(
                len(changed),
                changed.astype(_INT),
                np.zeros(len(changed)),
                np.where(opened[changed], highspy.kHighsInf, 0.0),
            )
            self._open = opened.copy()

    def solve(self, *, time_limit: float) -> LinearSolution:
        """Solve to optimality, or to the limit of wall seconds: then there are no values and no duals."""
        # The clock of HiGHS runs on from one solve to the next.
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + max(time_limit, 0.0))
        self._highs.run()
        status = status_of(self._highs)
        if status is not SolveStatus.OPTIMAL:
            return LinearSolution(status, math.nan, np.zeros(0), np.zeros(0))
        solution = self._highs.getSolution()
        return LinearSolution(
            status,
            self._highs.getInfo().objective_function_value,
            np.asarray(solution.col_value),
            np.asarray(solution.row_dual),
        )

    def estimate(self, opened: BoolArray, *, iterations: int) -> float:
        """Return the objective after so many iterations with only these columns open; the basis stays as it was."""
        basis, before = self._highs.getBasis(), self._open
        self.open_columns(opened)
        self._highs.setOptionValue("simplex_iteration_limit", iterations)
        self._highs.setOptionValue("time_limit", highspy.kHighsInf)
        self._highs.run()
        objective = self._highs.getInfo().objective_function_value
        infeasible = status_of(self._highs) is SolveStatus.INFEASIBLE
        self._highs.setOptionValue("simplex_iteration_limit", _UNLIMITED)
        self.open_columns(before)
        self._highs.setBasis(basis)
        return math.inf if infeasible else float(objective)
