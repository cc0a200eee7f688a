"""The restricted master LP, its duals kept in a box by two penalty columns a row (docs/bound.md)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from minv.colgen.pool import ColumnPool, take
from minv.compiled import FloatArray, IntArray
from minv.grouping import grouped
from minv.pricing.cuts import CutPenalties, RankOneCuts, joined_cuts, no_rank_one_cuts
from minv.pricing.protocol import Columns
from minv.pricing.reduced_costs import holdings, priced
from minv.solvers.entries import merged_entries
from minv.solvers.protocol import MasterSolver, SolveStatus

_WIDEN = 2.5
_FIRST_PRICE = 20.0  # mean shares
_FIRST_CUT_PRICE = 1.0  # mean shares: about what a penalty is in the end; each rise costs an iteration
_ACTIVE = 1e-4
_COLUMNS_A_ROW = 12

SolverFactory = Callable[[FloatArray, FloatArray], MasterSolver]


@dataclass(frozen=True, slots=True)
class MasterSolution:
    """Of the restricted master, penalties included.

    Attributes
    ----------
    duals, cuts
        A dual a row; a penalty (minus its dual) a cut.
    values
        One a column of the pool.
    penalised
        Part of the objective that is paid for rows covered too little or too much.
    """

    objective: float
    duals: FloatArray
    cuts: CutPenalties
    values: FloatArray
    penalised: float


class Master:
    """Cover every row exactly as often as it occurs, at least cost.

    A row may also be covered too little or too much, at a price. The two prices are bounds on its dual: they
    keep the duals of the first iterations near those of a good solution. A price that is paid rises, so that in
    the end none is. The solver sees all costs in units of the mean share, as its tolerances are absolute.

    Parameters
    ----------
    make_solver
        Makes an empty LP from the bounds of its rows.
    multiplicity
        (r,) how often each row is to be covered.
    shares
        (r,) share of each row in the loss of a good solution, per covering.
    at_most
        Rows that may be covered less often for nothing.
    """

    def __init__(
        self,
        make_solver: SolverFactory,
        multiplicity: IntArray,
        shares: FloatArray,
        at_most: IntArray | None = None,
    ) -> None:
        rows = len(multiplicity)
        mean = float(np.average(shares, weights=multiplicity))
        self._unit = mean if mean > 0 else 1.0
        self._rows = rows
        self._multiplicity = multiplicity
        self.pool = ColumnPool(rows)
        self.cuts = no_rank_one_cuts()
        # What breaking a row or a cut costs; where these columns and those of the pool stand in the solver.
        self._prices = np.concatenate([np.maximum(_FIRST_PRICE, 4 * shares / self._unit), np.ones(rows)])
        if at_most is not None:
            self._prices[at_most] = 0.0
            self._prices[rows + at_most] = _FIRST_PRICE
        self._priced_at = np.arange(2 * rows)
        self._pool_at = np.zeros(0, np.int64)
        self._broken = np.zeros(0)
        covered = multiplicity.astype(np.float64)
        self._solver = make_solver(covered, covered)
        self._solver.add_columns(
            np.arange(2 * rows + 1),
            np.tile(np.arange(rows), 2),
            np.repeat([1.0, -1.0], rows),
            self._prices,
        )

    def add(self, columns: Columns) -> int:
        """Add the columns that are new; return how many that were."""
        before = self.pool.columns.number
        added = self.pool.add(columns)
        fresh = take(self.pool.columns, np.arange(before, before + added))
        holders, held, times = holdings(fresh, self.cuts, self._rows)
        rows = [fresh.members, np.repeat(self._rows + held, times)]
        owners = [np.repeat(np.arange(added), np.diff(fresh.starts)), np.repeat(holders, times)]
        owner = np.concatenate(owners)
        starts, order = grouped(owner, added)
        costs = fresh.costs / self._unit
        self._solver.add_columns(*merged_entries(starts, np.concatenate(rows)[order]), costs)
        self._pool_at = np.concatenate([self._pool_at, self._width + np.arange(added)])
        return added

    @property
    def _width(self) -> int:
        return len(self._priced_at) + len(self._pool_at)

    @property
    def room(self) -> int:
        """How many more rows the solver takes."""
        return self._solver.most_rows - self._rows - self.cuts.number

    def add_cuts(self, cuts: RankOneCuts) -> None:
        """Add cuts, each of which may be broken at a price at first."""
        holders, held, times = holdings(self.pool.columns, cuts, self._rows)
        number = cuts.number
        starts, order = grouped(held, number)
        self._solver.add_rows(
            starts,
            self._pool_at[holders[order]],
            times[order].astype(np.float64),
            np.full(number, -np.inf),
            cuts.right.astype(np.float64),
        )
        prices = np.full(number, _FIRST_CUT_PRICE)
        cut_rows = self._rows + self.cuts.number + np.arange(number)
        self._solver.add_columns(np.arange(number + 1), cut_rows, np.full(number, -1.0), prices)
        self._priced_at = np.concatenate([self._priced_at, self._width + np.arange(number)])
        self._prices = np.concatenate([self._prices, prices])
        self.cuts = joined_cuts(self.cuts, cuts)

    def solve(self, *, tolerance: float, time_limit: float) -> MasterSolution | None:
        """Solve, then raise the prices of the rows it breaks; None where the solver reached no solution."""
        solution = self._solver.solve(tolerance=tolerance, time_limit=time_limit)
        if solution.status is not SolveStatus.OPTIMAL:
            return None
        self._broken = solution.values[self._priced_at]
        penalised = float(self._prices @ self._broken) * self._unit
        self._raise_prices(np.flatnonzero(self._broken[: 2 * self._rows] > _ACTIVE))
        duals = solution.duals * self._unit
        cuts = CutPenalties(self.cuts, np.maximum(-duals[self._rows :], 0.0))
        return MasterSolution(
            solution.objective * self._unit,
            duals[: self._rows],
            cuts,
            solution.values[self._pool_at],
            penalised,
        )

    def raise_cut_prices(self) -> bool:
        """Raise the prices of the cuts that the last solution breaks; False if it breaks none."""
        broken = 2 * self._rows + np.flatnonzero(self._broken[2 * self._rows :] > _ACTIVE)
        self._raise_prices(broken)
        return len(broken) > 0

    def _raise_prices(self, broken: IntArray) -> None:
        self._prices[broken] *= _WIDEN
        self._solver.change_costs(self._priced_at[broken], self._prices[broken])

    def shrink(self, duals: FloatArray, cuts: CutPenalties) -> None:
        """Keep the columns of least reduced cost, about a dozen a row."""
        most = _COLUMNS_A_ROW * self._rows
        if self.pool.columns.number <= 1.25 * most:
            return
        costs = priced(self.pool.columns, duals, cuts)
        kept = np.sort(np.argpartition(costs, most)[:most])
        self.pool.keep(kept)
        stay = np.sort(np.concatenate([self._priced_at, self._pool_at[kept]]))
        self._solver.keep_columns(stay)
        self._priced_at = np.searchsorted(stay, self._priced_at)
        self._pool_at = np.searchsorted(stay, self._pool_at[kept])
