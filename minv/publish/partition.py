"""The entry point: one partition of points into m-unique clusters by a named method."""

from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.errors import UsageError
from minv.heuristics import classic, random_bucket, tau
from minv.instance import Instance, check_eligible
from minv.localsearch import two_swap
from minv.loss import information_loss, total_sum_of_squares
from minv.progress import ProgressCallback, silent
from minv.publish.certificate import certify
from minv.publish.engines import choose_solver, resolve_pricing
from minv.publish.incumbent import Incumbent
from minv.publish.means import Means
from minv.publish.paper import paper
from minv.publish.portfolio import first_incumbent, optimise
from minv.publish.result import Partition, Status
from minv.publish.workers import open_executor, resolve_workers
from minv.stopping import CancelToken, Stop

STARTS = {"classic": classic, "random-bucket": random_bucket, "tau": tau}
METHODS = (*STARTS, "two-swap", "paper", "optimise")
DEFAULT_SECONDS = 60.0
_OPTIMAL_GAP = 1e-6


def partition(
    points: FloatArray,
    colours: IntArray,
    m: int,
    *,
    method: str = "optimise",
    max_class_size: int | None = None,
    subsets: int = 1,
    start: str = "tau",
    swap_first: bool = True,
    pricing: str = "auto",
    time_limit: float | None = None,
    gap: float = 0.0,
    effort: int | None = None,
    workers: int | None = None,
    seed: int = 0,
    solver: str = "auto",
    solver_log: Path | None = None,
    progress: ProgressCallback = silent,
    cancel: CancelToken | None = None,
    executor: Executor | None = None,
) -> Partition:
    """Partition points into clusters of `m` or more different colours at little information loss.

    Parameters
    ----------
    points
        (n, d) encoded coordinates, finite, of any offset and scale.
    colours
        (n,) colour of each point: whole numbers, 0 or more.
    m
        Least cluster size.
    method
        `classic`, `random-bucket`, `tau` (published heuristics), `two-swap` (from `start`), `paper` (column
        generation on subsets, Tobar Nicolau, Castro and Gentile 2025) or `optimise` (everything, with a bound).
    max_class_size
        Largest cluster size, m..2m-1; 2m-1 by default.
    subsets, swap_first
        Of `paper`: number of subsets, and whether two-swap improves the start before they are made.
    pricing
        Of `paper`: `box` (our exact search), `miqp` or `milp` (the paper's programs, for CPLEX). `auto` is
        `milp` with the solver `cplex`, else `box`.
    start
        Heuristic that `two-swap` and `paper` start from.
    time_limit
        Wall seconds; 60 for `optimise` and 7200 for `paper` where neither this nor `effort` is given.
    gap
        Relative gap at which to stop.
    effort
        Deterministic work units: the result is then the same on every machine and for any number of workers.
    workers
        Processes; one a core by default.
    seed
        Decides all random choices.
    solver
        `auto` (which is `highs`), `highs` or `cplex` (an extra), for linear and integer programs.
    solver_log
        File for what the solver says, written anew; None for silence.
    progress, cancel
        Told of every change; asked whether to stop.
    executor
        Runs the subsets and neighbourhoods instead of processes of our own.

    Raises
    ------
    UsageError
        An argument is out of range or names nothing, CPLEX is not installed, a program is larger than its
        Community Edition solves, or the log cannot be written.
    InfeasibleError
        The points are not m-eligible.
    """
    _check_choices(method, start, subsets, max_class_size, effort, seed)
    chosen_solver = choose_solver(solver, solver_log)
    chosen_pricing = resolve_pricing(pricing, chosen_solver.name)
    processes = resolve_workers(workers)
    if time_limit is None and effort is None:
        time_limit = {"optimise": DEFAULT_SECONDS, "paper": 7200.0}.get(method)
    stop = Stop(time_limit=time_limit, effort=None, gap=gap, cancel=cancel)
    instance = Instance(normalised(points), colour_numbers(colours), m, max_class_size or 0)
    check_eligible(
        np.bincount(instance.colours) if instance.size else np.zeros(0, np.int64), m, instance.max_size
    )
    if instance.size == 0:
        return _empty(m, method, chosen_solver.name, seed)

    if method == "optimise":
        incumbent = first_incumbent(instance, stop, progress)
        with nullcontext(executor) if executor is not None else open_executor(processes, stop.cancel) as pool:
            optimise(incumbent, stop, Means(chosen_solver, effort, seed, processes, pool))
    else:
        heuristic = STARTS.get(method, STARTS[start])
        labels = heuristic(instance.points, instance.colours, m, seed, max_size=instance.max_size)
        incumbent = Incumbent(instance, labels, stop, progress)
        incumbent.timed(method if method in STARTS else start, lambda: incumbent.report("start"))
        if method == "two-swap":
            incumbent.timed("two-swap", lambda: swap(incumbent, stop))
        elif method == "paper":
            paper(
                incumbent,
                stop,
                subsets=subsets,
                swap_first=swap_first,
                solver=chosen_solver,
                pricing=chosen_pricing,
                effort=effort,
                workers=processes,
                seed=seed,
                executor=executor,
            )
    return result_of(incumbent, points, method, chosen_solver.name, seed, stop)


