"""All clusters of a later release together: a bound by column generation, then the best choice of its columns."""

from collections.abc import Callable
from functools import partial

import numpy as np

from minv.colgen.covering import covering_of
from minv.colgen.diving import Descent, dive, repair
from minv.colgen.exact import open_generation
from minv.colgen.generation import ColumnGeneration
from minv.colgen.pool import take
from minv.colgen.rounding import choose_partition, labels_of_columns, room_for_columns
from minv.compiled import FloatArray, IntArray
from minv.pricing.protocol import Columns
from minv.pricing.reduced_costs import reduced_costs
from minv.publish import linked
from minv.publish.bounding import LEAST_ITERATIONS
from minv.publish.engines import Pricing, SolverChoice, make_solvers
from minv.publish.incumbent import Incumbent
from minv.solvers.protocol import IntegerSolution, SetPartitionSolver, SolveStatus
from minv.solvers.vertex import highs_vertex
from minv.stopping import Stop

_ITERATIONS_A_UNIT = 10
_NODES_A_UNIT = 200  # of the integer program
_PROGRAM_SHARE = 0.4  # of the time, kept for the integer programs
_DIVES = ((1, 0.7), (3, 0.7), (3, 0.5))  # columns a row, and the values fixed together; until one succeeds
_ROUNDS = ((1, 0.7), (3, 1.0))  # columns a row, and share of the time that is left
_DIVING = 0.15  # of the time that is left after the relaxation: a dive that takes longer fails
_NEARLY_WHOLE = 0.01  # gap after the dive up to which an integer program soon ends
_CHOOSING = 0.5  # of the time that is left then, and again for a first proof
_NEIGHBOURHOODS = 0.9  # of the time that is left then
_PARTS_A_UNIT = 10
_MOST_LISTED = 20  # columns a row
_LISTABLE = 1.0  # mean costs of a cluster: columns below a larger gap are too many even to be counted
_CLOSED = 1e-6  # relative gap at which a release counts as optimal
_SOLVER = 5e-7  # what the tolerances of an integer program may hide, relative
_PUNCTUAL = 0.9  # of the time that is left: the integer program looks at the clock now and then only


def optimise_jointly(
    incumbent: Incumbent,
    stop: Stop,
    *,
    solver: SolverChoice,
    pricing: Pricing,
    effort: int | None,
    seed: int,
) -> None:
    """Bound the loss of a release with required signatures and improve it, all signatures at once.

    Buckets meet only in the free points and in the number of counterfeits, so the linear relaxation of the whole is
    small and nearly integral: an integer program over its columns of least reduced cost often ends at the bound.

    Parameters
    ----------
    incumbent
        Of an instance that tells its number of counterfeits; receives bounds and labels.
    stop
        Looked at between iterations; limits pricing, linear and integer programs.
    solver
        Who solves the programs.
    pricing
        `box` for our searches; the programs of another list no columns, so that nothing proves the best release.
    effort
        None where time limits the run. Otherwise a unit is ten iterations of column generation (at least thirty
        in all) and 200 nodes of an integer program.
    seed
        Of the integer program.
    """
    if incumbent.sse <= 1e-12 * incumbent.sst:
        incumbent.bounds.learn_value(incumbent.sse)
        return
    solvers = make_solvers(solver, seed, pricing)
    generation = open_generation(incumbent.instance, incumbent.labels, solvers)
    iterations = None if effort is None else max(_ITERATIONS_A_UNIT * effort, LEAST_ITERATIONS)
    incumbent.timed("linear relaxation", lambda: _bound(incumbent, generation, stop, iterations))
    nodes = None if effort is None else _NODES_A_UNIT * effort
    if solver.name == "highs":
        vertex = partial(highs_vertex, log=solver.stream)
        brief = stop.part(_DIVING)
        incumbent.timed(
            "diving", lambda: _dive(incumbent, generation, vertex, solvers.integer, brief, nodes, seed)
        )

    def choose(until: Stop) -> None:
        incumbent.timed(
            "integer program", lambda: _round(incumbent, generation, solvers.integer, until, nodes, seed)
        )

    def prove(until: Stop) -> None:
        incumbent.timed("proof", lambda: _prove(incumbent, generation, solvers.integer, until, nodes, seed))

    whole = incumbent.gap <= _NEARLY_WHOLE
    if whole:
        choose(stop.part(_CHOOSING))
        prove(stop.part(_CHOOSING))
    if not stop.reached(incumbent.gap) and incumbent.gap > _CLOSED:
        search = linked.Search(incumbent, generation, solvers, seed)
        parts = None if effort is None else _PARTS_A_UNIT * effort
        incumbent.timed("neighbourhoods", lambda: search.run(stop.part(_NEIGHBOURHOODS), parts))
        if not whole:
            choose(stop)
        prove(stop)


