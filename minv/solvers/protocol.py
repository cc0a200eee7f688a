"""The two problems that solvers solve for us, and their statuses."""

import sys
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from minv.compiled import FloatArray, IntArray

UNLIMITED = sys.maxsize


class SolveStatus(Enum):
    """The one vocabulary that every solver's own statuses are mapped to, in one table a solver."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"  # stopped at a limit, with a solution
    LIMIT = "limit"  # stopped at a limit, without a solution
    INFEASIBLE = "infeasible"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class LinearSolution:
    """Of a master LP: `values` a column, `duals` a row; both empty unless there is a solution."""

    status: SolveStatus
    objective: float
    values: FloatArray
    duals: FloatArray


@dataclass(frozen=True, slots=True)
class IntegerSolution:
    """Of a restricted master MIP: indices of the chosen columns, and the solver's bound for these columns."""

    status: SolveStatus
    objective: float
    chosen: IntArray
    bound: float


class MasterSolver(Protocol):
    """min cost x subject to A x = rhs (or >= and <= rows for cuts), x >= 0; grown and shrunk by columns."""

    @property
    def most_rows(self) -> int:
        """Most rows that it solves, or UNLIMITED."""
        ...

    def add_columns(self, starts: IntArray, rows: IntArray, values: FloatArray, costs: FloatArray) -> None:
        """Append columns in compressed form (starts has one entry more than there are columns)."""
        ...

    def add_rows(
        self, starts: IntArray, columns: IntArray, values: FloatArray, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Append rows in compressed form over the present columns."""
        ...

    def keep_rows(self, keep: IntArray) -> None:
        """Drop all rows but those of these ascending indices."""
        ...

    def keep_columns(self, keep: IntArray) -> None:
        """Drop all columns but those of these ascending indices."""
        ...

    def change_costs(self, columns: IntArray, costs: FloatArray) -> None:
        """Replace the costs of some columns."""
        ...

    def solve(self, *, tolerance: float, time_limit: float) -> LinearSolution:
        """Solve to a relative duality gap of about `tolerance`."""
        ...


class SetPartitionSolver(Protocol):
    """min cost x, every row covered exactly `rhs` times, x binary (integer where a row repeats)."""

    @property
    def most_columns(self) -> int:
        """Most columns that it solves, or UNLIMITED."""
        ...

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
        """Choose columns; one that lists a row k times covers it k times.

        `start` lists the columns of a known solution (repeated where chosen twice);
        `node_limit` limits the branch and bound where the result may not depend on a clock.
        """
        ...
