"""Re-optimise neighbourhoods, and search the whole where its columns may be few enough to be listed."""

from collections.abc import Iterable
from functools import partial
from itertools import islice
from math import inf

from minv.colgen.covering import columns_of
from minv.colgen.exact import close_listed
from minv.colgen.generation import LinearBound
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.loss import sum_of_squared_errors
from minv.pricing.reduced_costs import priced
from minv.publish.bounding import Bounding
from minv.publish.descending import descend_from_relaxation
from minv.publish.engines import make_solvers
from minv.publish.incumbent import Incumbent
from minv.publish.means import Means
from minv.publish.neighbourhoods import Depth, Neighbourhoods, solve_task, with_part
from minv.stopping import Stop

SMALL = 400  # points up to which the columns of the whole may be few enough to be listed
_BATCH = 4
_STAGES = (  # depth of the search and points of the neighbourhoods
    (Depth(seconds=8.0, columns=20_000, parts=4), (64, 120, 180)),
    (Depth(seconds=20.0, columns=100_000, parts=20), (64, 120, 180)),
    (Depth(seconds=60.0, columns=400_000, parts=50, cut_rounds=5), (64, 120, 180)),
)
_PUNCTUAL = 0.9  # of the time that is left: the integer programs look at the clock now and then only
_RELAXED = 0.25  # share of the time that is left for dives from the relaxation
_FIRST = 0.1  # share of what is left then for neighbourhoods, where all columns may be listed later
_MOSTLY = 0.6  # the same for larger tables, where that is less likely
_LISTABLE = 1.0  # mean costs of a cluster: columns below a larger gap are too many
_SHORT = 0.3  # the same, for a list so short that it is better than to wait for a higher bound
_WAITING = 0.2  # share of the time that is left, for such a bound
_CLOSE_COLUMNS = 2_000_000
_PARTS_A_UNIT = 4


def search_exactly(incumbent: Incumbent, bounding: Bounding | None, stop: Stop, means: Means) -> None:
    """Descend from the relaxation, re-optimise neighbourhoods, close the gap where that may be possible."""
    if means.effort is not None and bounding is not None:
        bounding.finish(cancel=False)  # its duals choose the neighbourhoods
    search = _NeighbourhoodSearch(incumbent, bounding, means)
    small = incumbent.instance.size <= SMALL
    if not small and bounding is not None and bounding.rooted.is_set():
        incumbent.timed(
            "descent from the relaxation",
            lambda: descend_from_relaxation(
                incumbent,
                bounding.generation,
                stop.part(_RELAXED),
                solver=means.solver,
                units=means.units(4),
                seed=means.seed,
            ),
        )
    search.run(stop if bounding is None else stop.part(_FIRST if small else _MOSTLY))
    if bounding is None or stop.reached(incumbent.gap):
        return
    if small:
        # Cuts raise the bound over a list much faster than they do where every column has to be priced.
        bounding.wait(stop.part(_WAITING, gap=_gap_of_costs(incumbent, _SHORT)))
    if small or (not bounding.running and incumbent.gap <= _gap_of_costs(incumbent, _LISTABLE)):
        incumbent.timed("closing", lambda: _close(incumbent, bounding, stop, means))
    if means.effort is None:
        search.run(stop)
        bounding.wait(stop)


def _gap_of_costs(incumbent: Incumbent, costs: float) -> float:
    """Return the relative gap that so many mean costs of a cluster are: columns that reach it may be few."""
    return costs / (int(incumbent.labels.max()) + 1)


def _close(incumbent: Incumbent, bounding: Bounding, stop: Stop, means: Means) -> None:
    """Search all columns that can be in a better partition, once no cut raises the bound any more."""

    def heard(bound: float, labels: IntArray) -> None:
        if bound > 0:
            incumbent.bounds.learn_value(bound)
        incumbent.offer(labels, "closing")

    closed = close_listed(
        bounding.generation,
        incumbent.instance,
        incumbent.labels,
        make_solvers(means.solver, means.seed).integer,
        stop,
        most_columns=_CLOSE_COLUMNS,
        seed=means.seed,
        node_limit=None if means.effort is None else _PARTS_A_UNIT * means.effort,
        workers=means.workers,
        heard=heard,
    )
    heard(closed.bound, closed.labels)


class _NeighbourhoodSearch:
    """Takes the sizes of a stage in turn; the next stage follows a round without gain, the first the last."""

    def __init__(self, incumbent: Incumbent, bounding: Bounding | None, means: Means) -> None:
        self._incumbent, self._bounding, self._means = incumbent, bounding, means
        self._stages: list[list[Neighbourhoods]] = []
        for depth, sizes in _STAGES:
            limits = depth if means.effort is None else depth._replace(seconds=inf)
            make = partial(
                Neighbourhoods, incumbent.instance, depth=limits, seed=means.seed, solver=means.solver
            )
            self._stages.append([make(size=size) for size in sizes])

    def run(self, stop: Stop) -> None:
        """Re-optimise until nothing gains, `stop` is reached, or as many neighbourhoods as the effort allows."""
        self._incumbent.timed("neighbourhoods", lambda: self._run(stop))

    def _run(self, stop: Stop) -> None:
        left = self._means.effort
        stage = turn = idle = 0
        gained = False
        while idle < sum(map(len, self._stages)) and (left is None or left > 0):
            if stop.reached(self._incumbent.gap):
                return
            most = _BATCH if left is None else min(_BATCH, left)
            solved, better = self._batch(self._stages[stage][turn], most, stop)
            idle = 0 if solved else idle + 1
            if left is not None:
                left -= solved
            gained |= better
            turn += 1
            if turn == len(self._stages[stage]):
                stage = stage if gained else (stage + 1) % len(self._stages)
                turn, gained = 0, False

    def _batch(self, maker: Neighbourhoods, most: int, stop: Stop) -> tuple[int, bool]:
        """Solve up to `most` neighbourhoods; return how many there were, and whether one gained."""
        incumbent, executor = self._incumbent, self._means.executor
        labels = incumbent.labels
        bound = None if self._bounding is None else self._bounding.bound
        badness = badness_of(incumbent.instance, labels, bound)
        tasks = list(islice(maker.tasks(labels, badness, most, _PUNCTUAL * stop.remaining()), most))
        solved: Iterable[IntArray] = (
            map(solve_task, tasks) if executor is None else executor.map(solve_task, tasks)
        )
        for task, found in zip(tasks, solved, strict=True):
            old = sum_of_squared_errors(task.points, task.labels)
            if sum_of_squared_errors(task.points, found) < old:
                labels = with_part(labels, task.members, found)
        return len(tasks), incumbent.offer(labels, "neighbourhoods")


def badness_of(instance: Instance, labels: IntArray, bound: LinearBound | None) -> FloatArray:
    """Return the reduced cost of each cluster under the duals of the bound, or its SSE without a bound.

    Penalties of cuts are part of it: without them a cluster that many cuts price up would look like a good one.
    """
    columns = columns_of(instance, labels)
    return columns.costs if bound is None else priced(columns, bound.duals, bound.cuts)
