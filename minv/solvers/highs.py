"""HiGHS behind our two protocols."""

import math
import tempfile
from pathlib import Path
from typing import Any

import highspy
import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.solvers.entries import merged_entries
from minv.solvers.log import SolverLog
from minv.solvers.protocol import UNLIMITED, IntegerSolution, LinearSolution, SolveStatus

_STATUS = {
    highspy.HighsModelStatus.kOptimal: SolveStatus.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: SolveStatus.INFEASIBLE,
    highspy.HighsModelStatus.kUnboundedOrInfeasible: SolveStatus.INFEASIBLE,
    highspy.HighsModelStatus.kTimeLimit: SolveStatus.LIMIT,
    highspy.HighsModelStatus.kIterationLimit: SolveStatus.LIMIT,
    highspy.HighsModelStatus.kSolutionLimit: SolveStatus.LIMIT,
    highspy.HighsModelStatus.kInterrupt: SolveStatus.LIMIT,
    highspy.HighsModelStatus.kObjectiveBound: SolveStatus.LIMIT,
    highspy.HighsModelStatus.kObjectiveTarget: SolveStatus.FEASIBLE,
}

_ROUNDING = 1e-7


class _QuietHighs(highspy.Highs):
    """HiGHS, told to be silent before it would print its name."""

    def enableCallbacks(self) -> None:  # noqa: N802
        self.silent()
        super().enableCallbacks()  # type: ignore[no-untyped-call]


