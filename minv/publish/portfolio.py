"""`optimise`: annealing, bounds, exact re-optimisation, sharing the time; never loses its incumbent."""

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import islice
from math import inf

from minv.colgen.exact import close_listed
from minv.colgen.generation import LinearBound
from minv.colgen.pool import columns_of_partition
from minv.compiled import FloatArray, IntArray
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch import first_improvement
from minv.loss import sum_of_squared_errors
from minv.pricing.reduced_costs import priced
from minv.progress import ProgressCallback
from minv.publish import annealing, patches
from minv.publish.bounding import LEAST_ITERATIONS, Bounding
from minv.publish.descending import descend_from_relaxation
from minv.publish.engines import SolverChoice, can_price, make_solvers
from minv.publish.incumbent import Incumbent
from minv.publish.neighbourhoods import Depth, Neighbourhoods, apply_task, solve_task
from minv.stopping import Stop

SMALL = 400  # points up to which the columns of the whole may be few enough to be listed
LARGE = 5_000  # points beyond which patches are annealed instead of the whole
MOST_ROWS = 9_000  # beyond these the master is too large
_BATCH = 4
_STAGES = (  # depth of the search and points of the neighbourhoods
    (Depth(seconds=8.0, columns=20_000, parts=4), (64, 120, 180)),
    (Depth(seconds=20.0, columns=100_000, parts=20), (64, 120, 180)),
    (Depth(seconds=60.0, columns=400_000, parts=50, cut_rounds=5), (64, 120, 180)),
)
_PUNCTUAL = 0.9  # of the time that is left: the integer programs look at the clock now and then only
_ANNEALING = 0.35  # share of the time
_DESCENT = 0.1  # share of the time, where patches follow
_WHOLE = 0.45  # share of what is left then
_PATCHES = 0.7  # share of what is left after that
_FULL = 1_000  # points from which annealing has its share; fewer get less
_RELAXED = 0.25  # share of what is left then for dives from the relaxation
_FIRST = 0.1  # share of what is left then for neighbourhoods, where all columns may be listed later
_MOSTLY = 0.6  # the same for larger tables, where that is less likely
_LISTABLE = 1.0  # mean costs of a cluster: columns below a larger gap are too many
_CLOSE_COLUMNS = 2_000_000
_PARTS_A_UNIT = 4


def first_incumbent(instance: Instance, stop: Stop, progress: ProgressCallback) -> Incumbent:
    """Return a feasible partition at a local optimum, within a second for ten thousand points."""
    start = sorted_start(instance.points, instance.colours, instance.m, max_size=instance.max_size)
    incumbent = Incumbent(instance, start, stop, progress)
    incumbent.report("start")
    return incumbent


def optimise(
    incumbent: Incumbent,
    stop: Stop,
    *,
    solver: SolverChoice,
    effort: int | None,
    seed: int,
    workers: int = 1,
    executor: Executor | None,
) -> None:
    """Improve the incumbent and its bound until `stop`, or until there is nothing left to do.

    Parameters
    ----------
    solver
        Who solves the linear and integer programs.
    effort
        None where time limits the run. Otherwise: so many million moves of annealing, iterations of column
        generation (at least thirty) and neighbourhoods, whatever the machine and the number of workers.
    workers, executor
        How many patches or neighbourhoods are solved at a time, and by whom; None solves them here.

    Raises
    ------
    UsageError
        The linear relaxation has more rows than the solver takes.
    """
    instance = incumbent.instance
    large = instance.size > LARGE
    brief = stop.part(_DESCENT if large else 1.0)
    incumbent.timed("descent", lambda: _descend(incumbent, brief))
    if incumbent.sse <= 1e-12 * incumbent.sst:
        incumbent.bounds.learn_value(incumbent.sse)
        return
    bounding = None
    if can_price(instance) and len(instance.rows.points) <= MOST_ROWS:
        # A run that time limits ends its bounding itself; one that effort limits lets it do all its work.
        own = Stop(time_limit=stop.remaining(), cancel=None if effort is None else stop.cancel)
        iterations = None if effort is None else max(effort, LEAST_ITERATIONS)
        bounding = Bounding(
            incumbent, incumbent.labels, make_solvers(solver, seed), own, iterations=iterations, seed=seed
        )
        bounding.start()
        if effort is not None and stop.gap > 0:
            bounding.finish(cancel=False)  # else the gap at any moment would depend on the machine
    try:
        if large:
            _anneal_large(incumbent, stop, effort, seed, workers, executor)
        else:
            incumbent.timed("annealing", lambda: _anneal(incumbent, stop, effort, seed, workers, executor))
        _exactly(incumbent, bounding, stop, solver, effort, seed, workers, executor)
    finally:
        if bounding is not None:
            bounding.finish(cancel=effort is None)


def _descend(incumbent: Incumbent, stop: Stop) -> None:
    instance = incumbent.instance
    labels = first_improvement(instance.points, instance.colours, incumbent.labels, stop=stop)
    incumbent.offer(labels, "descent")


