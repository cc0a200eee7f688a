"""The restricted master LP, its duals kept in a box by two penalty columns a row (docs/bound.md)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from minv.colgen.pool import ColumnPool, reduced_costs
from minv.compiled import FloatArray, IntArray
from minv.pricing.protocol import Columns
from minv.solvers.protocol import MasterSolver, SolveStatus

_WIDEN = 2.5
_ACTIVE = 1e-4
_COLUMNS_A_ROW = 12

SolverFactory = Callable[[FloatArray, FloatArray], MasterSolver]


@dataclass(frozen=True, slots=True)
class MasterSolution:
    """Of the restricted master: objective (penalties included), a dual a row, a value a column of the pool."""

    objective: float
    duals: FloatArray
    values: FloatArray
    penalised: float


class Master:
    """Cover every row exactly as often as it occurs, at least cost.

    A row may also be covered too little or too much, at a price. The two prices are bounds on its dual: they
    keep the duals of the first iterations near those of a good solution. A price that is paid rises, so that in
    the end none is.

    Parameters
    ----------
    make_solver
        Makes an empty LP from the bounds of its rows.
    multiplicity
        (r,) how often each row is to be covered.
    shares
        (r,) share of each row in the loss of a good solution, per covering.
    """

    def __init__(self, make_solver: SolverFactory, multiplicity: IntArray, shares: FloatArray) -> None:
        rows = len(multiplicity)
        mean = float(np.average(shares, weights=multiplicity))
        mean = mean if mean > 0 else 1.0
        self._rows = rows
        self._under = np.maximum(20 * mean, 4 * shares)
        self._over = np.full(rows, mean)
        self.pool = ColumnPool(rows)
        covered = multiplicity.astype(np.float64)
        self._solver = make_solver(covered, covered)
        self._solver.add_columns(
            np.arange(2 * rows + 1),
            np.tile(np.arange(rows), 2),
            np.repeat([1.0, -1.0], rows),
            np.concatenate([self._under, self._over]),
        )

    def add(self, columns: Columns) -> int:
        """Add the columns that are new; return how many that were."""
        before = self.pool.columns.number
        added = self.pool.add(columns)
        fresh = self.pool.columns
        starts = fresh.starts[before:] - fresh.starts[before]
        members = fresh.members[fresh.starts[before] :]
        self._solver.add_columns(starts, members, np.ones(len(members)), fresh.costs[before:])
        return added

    def solve(self, *, tolerance: float, time_limit: float) -> MasterSolution | None:
        """Solve, then raise the prices that were paid; None where the solver reached no solution."""
        solution = self._solver.solve(tolerance=tolerance, time_limit=time_limit)
        if solution.status is not SolveStatus.OPTIMAL:
            return None
        rows = self._rows
        under, over = solution.values[:rows], solution.values[rows : 2 * rows]
        penalised = float(self._under @ under + self._over @ over)
        paid_under, paid_over = under > _ACTIVE, over > _ACTIVE
        if paid_under.any() or paid_over.any():
            self._under[paid_under] *= _WIDEN
            self._over[paid_over] *= _WIDEN
            self._solver.change_costs(np.arange(2 * rows), np.concatenate([self._under, self._over]))
        return MasterSolution(solution.objective, solution.duals, solution.values[2 * rows :], penalised)

    def shrink(self, duals: FloatArray) -> None:
        """Keep the columns of least reduced cost, about a dozen a row."""
        most = _COLUMNS_A_ROW * self._rows
        if self.pool.columns.number <= 1.25 * most:
            return
        costs = reduced_costs(self.pool.columns, duals)
        kept = np.sort(np.argpartition(costs, most)[:most])
        self.pool.keep(kept)
        penalties = np.arange(2 * self._rows)
        self._solver.keep_columns(np.concatenate([penalties, 2 * self._rows + kept]))