class HighsMaster:
    """A master LP solved by the interior point method without crossover: central, hence stable, duals.

    Parameters
    ----------
    lower, upper
        Bounds of the rows: equal for covering rows, one of them infinite for cuts.
    log
        Receives what HiGHS says; None for silence.
    """

    most_rows = UNLIMITED

    def __init__(self, lower: FloatArray, upper: FloatArray, log: SolverLog | None = None) -> None:
        self._log = log
        self._lower = np.asarray(lower, dtype=np.float64)
        self._upper = np.asarray(upper, dtype=np.float64)
        self._starts = np.zeros(1, np.int64)
        self._rows = np.zeros(0, np.int64)
        self._values = np.zeros(0)
        self._costs = np.zeros(0)

    def add_columns(self, starts: IntArray, rows: IntArray, values: FloatArray, costs: FloatArray) -> None:
        """Append columns in compressed form."""
        self._starts = np.concatenate([self._starts, self._starts[-1] + starts[1:]])
        self._rows = np.concatenate([self._rows, rows])
        self._values = np.concatenate([self._values, values])
        self._costs = np.concatenate([self._costs, costs])

    def add_rows(
        self, starts: IntArray, columns: IntArray, values: FloatArray, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Append rows in compressed form over the present columns."""
        old_columns = np.repeat(np.arange(len(self._costs)), np.diff(self._starts))
        new_rows = len(self._lower) + np.repeat(np.arange(len(lower)), np.diff(starts))
        all_columns = np.concatenate([old_columns, columns])
        order = np.argsort(all_columns, kind="stable")
        self._rows = np.concatenate([self._rows, new_rows])[order]
        self._values = np.concatenate([self._values, values])[order]
        counts = np.bincount(all_columns, minlength=len(self._costs))
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._lower = np.concatenate([self._lower, lower])
        self._upper = np.concatenate([self._upper, upper])

    def keep_rows(self, keep: IntArray) -> None:
        """Drop all rows but those of these ascending indices."""
        new_index = np.full(len(self._lower), -1)
        new_index[keep] = np.arange(len(keep))
        stays = new_index[self._rows] >= 0
        owners = np.repeat(np.arange(len(self._costs)), np.diff(self._starts))[stays]
        self._rows = new_index[self._rows[stays]]
        self._values = self._values[stays]
        counts = np.bincount(owners, minlength=len(self._costs))
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._lower, self._upper = self._lower[keep], self._upper[keep]

    def keep_columns(self, keep: IntArray) -> None:
        """Drop all columns but those of these ascending indices."""
        lengths = np.diff(self._starts)[keep]
        entries = np.repeat(self._starts[:-1][keep] - np.cumsum(lengths) + lengths, lengths)
        entries += np.arange(len(entries))
        self._rows = self._rows[entries]
        self._values = self._values[entries]
        self._costs = self._costs[keep]
        self._starts = np.concatenate([[0], np.cumsum(lengths)])

    def change_costs(self, columns: IntArray, costs: FloatArray) -> None:
        """Replace the costs of some columns."""
        self._costs[columns] = costs

    def solve(self, *, tolerance: float, time_limit: float) -> LinearSolution:
        """Solve from scratch; interior point methods gain nothing from an earlier basis."""
        highs = silent_highs(time_limit)
        highs.setOptionValue("solver", "ipx")
        highs.setOptionValue("run_crossover", "off")
        highs.setOptionValue("ipm_optimality_tolerance", float(np.clip(tolerance, 1e-12, 1e-2)))
        highs.passModel(
            covering_model(self._starts, self._rows, self._values, self._costs, self._lower, self._upper)
        )
        run(highs, "master LP", self._log)
        status = status_of(highs)
        if status is not SolveStatus.OPTIMAL and not highs.getSolution().dual_valid:
            return LinearSolution(status, math.nan, np.zeros(0), np.zeros(0))
        solution = highs.getSolution()
        return LinearSolution(
            SolveStatus.OPTIMAL,
            highs.getInfo().objective_function_value,
            np.asarray(solution.col_value),
            np.asarray(solution.row_dual),
        )


class HighsSetPartition:
    """The restricted master as an integer program; `log` receives what HiGHS says."""

    most_columns = UNLIMITED

    def __init__(self, log: SolverLog | None = None) -> None:
        self._log = log

    def solve(
        self,
        starts: IntArray,
        rows: IntArray,
        costs: FloatArray,
        rhs: IntArray,
        *,
        start: IntArray | None,
        time_limit: float,
        relative_gap: float,
        seed: int,
        node_limit: int | None = None,
    ) -> IntegerSolution:
        """Choose columns that cover every row exactly `rhs` times."""
        highs = silent_highs(time_limit)
        highs.setOptionValue("mip_rel_gap", relative_gap)
        highs.setOptionValue("mip_abs_gap", 0.0)
        if node_limit is not None:
            highs.setOptionValue("mip_max_nodes", node_limit)
        highs.setOptionValue("random_seed", seed % 2_147_483_647)
        covered = rhs.astype(np.float64)
        starts, rows, values = merged_entries(starts, rows)
        model = covering_model(starts, rows, values, costs, covered, covered)
        most = np.minimum.reduceat(rhs[rows] // values, starts[:-1])
        model.col_upper_ = most
        model.integrality_ = [highspy.HighsVarType.kInteger] * len(costs)
        highs.passModel(model)
        if start is not None:
            # With a start, presolve in HiGHS 1.16 forgets the cost of the columns it fixes and stops at the start.
            highs.setOptionValue("presolve", "off")
            solution = highspy.HighsSolution()
            solution.col_value = np.bincount(start, minlength=len(costs)).astype(np.float64)
            highs.setSolution(solution)
        run(highs, "restricted master MIP", self._log)
        status = status_of(highs)
        info = highs.getInfo()
        values = np.asarray(highs.getSolution().col_value)
        if info.primal_solution_status != 2 or not len(values):  # 2: feasible
            return IntegerSolution(status, math.nan, np.zeros(0, np.int64), info.mip_dual_bound)
        chosen = np.repeat(np.arange(len(costs)), np.rint(values).astype(np.int64))
        objective = float(costs[chosen].sum())
        # The claim of optimality counts only if the solver's own bound supports the recomputed objective.
        supported = info.mip_dual_bound >= objective - (relative_gap + _ROUNDING) * abs(objective)
        if status is not SolveStatus.OPTIMAL or not supported:
            status = SolveStatus.FEASIBLE
        return IntegerSolution(status, objective, chosen, info.mip_dual_bound)


def run(highs: Any, task: str, log: SolverLog | None) -> None:
    """Solve; what HiGHS says goes to the log, under the name of the task, when it has ended."""
    if log is None:
        highs.run()
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "highs.log")  # HiGHS would begin the log itself anew at every run
        highs.setOptionValue("log_to_console", False)
        highs.setOptionValue("log_file", str(file))
        highs.setOptionValue("output_flag", True)
        try:
            highs.run()
        finally:
            highs.setOptionValue("output_flag", False)
            log.write(f"== HiGHS: {task}\n{file.read_text()}")


def status_of(highs: Any) -> SolveStatus:
    """Return how a run of HiGHS ended, in our words."""
    return _STATUS.get(highs.getModelStatus(), SolveStatus.FAILED)


def silent_highs(time_limit: float) -> Any:
    """Return HiGHS on one thread, with no output and a limit of wall seconds."""
    highs: Any = _QuietHighs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    if math.isfinite(time_limit):
        highs.setOptionValue("time_limit", max(time_limit, 0.0))
    return highs


def covering_model(
    starts: IntArray,
    rows: IntArray,
    values: FloatArray,
    costs: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
) -> highspy.HighsLp:
    """Return a model with columns x >= 0 in compressed form and rows between their bounds."""
    model = highspy.HighsLp()
    model.num_col_ = len(costs)
    model.num_row_ = len(lower)
    model.col_cost_ = costs
    model.col_lower_ = np.zeros(len(costs))
    model.col_upper_ = np.full(len(costs), highspy.kHighsInf)
    model.row_lower_ = lower
    model.row_upper_ = upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.num_col_ = len(costs)
    model.a_matrix_.num_row_ = len(lower)
    model.a_matrix_.start_ = starts.astype(np.int32)
    model.a_matrix_.index_ = rows.astype(np.int32)
    model.a_matrix_.value_ = values
    return model