def _check_choices(
    method: str, start: str, subsets: int, max_class_size: int | None, effort: int | None, seed: int
) -> None:
    if method not in METHODS:
        raise UsageError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    if start not in STARTS:
        raise UsageError(f"there is no start {start!r}; choose one of {', '.join(STARTS)}")
    if subsets < 1:
        raise UsageError(f"the number of subsets must be at least 1, not {subsets}")
    if max_class_size is not None and max_class_size < 1:
        raise UsageError(f"the largest class size must be at least 1, not {max_class_size}")
    if effort is not None and effort < 1:
        raise UsageError("the effort must be a whole number of work units, 1 or more")
    if seed < 0:
        raise UsageError(f"the seed must be a whole number, 0 or more, not {seed}")


def swap(incumbent: Incumbent, stop: Stop) -> None:
    """Improve the incumbent by two-swap."""
    instance = incumbent.instance
    incumbent.offer(two_swap(instance.points, instance.colours, incumbent.labels, stop=stop), "two-swap")


def colour_numbers(colours: IntArray) -> IntArray:
    """Return the colours numbered 0, 1, 2, ... in ascending order.

    Raises
    ------
    UsageError
        They are no whole numbers, or some are negative.
    """
    values = np.asarray(colours)
    if values.size and (values.dtype.kind not in "biu" or values.min() < 0):
        raise UsageError("colours must be whole numbers, 0 or more")
    return np.unique(values, return_inverse=True)[1].reshape(values.shape).astype(np.int64)


def normalised(points: FloatArray) -> FloatArray:
    """Shift to the mean and scale all coordinates alike so that tolerances fit any offset and unit."""
    values = np.asarray(points, dtype=np.float64)
    if values.ndim != 2 or not len(values) or not np.isfinite(values).all():
        return values
    centred: FloatArray = values - values.mean(axis=0)
    largest = float(np.abs(centred).max(initial=0.0))
    if largest > 0:
        centred /= largest
        centred /= np.sqrt(np.mean(centred**2))
    return centred


def result_of(
    incumbent: Incumbent, points: FloatArray, method: str, solver: str, seed: int, stop: Stop
) -> Partition:
    """Return the incumbent of a run, its loss and bounds in the units of the given points."""
    sst = total_sum_of_squares(np.asarray(points, dtype=np.float64))
    sse = incumbent.il / 100 * sst
    bounds = incumbent.bounds
    limit = incumbent.sse

    def as_il(value: float | None) -> float | None:
        return None if value is None else information_loss(min(value, limit), incumbent.sst)

    optimal = incumbent.gap <= _OPTIMAL_GAP
    status: Status = "optimal" if optimal else "feasible"
    scale = sst / incumbent.sst if incumbent.sst > 0 else 1.0
    certificate, certified = None, None
    if bounds.certificate is not None:
        certificate = certify(incumbent.instance, bounds.certificate, scale)
        certified = information_loss(min(certificate.bound, sse), sst)
    return Partition(
        labels=renumbered(incumbent.labels),
        m=incumbent.instance.m,
        sse=sse,
        sst=sst,
        il=incumbent.il,
        method=method,
        solver=solver,
        seed=seed,
        seconds=stop.elapsed,
        status=status,
        lp_bound_il=as_il(bounds.linear),
        lower_bound_il=as_il(bounds.best),
        certified_bound_il=certified,
        certificate=certificate,
        steps=tuple(incumbent.steps),
    )


def renumbered(labels: IntArray) -> IntArray:
    """Return labels numbered 0, 1, 2, ... by first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def _empty(m: int, method: str, solver: str, seed: int) -> Partition:
    return Partition(np.zeros(0, np.int64), m, 0.0, 0.0, 0.0, method, solver, seed, 0.0, "optimal")
