"""Solve a small instance, or a neighbourhood of a large one, to proved optimality where that is possible."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from minv.colgen.branching import Heard, Search, ignore
from minv.colgen.covering import columns_of, covering_of
from minv.colgen.generation import ColumnGeneration
from minv.colgen.master import SolverFactory
from minv.colgen.rounding import choose_partition, room_for_columns
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.loss import squared_distances, sum_of_squared_errors
from minv.pricing.protocol import Columns, ExactPricer
from minv.solvers.protocol import SetPartitionSolver
from minv.stopping import Stop

PricerFactory = Callable[[Instance, float], ExactPricer]

_OPTIMAL = 1e-9  # relative gap at which an incumbent counts as optimal
_SOLVER = 5e-7  # what the tolerances of an integer program may hide, relative
_LEAST_GAP = 0.005  # of the whole gap: columns that reach less far are not worth a search
_FIRST_LISTED = 20_000
_PROMISING = 3000  # columns of the integer program that looks for a better partition
_SECONDS = 5.0  # for it, where time limits the run
_NODES = 300
_MORE_LISTED = 4
_NEARER = 0.6  # of the gap: what is listed next where all columns are too many
_ROUND = 60  # cuts added at a time
_IDLE_ROUNDS = 3
_LEAST_GAIN = 1e-5  # of the loss: a round of cuts that gains less is idle


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
    squares = squared_distances(instance.points, labels)
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
) -> tuple[Columns | None, float]:
    """List the columns that can take part in a solution better than the bound plus `gap`, or the best of them.

    A column with a higher reduced cost under the duals of the bound is in no such solution (reduced-cost
    fixing). Returns the columns, None if time ran out, and how far above the bound they are all. Where the pricer
    lists none, as a heuristic one, or those of even a small gap are too many, as after a relaxation that was not
    solved, they are the columns that were generated, and the reach is 0.
    """
    least = _LEAST_GAP * gap
    columns = generation.columns_below(gap, most, stop)
    while columns is None and stop.remaining() > 0 and gap > least:
        gap *= _NEARER
        columns = generation.columns_below(gap, most, stop)
    if columns is None and stop.remaining() > 0:
        return generation.master.pool.columns, 0.0
    return columns, gap


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

    Column generation, rounds of cuts while they gain, then `close_listed`.
    """
    random = np.random.default_rng(seed)
    generation = open_generation(instance, labels, solvers)
    _converge(generation, stop)
    sse = sum_of_squared_errors(instance.points, labels)
    idle = 0
    for _ in range(cut_rounds):
        before = generation.bound.value
        if (
            idle == _IDLE_ROUNDS
            or before <= 0
            or sse - before <= _OPTIMAL * sse
            or not generation.cut(_ROUND, random)
        ):
            break
        _converge(generation, stop)
        idle = 0 if generation.bound.value > before + _LEAST_GAIN * sse else idle + 1
    return close_listed(
        generation,
        instance,
        labels,
        solvers.integer,
        stop,
        most_columns=most_columns,
        seed=seed,
        node_limit=node_limit,
    )


def close_listed(
    generation: ColumnGeneration,
    instance: Instance,
    labels: IntArray,
    integer: SetPartitionSolver,
    stop: Stop,
    *,
    most_columns: int,
    seed: int,
    node_limit: int | None = None,
    workers: int = 1,
    heard: Heard = ignore,
) -> Closed:
    """Search the columns that can be in a better partition; where a heuristic pricer made them, those that there are.

    First only as far above the bound as there are some thousand columns: what is not found there proves a bound, and
    what is found makes the next list shorter.

    Parameters
    ----------
    generation
        With the bound that tells which columns these are.
    most_columns
        The longest list that is searched.
    node_limit
        Most parts of the search, where time may not limit it.
    workers
        Threads; they do not change the result.
    heard
        Told the bound and the best labels from time to time.

    Raises
    ------
    ValueError
        The instance may have counterfeits, which are no rows of the search.
    """
    sse = sum_of_squared_errors(instance.points, labels)
    root = max(generation.bound.value, 0.0)
    closed = Closed(labels, sse, root, proved=sse - root <= _OPTIMAL * sse)
    most = min(_FIRST_LISTED, most_columns)
    searched = 0
    while not closed.proved and stop.remaining() > 0 and (node_limit is None or searched < node_limit):
        columns, reach = columns_near(generation, closed.sse - root, most, stop)
        if columns is None:
            break
        listed = reach > 0  # else the columns that there are, which prove nothing
        search = Search(
            instance,
            closed.labels,
            columns,
            root + reach if listed else np.inf,
            integer,
            proof=generation.bound,
            seed=seed,
        )
        left = None if node_limit is None else node_limit - searched
        search.run(stop, node_limit=left, workers=workers, heard=heard if listed else ignore)
        searched += search.searched
        bound = search.bound * (1 - _SOLVER) if listed else 0.0
        closed = Closed(search.labels, search.sse, max(closed.bound, bound), search.proved and listed)
        if not listed or not search.finished or most == most_columns:
            break
        most = min(_MORE_LISTED * most, most_columns)
    return closed if closed.proved else _chosen(generation, instance, closed, integer, stop, seed)


def _chosen(
    generation: ColumnGeneration,
    instance: Instance,
    closed: Closed,
    integer: SetPartitionSolver,
    stop: Stop,
    seed: int,
) -> Closed:
    """Choose among a few columns of least reduced cost: a better partition may lie above what the lists reach."""
    most = min(_PROMISING, room_for_columns(integer, closed.labels))
    columns, _ = columns_near(generation, closed.sse - max(generation.bound.value, 0.0), most, stop)
    left = stop.remaining()
    if columns is None or columns.number > most or left <= 0:
        return closed
    labels, _ = choose_partition(
        integer,
        instance,
        columns,
        closed.labels,
        time_limit=left if np.isinf(left) else min(_SECONDS, left),
        seed=seed,
        node_limit=_NODES,
    )
    sse = sum_of_squared_errors(instance.points, labels)
    return Closed(labels, sse, closed.bound, sse <= closed.bound) if sse < closed.sse else closed


def _converge(generation: ColumnGeneration, stop: Stop) -> None:
    while generation.step(stop):
        pass
