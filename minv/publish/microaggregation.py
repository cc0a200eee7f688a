"""Microaggregation with a bound: the search for least SSE, then column generation.

k-anonymity is the core model with all colours different, so that any k..2k-1 points make a feasible cluster.
"""

from dataclasses import dataclass, replace

import numpy as np

from minv.colgen.exact import close_gap
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.kanonymity import default_effort, minimise_squared_errors
from minv.kanonymity.labels import by_first_appearance
from minv.loss import sum_of_squared_errors
from minv.pricing.box import BoxPricer
from minv.pricing.enumeration import MOST_ROWS, EnumerationPricer
from minv.pricing.protocol import ExactPricer
from minv.progress import ProgressCallback, silent
from minv.publish.engines import HIGHS, SolverChoice, check_relaxation, make_solvers
from minv.publish.partition import normalised
from minv.publish.restarts import Restarts
from minv.stopping import Stop

FEW_COORDINATES, MOST_COORDINATES = (
    3,
    6,
)  # up to which the box search is the faster pricer, always or for large k
SMALL_K = 5  # up to which a bound is within reach of the enumeration, whatever the dimension
_ENOUGH = 10  # times the default effort: more search gains little
_MOST_COLUMNS = 60_000
_CUT_ROUNDS = 40


@dataclass(frozen=True, slots=True)
class Microaggregation:
    """Classes of points, and a proved lower bound on the SSE of all partitions into classes of at least k.

    Attributes
    ----------
    bound
        None where nothing was proved.
    """

    labels: IntArray
    bound: float | None


def microaggregate(
    points: FloatArray,
    k: int,
    *,
    seed: int,
    stop: Stop,
    solver: SolverChoice = HIGHS,
    progress: ProgressCallback = silent,
) -> Microaggregation:
    """Partition points into classes of k to 2k-1 at little SSE.

    Under a time limit, half of it (for a large k in many dimensions, a fifth) may go to column generation, rounds
    of cuts and integer programs over the columns found: they prove a bound, and often improve the classes. What
    is left of the time then goes on with searches, see `Restarts`. Under a limit of effort, or
    none, there is no bound: how long exact pricing takes is known only afterwards.

    Raises
    ------
    UsageError, InfeasibleError
        See `check_k`; or the linear relaxation has more rows than the solver takes.
    """
    scaled = normalised(points)
    limit = stop.remaining()
    bounded = np.isfinite(limit) and k > 1 and 2 * k <= len(points) <= MOST_ROWS
    instance = Instance(scaled, np.arange(len(points)), k)
    if not bounded:
        labels = minimise_squared_errors(scaled, k, seed=seed, stop=stop, progress=progress)
        return Microaggregation(labels, None)
    check_relaxation(instance, solver.name)
    within_reach = k <= SMALL_K or scaled.shape[1] <= MOST_COORDINATES
    share = 0.5 if within_reach else 0.2  # of the time, for the bound
    effort = _ENOUGH * default_effort(len(points))
    restarts = Restarts(scaled, k, seed=seed, progress=progress)
    restarts.run(Stop(time_limit=(1 - share) * limit, effort=effort, cancel=stop.cancel))
    first = restarts.labels
    sse = sum_of_squared_errors(points, first)
    if stop.reached():
        return Microaggregation(by_first_appearance(first), None)
    if sse <= 0:
        return Microaggregation(first, 0.0)
    closed = close_gap(
        instance,
        first,
        replace(make_solvers(solver, seed), pricer=make_pricer),
        Stop(time_limit=min(share * limit, stop.remaining()), cancel=stop.cancel),
        most_columns=_MOST_COLUMNS,
        cut_rounds=_CUT_ROUNDS,
        seed=seed,
    )
    bound = min(closed.bound, closed.sse)
    restarts.offer(np.unique(closed.labels, return_inverse=True)[1].astype(np.int64))
    if not closed.proved:
        restarts.run(stop, bound)
    scale = sse / sum_of_squared_errors(scaled, first)
    return Microaggregation(by_first_appearance(restarts.labels), bound * scale if bound > 0 else None)


def make_pricer(instance: Instance, tolerance: float) -> ExactPricer:
    """Return the exact pricer that suits an instance whose colours are all different."""
    rows = instance.rows
    arguments = (rows.points, rows.colours, instance.m, instance.max_size)
    if instance.dimension <= (FEW_COORDINATES if instance.m <= SMALL_K else MOST_COORDINATES):
        return BoxPricer(*arguments, tolerance=tolerance)
    return EnumerationPricer(*arguments, tolerance=tolerance)