def _bound(incumbent: Incumbent, generation: ColumnGeneration, stop: Stop, iterations: int | None) -> None:
    limit = stop.part(1 - _PROGRAM_SHARE)
    while iterations is None or generation.iterations < iterations:
        more = generation.step(limit)
        incumbent.bounds.learn(generation.bound, root=True)
        incumbent.report("linear relaxation")
        if not more or (iterations is None and incumbent.gap <= stop.gap):
            return


def _round(
    incumbent: Incumbent,
    generation: ColumnGeneration,
    solver: SetPartitionSolver,
    stop: Stop,
    nodes: int | None,
    seed: int,
) -> None:
    """Choose among ever more columns of least reduced cost; the first few make the choice among more of them fast."""
    for columns_a_row, share in _ROUNDS:
        if stop.reached(incumbent.gap) or incumbent.gap <= _CLOSED:
            return
        most = min(columns_a_row * len(generation.bound.duals), room_for_columns(solver, incumbent.labels))
        columns = _promising(generation, incumbent.sse, most)
        _choose(incumbent, columns, solver, stop, nodes, seed, share=share)


def _dive(
    incumbent: Incumbent,
    generation: ColumnGeneration,
    vertex: Callable[..., FloatArray | None],
    solver: SetPartitionSolver,
    stop: Stop,
    nodes: int | None,
    seed: int,
) -> None:
    """Follow the relaxation down to a release near its optimum, within a few seconds."""
    instance = incumbent.instance
    covering = covering_of(instance)
    pool = generation.master.pool.columns
    costs = reduced_costs(pool, generation.bound.duals)
    unit = incumbent.sse / (int(incumbent.labels.max()) + 1)
    for columns_a_row, nearly in _DIVES:
        places = _least(costs, columns_a_row * len(covering.multiplicity))
        columns = take(pool, places)
        descent = dive(columns, covering.multiplicity, covering.at_most, vertex, unit, stop, nearly=nearly)
        if descent is None:
            return
        chosen = repair(
            Descent(places[descent.chosen], descent.left),
            pool,
            costs,
            covering.at_most,
            solver,
            unit,
            stop,
            seed=seed,
            node_limit=nodes,
        )
        if chosen is not None:
            incumbent.offer(labels_of_columns(pool, chosen, instance.rows.row_of_point), "diving")
            return


def _prove(
    incumbent: Incumbent,
    generation: ColumnGeneration,
    solver: SetPartitionSolver,
    stop: Stop,
    nodes: int | None,
    seed: int,
) -> None:
    """Choose among all columns that a better release can use, if they are few: what is best then is the optimum."""
    gap = incumbent.sse - generation.bound.value
    listable = _LISTABLE * incumbent.sse / (int(incumbent.labels.max()) + 1)
    if generation.bound.value <= 0 or not 0 < gap <= listable or stop.reached(incumbent.gap):
        return
    most = min(_MOST_LISTED * len(generation.bound.duals), room_for_columns(solver, incumbent.labels))
    columns = generation.columns_below(gap, most, stop)
    if columns is None or stop.reached(incumbent.gap):
        return
    solution = _choose(incumbent, columns, solver, stop, nodes, seed)
    if solution.status is SolveStatus.OPTIMAL:
        incumbent.bounds.learn_value(min(incumbent.sse * (1 - _SOLVER), solution.bound))


def _choose(
    incumbent: Incumbent,
    columns: Columns,
    solver: SetPartitionSolver,
    stop: Stop,
    nodes: int | None,
    seed: int,
    *,
    share: float = 1.0,
) -> IntegerSolution:
    """Offer the best release by some columns and those of the incumbent, found in a share of the time."""
    labels, solution = choose_partition(
        solver,
        incumbent.instance,
        columns,
        incumbent.labels,
        time_limit=_PUNCTUAL * share * stop.remaining(),
        relative_gap=stop.gap / 2,
        seed=seed,
        node_limit=nodes,
    )
    incumbent.offer(labels, "integer program")
    return solution


def _promising(generation: ColumnGeneration, sse: float, most: int) -> Columns:
    """Return the columns of the pool of least reduced cost that a better release than one of loss `sse` can use."""
    pool = generation.master.pool.columns
    costs = reduced_costs(pool, generation.bound.duals)
    places = _least(costs, most)
    useful = costs[places] <= sse - generation.bound.value + generation.bound.slack
    return take(pool, places[useful])


def _least(values: FloatArray, most: int) -> IntArray:
    """Return the places, ascending, of the least values."""
    return np.sort(np.argsort(values, kind="stable")[:most])
