"""CPLEX, through DOcplex, behind our two protocols.

Rows and columns go to the engine in bulk, past DOcplex's expressions, which would take a hundred times as long.
"""

import math
import time
from typing import Any

import numpy as np
from scipy import sparse

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.errors import UsageError
from minv.solvers.cplex_engine import (
    COMMUNITY_LIMIT,
    CplexOptions,
    check_size,
    community,
    compressed,
    most_of_either,
    new_model,
    solve,
    to_array,
)
from minv.solvers.entries import merged_entries
from minv.solvers.protocol import IntegerSolution, LinearSolution, SolveStatus

_BARRIER, _WITHOUT_CROSSOVER = 4, 2
_ENTERING = 200  # columns exchanged at a time
_EXCHANGING = 1e-9  # greatest relative duality gap while columns are left out
_USED = 1e-6  # a column of smaller value may be taken away
_ROUNDS = 1000  # of exchange; every one lowers the objective, so far fewer are needed


class CplexMaster:
    """A master LP solved by the barrier method without crossover: central, hence stable, duals.

    The Community Edition solves 1000 columns at a time. Of more, those are solved that matter: the columns left
    out are priced with the duals, and exchanged for useless ones until none has a negative reduced cost.

    Parameters
    ----------
    lower, upper
        Bounds of the rows: equal for covering rows, one of them infinite for cuts.
    options
        Of CPLEX.

    Raises
    ------
    UsageError
        CPLEX is not installed, or there are more rows than the Community Edition can solve.
    """

    def __init__(self, lower: FloatArray, upper: FloatArray, options: CplexOptions | None = None) -> None:
        self._model = new_model("master LP", options)
        self._engine: Any = self._model.get_cplex()
        self._model.parameters.lpmethod = _BARRIER
        self._model.parameters.solutiontype = _WITHOUT_CROSSOVER
        self._matrix = sparse.csc_array((0, 0))
        self._costs = np.zeros(0)
        self._loaded = np.zeros(0, np.int64)  # columns that the engine holds, in its order
        self.add_rows(np.zeros(len(lower) + 1, np.int64), np.zeros(0, np.int64), np.zeros(0), lower, upper)

    @property
    def most_rows(self) -> int:
        """Most rows that the CPLEX that is installed solves."""
        return most_of_either()

    def add_columns(self, starts: IntArray, rows: IntArray, values: FloatArray, costs: FloatArray) -> None:
        """Append columns in compressed form."""
        shape = (self._matrix.shape[0], len(costs))
        added = sparse.csc_array((values, rows, starts), shape=shape)
        self._matrix = sparse.hstack([self._matrix, added], format="csc")
        self._costs = np.concatenate([self._costs, costs])

    def add_rows(
        self, starts: IntArray, columns: IntArray, values: FloatArray, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Append rows in compressed form over the present columns.

        Raises
        ------
        UsageError
            There would be more rows than the Community Edition can solve.
        """
        check_size("master LP", rows=self._matrix.shape[0] + len(lower))
        added = sparse.csr_array((values, columns, starts), shape=(len(lower), len(self._costs)))
        self._matrix = sparse.vstack([self._matrix, added], format="csc")
        loaded = added[:, self._loaded]
        senses, right, ranges = _rows_of_bounds(lower, upper)
        self._engine.linear_constraints.add(
            lin_expr=compressed(loaded.indptr, loaded.indices, loaded.data),
            senses=senses,
            rhs=right,
            range_values=ranges,
        )

    def keep_rows(self, keep: IntArray) -> None:
        """Drop all rows but those of these ascending indices."""
        self._engine.linear_constraints.delete(_others(keep, self._matrix.shape[0]).tolist())
        self._matrix = self._matrix[keep]

    def keep_columns(self, keep: IntArray) -> None:
        """Drop all columns but those of these ascending indices."""
        new_index = np.full(len(self._costs), -1)
        new_index[keep] = np.arange(len(keep))
        self._unload(new_index[self._loaded] < 0)
        self._loaded = new_index[self._loaded]
        self._matrix = self._matrix[:, keep]
        self._costs = self._costs[keep]

    def change_costs(self, columns: IntArray, costs: FloatArray) -> None:
        """Replace the costs of some columns."""
        self._costs[columns] = costs

    def solve(self, *, tolerance: float, time_limit: float) -> LinearSolution:
        """Solve to a relative duality gap of about `tolerance`.

        Raises
        ------
        UsageError
            The columns that the Community Edition can solve at a time do not cover the rows.
        """
        rows = self._matrix.shape[0]
        deadline = time.monotonic() + time_limit
        self._load(_others(np.sort(self._loaded), len(self._costs)))
        # Exchanging columns by inexact duals would go round in circles.
        most = 1e-2 if len(self._loaded) == len(self._costs) else _EXCHANGING
        self._model.parameters.barrier.convergetol = float(np.clip(tolerance, 1e-12, most))
        self._engine.objective.set_linear(list(enumerate(self._costs[self._loaded].tolist())))
        status = SolveStatus.LIMIT
        for _ in range(_ROUNDS):
            status = solve(self._model, time_limit=deadline - time.monotonic())
            if status is not SolveStatus.OPTIMAL:
                break
            objective = self._engine.solution.get_objective_value()
            duals = to_array(self._engine.solution.get_dual_values())
            reduced = self._costs - self._matrix.T @ duals
            values = to_array(self._engine.solution.get_values())
            missing = self._missing(reduced, -tolerance * abs(objective) / max(1, rows))
            if not len(missing):
                everywhere = np.zeros(len(self._costs))
                everywhere[self._loaded] = values
                return LinearSolution(status, objective, everywhere, duals)
            if not self._exchange(missing, reduced, values):
                raise _too_few_columns(rows)
        if status is SolveStatus.INFEASIBLE and len(self._loaded) < len(self._costs):
            raise _too_few_columns(rows)
        status = SolveStatus.LIMIT if status is SolveStatus.OPTIMAL else status
        return LinearSolution(status, math.nan, np.zeros(0), np.zeros(0))

    def _missing(self, reduced: FloatArray, least: float) -> IntArray:
        """Return the columns left out that have a reduced cost below `least`, the least first."""
        outside = _others(np.sort(self._loaded), len(self._costs))
        missing = outside[reduced[outside] < least]
        return missing[np.argsort(reduced[missing], kind="stable")]

    def _exchange(self, missing: IntArray, reduced: FloatArray, values: FloatArray) -> bool:
        """Load missing columns, in place of unused ones of greatest reduced cost; False if there is no place."""
        surplus = min(len(missing), _ENTERING) - self._room()
        if surplus > 0:
            unused = np.flatnonzero(values <= _USED)
            worst = np.argsort(-reduced[self._loaded[unused]], kind="stable")[:surplus]
            leaving = np.zeros(len(self._loaded), np.bool_)
            leaving[unused[worst]] = True
            self._unload(leaving)
        entering = missing[: min(_ENTERING, self._room())]
        self._load(entering)
        return len(entering) > 0

    def _room(self) -> int:
        return COMMUNITY_LIMIT - len(self._loaded) if community() else len(self._costs)

    def _load(self, columns: IntArray) -> None:
        """Give the engine as many of the columns as it has room for."""
        columns = columns[: self._room()]
        part = self._matrix[:, columns]
        self._engine.variables.add(
            obj=self._costs[columns].tolist(), columns=compressed(part.indptr, part.indices, part.data)
        )
        self._loaded = np.concatenate([self._loaded, columns])

    def _unload(self, leaving: BoolArray) -> None:
        self._engine.variables.delete(np.flatnonzero(leaving).tolist())
        self._loaded = self._loaded[~leaving]


class CplexSetPartition:
    """The restricted master as an integer program.

    Parameters
    ----------
    options
        Of CPLEX; the seed is given anew for every program.
    """

    def __init__(self, options: CplexOptions | None = None) -> None:
        self._options = options or CplexOptions()

    @property
    def most_columns(self) -> int:
        """Most columns that the CPLEX that is installed solves."""
        return most_of_either()

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
        """Choose columns that cover every row exactly `rhs` times.

        Raises
        ------
        UsageError
            CPLEX is not installed, or the program exceeds the Community Edition.
        """
        model = new_model("restricted master MIP", self._options._replace(seed=seed))
        check_size(model.name, rows=len(rhs), variables=len(costs))
        engine = model.get_cplex()
        model.parameters.mip.tolerances.mipgap = relative_gap
        model.parameters.mip.tolerances.absmipgap = 0.0
        if node_limit is not None:
            model.parameters.mip.limits.nodes = node_limit
        starts, rows, values = merged_entries(starts, rows)
        engine.linear_constraints.add(senses="E" * len(rhs), rhs=rhs.tolist())
        engine.variables.add(
            obj=costs.tolist(),
            ub=np.minimum.reduceat(rhs[rows] // values, starts[:-1]).tolist() if len(costs) else [],
            types="I" * len(costs),
            columns=compressed(starts, rows, values),
        )
        if start is not None:
            times = np.bincount(start, minlength=len(costs)).tolist()
            engine.MIP_starts.add(
                [list(range(len(costs))), times], engine.MIP_starts.effort_level.solve_fixed
            )
        status = solve(model, time_limit=time_limit)
        answer = _integer_solution(engine, status, costs)
        model.end()
        return answer if start is None else _with_start(answer, start, costs)


def _integer_solution(engine: Any, status: SolveStatus, costs: FloatArray) -> IntegerSolution:
    chosen, objective, bound = np.zeros(0, np.int64), math.nan, math.nan
    if status in (SolveStatus.OPTIMAL, SolveStatus.FEASIBLE):
        times = np.rint(to_array(engine.solution.get_values())).astype(np.int64)
        chosen = np.repeat(np.arange(len(costs)), times)
        objective = float(costs[chosen].sum())
    if status in (SolveStatus.OPTIMAL, SolveStatus.FEASIBLE, SolveStatus.LIMIT):
        bound = engine.solution.MIP.get_best_objective()
    return IntegerSolution(status, objective, chosen, bound)


def _with_start(answer: IntegerSolution, start: IntArray, costs: FloatArray) -> IntegerSolution:
    """Return the known solution where a limit came before CPLEX had looked at it."""
    known = float(costs[start].sum())
    if answer.status is SolveStatus.LIMIT or (
        answer.status is SolveStatus.FEASIBLE and known < answer.objective
    ):
        return IntegerSolution(SolveStatus.FEASIBLE, known, np.sort(start), answer.bound)
    return answer


def _too_few_columns(rows: int) -> UsageError:
    return UsageError(
        f"the {COMMUNITY_LIMIT} columns that the Community Edition of CPLEX solves at a time are too few for a "
        f"master LP with {rows} rows: use more subsets, a full licence of CPLEX, or the solver highs"
    )


def _rows_of_bounds(lower: FloatArray, upper: FloatArray) -> tuple[str, list[float], list[float]]:
    """Return senses, right sides and ranges in CPLEX's form."""
    equal, no_lower, no_upper = lower == upper, np.isneginf(lower), np.isposinf(upper)
    senses = np.select([equal, no_lower, no_upper], ["E", "L", "G"], default="R")
    ranged = senses == "R"
    right = np.where(no_lower, upper, lower)
    ranges = np.zeros(len(lower))
    ranges[ranged] = upper[ranged] - lower[ranged]
    return "".join(senses.tolist()), right.tolist(), ranges.tolist()


def _others(chosen: IntArray, number: int) -> IntArray:
    """Return the indices below `number` that are not among the chosen ones, ascending."""
    rest: IntArray = np.delete(np.arange(number), chosen)
    return rest
