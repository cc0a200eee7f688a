"""`optimise`: annealing, bounds, exact re-optimisation, sharing the time; never loses its incumbent."""

from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch import first_improvement
from minv.progress import ProgressCallback
from minv.publish import annealing, patches
from minv.publish.bounding import LEAST_ITERATIONS, Bounding
from minv.publish.engines import can_price, make_solvers
from minv.publish.exact_search import search_exactly
from minv.publish.incumbent import Incumbent
from minv.publish.means import Means
from minv.stopping import Stop

LARGE = 5_000  # points beyond which patches are annealed instead of the whole
MOST_ROWS = 9_000  # beyond these the master is too large
_ANNEALING = 0.35  # share of the time
_FULL = 1_000  # points from which annealing has its share; fewer get less
_DESCENT = 0.1  # share of the time, where patches follow
_WHOLE = 0.45  # share of what is left then
_PATCHES = 0.7  # share of what is left after that


def first_incumbent(instance: Instance, stop: Stop, progress: ProgressCallback) -> Incumbent:
    """Return a feasible partition at a local optimum, within a second for ten thousand points."""
    start = sorted_start(instance.points, instance.colours, instance.m, max_size=instance.max_size)
    incumbent = Incumbent(instance, start, stop, progress)
    incumbent.report("start")
    return incumbent


def optimise(incumbent: Incumbent, stop: Stop, means: Means) -> None:
    """Improve the incumbent and its bound until `stop`, or until there is nothing left to do.

    An effort is so many million moves of annealing, iterations of column generation (at least thirty) and
    neighbourhoods.

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
    bounding = _bounding(incumbent, stop, means)
    try:
        if large:
            _anneal_large(incumbent, stop, means)
        else:
            incumbent.timed("annealing", lambda: _anneal(incumbent, stop, means))
        search_exactly(incumbent, bounding, stop, means)
    finally:
        if bounding is not None:
            bounding.finish(cancel=means.effort is None)


def _descend(incumbent: Incumbent, stop: Stop) -> None:
    instance = incumbent.instance
    labels = first_improvement(instance.points, instance.colours, incumbent.labels, stop=stop)
    incumbent.offer(labels, "descent")


def _bounding(incumbent: Incumbent, stop: Stop, means: Means) -> Bounding | None:
    """Start to prove bounds in the background, or return None where the instance is too large for that."""
    instance, effort = incumbent.instance, means.effort
    if not can_price(instance) or len(instance.rows.points) > MOST_ROWS:
        return None
    # A run that time limits ends its bounding itself; one that effort limits lets it do all its work.
    own = Stop(time_limit=stop.remaining(), cancel=None if effort is None else stop.cancel)
    iterations = None if effort is None else max(effort, LEAST_ITERATIONS)
    solvers = make_solvers(means.solver, means.seed)
    bounding = Bounding(incumbent, incumbent.labels, solvers, own, iterations=iterations, seed=means.seed)
    bounding.start()
    if effort is not None and stop.gap > 0:
        bounding.finish(cancel=False)  # else the gap at any moment would depend on the machine
    return bounding


def _anneal_large(incumbent: Incumbent, stop: Stop, means: Means) -> None:
    """Anneal the whole, then patches of it: far-reaching clusters need the one, near ones gain by the other."""
    whole = _WHOLE * stop.remaining()
    units = means.units(2)
    incumbent.timed(
        "annealing",
        lambda: annealing.anneal_further(incumbent, stop, units=units, seconds=whole, seed=means.seed),
    )
    seconds = _PATCHES * stop.remaining()
    incumbent.timed(
        "patches",
        lambda: patches.search(
            incumbent,
            stop,
            units=units,
            seconds=seconds,
            seed=means.seed,
            workers=means.workers,
            executor=means.executor,
        ),
    )


def _anneal(incumbent: Incumbent, stop: Stop, means: Means) -> None:
    annealing.search(
        incumbent,
        stop,
        units=means.units(),
        seconds=_ANNEALING * min(1.0, incumbent.instance.size / _FULL) * stop.remaining(),
        seed=means.seed,
        workers=means.workers,
        executor=means.executor,
    )