def _anneal_large(
    incumbent: Incumbent,
    stop: Stop,
    effort: int | None,
    seed: int,
    workers: int,
    executor: Executor | None,
) -> None:
    """Anneal the whole, then patches of it: far-reaching clusters need the one, near ones gain by the other."""
    whole = _WHOLE * stop.remaining()
    units = -(-(effort or 0) // 2)
    incumbent.timed(
        "annealing",
        lambda: annealing.anneal_further(incumbent, stop, units=units, seconds=whole, seed=seed),
    )
    seconds = _PATCHES * stop.remaining()
    incumbent.timed(
        "patches",
        lambda: patches.search(
            incumbent, stop, units=units, seconds=seconds, seed=seed, workers=workers, executor=executor
        ),
    )


def _anneal(
    incumbent: Incumbent,
    stop: Stop,
    effort: int | None,
    seed: int,
    workers: int,
    executor: Executor | None,
) -> None:
    annealing.search(
        incumbent,
        stop,
        units=effort or 0,
        seconds=_ANNEALING * min(1.0, incumbent.instance.size / _FULL) * stop.remaining(),
        seed=seed,
        workers=workers,
        executor=executor,
    )


def _exactly(
    incumbent: Incumbent,
    bounding: Bounding | None,
    stop: Stop,
    solver: SolverChoice,
    effort: int | None,
    seed: int,
    workers: int,
    executor: Executor | None,
) -> None:
    """Re-optimise neighbourhoods, and search the whole where its columns may be few enough to be listed."""
    if effort is not None and bounding is not None:
        bounding.finish(cancel=False)  # its duals choose the neighbourhoods
    stages = []
    for depth, sizes in _STAGES:
        limits = depth if effort is None else depth._replace(seconds=inf)
        make = partial(Neighbourhoods, incumbent.instance, depth=limits, seed=seed, solver=solver)
        stages.append([make(size=size) for size in sizes])

    def reoptimise(until: Stop) -> None:
        incumbent.timed(
            "neighbourhoods", lambda: _reoptimise(incumbent, bounding, stages, until, effort, executor)
        )

    small = incumbent.instance.size <= SMALL
    if not small and bounding is not None and bounding.rooted.is_set():
        incumbent.timed(
            "descent from the relaxation",
            lambda: descend_from_relaxation(
                incumbent,
                bounding.generation,
                stop.part(_RELAXED),
                solver=solver,
                units=-(-(effort or 0) // 4),
                seed=seed,
            ),
        )
    reoptimise(stop if bounding is None else stop.part(_FIRST if small else _MOSTLY))
    if bounding is None or stop.reached(incumbent.gap):
        return
    if small:
        bounding.wait(stop)
    if small or (not bounding.running and _listable(incumbent)):
        incumbent.timed("closing", lambda: _close(incumbent, bounding, stop, solver, effort, seed, workers))
    if effort is None:
        reoptimise(stop)


def _listable(incumbent: Incumbent) -> bool:
    """Whether the columns that a better partition can use may be few enough to be listed."""
    mean = incumbent.sse / (int(incumbent.labels.max()) + 1)
    return incumbent.gap * incumbent.sse <= _LISTABLE * mean


def _close(
    incumbent: Incumbent,
    bounding: Bounding,
    stop: Stop,
    solver: SolverChoice,
    effort: int | None,
    seed: int,
    workers: int,
) -> None:
    """Search all columns that can be in a better partition, once no cut raises the bound any more."""

    def heard(bound: float, labels: IntArray) -> None:
        if bound > 0:
            incumbent.bounds.learn_value(bound)
        incumbent.offer(labels, "closing")

    closed = close_listed(
        bounding.generation,
        incumbent.instance,
        incumbent.labels,
        make_solvers(solver, seed).integer,
        stop,
        most_columns=_CLOSE_COLUMNS,
        seed=seed,
        node_limit=None if effort is None else _PARTS_A_UNIT * effort,
        workers=workers,
        heard=heard,
    )
    heard(closed.bound, closed.labels)


def _reoptimise(
    incumbent: Incumbent,
    bounding: Bounding | None,
    stages: Sequence[Sequence[Neighbourhoods]],
    stop: Stop,
    effort: int | None,
    executor: Executor | None,
) -> None:
    """Take the sizes of a stage in turn; the next stage follows a round without gain, the first the last."""
    left = effort
    stage = turn = idle = 0
    gained = False
    while idle < sum(map(len, stages)) and (left is None or left > 0) and not stop.reached(incumbent.gap):
        maker = stages[stage][turn]
        most = _BATCH if left is None else min(_BATCH, left)
        seconds = _PUNCTUAL * stop.remaining()
        labels = incumbent.labels
        badness = badness_of(incumbent.instance, labels, None if bounding is None else bounding.bound)
        tasks = list(islice(maker.tasks(labels, badness, most, seconds), most))
        idle = 0 if tasks else idle + 1
        if left is not None:
            left -= len(tasks)
        solved: Iterable[IntArray] = (
            map(solve_task, tasks) if executor is None else executor.map(solve_task, tasks)
        )
        for task, found in zip(tasks, solved, strict=True):
            old = sum_of_squared_errors(task.points, task.labels)
            if sum_of_squared_errors(task.points, found) < old:
                labels = apply_task(labels, task, found)
        gained |= incumbent.offer(labels, "neighbourhoods")
        turn += 1
        if turn == len(stages[stage]):
            stage = stage if gained else (stage + 1) % len(stages)
            turn, gained = 0, False


def badness_of(instance: Instance, labels: IntArray, bound: LinearBound | None) -> FloatArray:
    """Return the reduced cost of each cluster under the duals of the bound, or its SSE without a bound.

    Penalties of cuts are part of it: without them a cluster that many cuts price up would look like a good one.
    """
    rows = instance.rows
    columns = columns_of_partition(rows.points, rows.row_of_point, labels)
    return columns.costs if bound is None else priced(columns, bound.duals, bound.cuts)
