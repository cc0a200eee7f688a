"""Microaggregation with a bound: the search for least SSE, then column generation.

k-anonymity is the core model with all colours different, so that any k..2k-1 points make a feasible cluster.
"""

from dataclasses import dataclass

import numpy as np

from minv.colgen.exact import Solvers, close_gap
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.kanonymity import default_effort, minimise_squared_errors
from minv.loss import sum_of_squared_errors
from minv.pricing.box import BoxPricer
from minv.pricing.enumeration import MOST_ROWS, EnumerationPricer
from minv.pricing.protocol import ExactPricer
from minv.progress import ProgressCallback, silent
from minv.publish.partition import normalised
from minv.solvers.highs import HighsMaster, HighsSetPartition
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
    points: FloatArray, k: int, *, seed: int, stop: Stop, progress: ProgressCallback = silent
) -> Microaggregation:
    """Partition points into classes of k to 2k-1 at little SSE.

    Under a time limit, its second half (for a large k in many dimensions, its last fifth) goes to column
    generation, rounds of cuts and integer programs over the columns found: they prove a bound, and often improve
    the classes. Under a limit of effort, or none, there is no bound: how long exact pricing takes is known only
    afterwards.

    Raises
    ------
    UsageError, InfeasibleError
        See `check_k`.
    """
    scaled = normalised(points)
    limit = stop.remaining()
    bounded = np.isfinite(limit) and k > 1 and 2 * k <= len(points) <= MOST_ROWS
    searching = stop
    if bounded:
        within_reach = k <= SMALL_K or scaled.shape[1] <= MOST_COORDINATES
        searching = Stop(
            time_limit=(0.5 if within_reach else 0.8) * limit,
            effort=_ENOUGH * default_effort(len(points)),
            cancel=stop.cancel,
        )
    labels = minimise_squared_errors(scaled, k, seed=seed, stop=searching, progress=progress)
    sse = sum_of_squared_errors(points, labels)
    if not bounded or stop.reached():
        return Microaggregation(labels, None)
    if sse <= 0:
        return Microaggregation(labels, 0.0)
    instance = Instance(scaled, np.arange(len(points)), k)
    closed = close_gap(
        instance,
        labels,
        Solvers(HighsMaster, HighsSetPartition(), make_pricer),
        stop,
        most_columns=_MOST_COLUMNS,
        cut_rounds=_CUT_ROUNDS,
        seed=seed,
    )
    scale = sse / sum_of_squared_errors(scaled, labels)
    better = min(sum_of_squared_errors(points, closed.labels), sse)
    bound = min(closed.bound * scale, better) if closed.bound > 0 else None
    return Microaggregation(closed.labels, better if closed.proved else bound)


def make_pricer(instance: Instance, tolerance: float) -> ExactPricer:
    """Return the exact pricer that suits an instance whose colours are all different."""
    rows = instance.rows
    arguments = (rows.points, rows.colours, instance.m, instance.max_size)
    if instance.dimension <= (FEW_COORDINATES if instance.m <= SMALL_K else MOST_COORDINATES):
        return BoxPricer(*arguments, tolerance=tolerance)
    return EnumerationPricer(*arguments, tolerance=tolerance)
