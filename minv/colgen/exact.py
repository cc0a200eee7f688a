"""Solve a small instance, or a neighbourhood of a large one, to proved optimality where that is possible."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from minv.colgen.covering import columns_of, covering_of
from minv.colgen.generation import ColumnGeneration
from minv.colgen.master import SolverFactory
from minv.colgen.rounding import choose_partition, room_for_columns
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.loss import sum_of_squared_errors
from minv.pricing.protocol import Columns, ExactPricer
from minv.solvers.protocol import SetPartitionSolver, SolveStatus
from minv.stopping import Stop

PricerFactory = Callable[[Instance, float], ExactPricer]

_OPTIMAL = 1e-9  # relative gap at which an incumbent counts as optimal
_SOLVER = 5e-7  # what the tolerances of an integer program may hide, relative
_FIRST_COLUMNS = 3000
_FIRST_SECONDS = 5.0  # where time limits the run
_FIRST_NODES = 300
_LEAST_GAP = 1e-9  # of the whole gap: below it too few columns are left to be worth listing
_ROUND = 60  # cuts added at a time


@dataclass(frozen=True, slots=True)
class Solvers:
    """Who solves the linear and the integer master, and who prices (an instance, a tolerance)."""

    master: SolverFactory
    integer: SetPartitionSolver
    pricer: PricerFactory


@dataclass(frozen=True, slots=True)
class Closed:
    """A partition with a lower bound on SSE; `proved` where nothing can be better."""

    labels: IntArray
    sse: float
    bound: float
    proved: bool


def shares_of(instance: Instance, labels: IntArray) -> FloatArray:
    """Return the mean share of each row in the SSE of a partition: its squared distance to its centroid."""
    counts = np.maximum(np.bincount(labels), 1)
    squares = np.zeros(instance.size)
    for coordinate in instance.points.T:
        squares += (coordinate - (np.bincount(labels, weights=coordinate) / counts)[labels]) ** 2
    rows = instance.rows
    return np.bincount(rows.row_of_point, weights=squares) / rows.multiplicity


def open_generation(instance: Instance, labels: IntArray, solvers: Solvers) -> ColumnGeneration:
    """Start column generation from a partition."""
    shares = shares_of(instance, labels)
    loss = float(shares @ instance.rows.multiplicity)
    tolerance = max(1e-6 * loss / max(instance.size // instance.m, 1), 1e-12)
    covering = covering_of(instance)
    shares = np.append(shares, np.zeros(len(covering.at_most)))
    return ColumnGeneration(
        covering, solvers.pricer(instance, tolerance), solvers.master, shares, columns_of(instance, labels)
    )


def columns_near(
    generation: ColumnGeneration, gap: float, most: int, stop: Stop
) -> tuple[Columns | None, bool]:
    """List the columns that can take part in a solution better than the bound plus `gap`, or the best of them.

    A column with a higher reduced cost under the duals of the bound is in no such solution (reduced-cost
    fixing). Returns the columns, None if time ran out, and whether they are all. Where the pricer lists none, as a
    heuristic one, they are those that were generated.
    """
    least = _LEAST_GAP * gap
    columns = generation.columns_below(gap, most, stop)
    complete = columns is not None
    while columns is None and stop.remaining() > 0 and gap > least:
        gap /= 2
        columns = generation.columns_below(gap, most, stop)
    if columns is None and stop.remaining() > 0:
        columns = generation.master.pool.columns
    return columns, complete


def close_gap(
    instance: Instance,
    labels: IntArray,
    solvers: Solvers,
    stop: Stop,
    *,
    most_columns: int,
    cut_rounds: int,
    seed: int,
    node_limit: int | None = None,
) -> Closed:
    """Improve a partition by its own columns, prove a bound, and close the gap where the columns can be listed.

    Column generation and an integer program over a few thousand columns of least reduced cost; then rounds of
    subset-row cuts until the columns below the gap are at most `most_columns`, and an integer program over all
    of those, whose optimum is the optimum; `node_limit` bounds the latter's search. A solver that takes fewer
    columns is given fewer.
    """
    most_columns = min(most_columns, room_for_columns(solvers.integer, labels))
    sse = sum_of_squared_errors(instance.points, labels)
    generation = open_generation(instance, labels, solvers)
    while generation.step(stop):
        pass
    for attempt in range(cut_rounds + 1):
        gap = sse - generation.bound.value
        if gap <= _OPTIMAL * sse:
            return Closed(labels, sse, generation.bound.value, proved=True)
        most = most_columns if attempt else min(most_columns, _FIRST_COLUMNS)
        columns, complete = columns_near(generation, gap, most, stop)
        if columns is None or stop.remaining() <= 0:
            break
        if complete or not attempt:
            left = stop.remaining()
            labels, solution = choose_partition(
                solvers.integer,
                instance,
                columns,
                labels,
                time_limit=left if complete or np.isinf(left) else min(_FIRST_SECONDS, left),
                seed=seed,
                node_limit=node_limit if complete else _FIRST_NODES,
            )
            sse = sum_of_squared_errors(instance.points, labels)
            if complete and solution.status is SolveStatus.OPTIMAL:
                return Closed(labels, sse, max(sse * (1 - _SOLVER), generation.bound.value), proved=True)
        if attempt < cut_rounds:
            if generation.bound.value <= 0 or not generation.cut(_ROUND):
                break
            while generation.step(stop):
                pass
    return Closed(labels, sse, generation.bound.value, proved=False)
