"""A partition near the linear relaxation: dive, share out what stays uncovered, anneal at a low temperature.

Annealing from a sorted start settles how many clusters bridge far apart parts of a table before it is cold, and never
changes that again. The relaxation knows about how many there must be, and a dive keeps to it.
"""

from functools import partial

import numpy as np
from scipy.spatial import cKDTree

from minv.colgen.covering import covering_of
from minv.colgen.diving import dive
from minv.colgen.generation import ColumnGeneration
from minv.colgen.pool import columns_of_partition, take
from minv.colgen.rounding import labels_of_columns
from minv.compiled import IntArray
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch import first_improvement
from minv.localsearch.annealing import anneal
from minv.loss import sum_of_squared_errors
from minv.pricing.protocol import Columns, joined, no_columns
from minv.pricing.reduced_costs import priced
from minv.publish.annealing import MOVES_A_UNIT, UNITS_A_SECOND
from minv.publish.engines import SolverChoice
from minv.publish.incumbent import Incumbent
from minv.solvers.vertex import highs_vertex
from minv.stopping import Stop

_COLUMNS_A_ROW = (3, 5, 8)  # each gives another dive
_SHARED_OUT = 0.06  # of the points, at least: those around what stays uncovered are dealt out anew with it
_NEAR = 1.1  # times the loss of the incumbent: what begins farther off stays behind
_TEMPERATURE = 0.5
_NEIGHBOURS = 40


def descend_from_relaxation(
    incumbent: Incumbent,
    generation: ColumnGeneration,
    stop: Stop,
    *,
    solver: SolverChoice,
    units: int,
    seed: int,
) -> None:
    """Offer the partitions that dives from the relaxation lead to.

    Parameters
    ----------
    generation
        Whose relaxation is solved; it may be at its cuts.
    stop
        Shared among the dives, each with its annealing.
    units
        Million moves of annealing, where effort limits the run; otherwise 0.
    """
    instance = incumbent.instance
    tries = len(_COLUMNS_A_ROW)
    for number, columns_a_row in enumerate(_COLUMNS_A_ROW):
        share = stop.part(1 / (tries - number))
        labels = near_relaxation(instance, generation, share, solver=solver, columns_a_row=columns_a_row)
        if labels is None or sum_of_squared_errors(instance.points, labels) > _NEAR * incumbent.sse:
            return
        moves = -(-units // tries) if units else max(1, round(UNITS_A_SECOND * share.remaining()))
        annealed = anneal(
            instance.points,
            instance.colours,
            labels,
            m=instance.m,
            max_size=instance.max_size,
            moves=moves * MOVES_A_UNIT,
            seed=seed + number,
            start_temperature=_TEMPERATURE,
            neighbours=_NEIGHBOURS,
            stop=share,
        )
        incumbent.offer(annealed, "descent from the relaxation")


def near_relaxation(
    instance: Instance, generation: ColumnGeneration, stop: Stop, *, solver: SolverChoice, columns_a_row: int
) -> IntArray | None:
    """Return a feasible partition most of whose clusters the relaxation chose; None where time ran out.

    Parameters
    ----------
    columns_a_row
        How many of the generation's columns, those of least reduced cost, the dive chooses among.
    """
    pool, bound = generation.master.pool.columns, generation.bound
    covering = covering_of(instance)
    most = columns_a_row * len(covering.multiplicity)
    places = np.sort(np.argsort(priced(pool, bound.duals, bound.cuts), kind="stable")[:most])
    columns = take(pool, places)
    descent = dive(
        columns,
        covering.multiplicity,
        covering.at_most,
        partial(highs_vertex, log=solver.stream),
        float(columns.costs.mean()) or 1.0,
        stop,
    )
    if descent is None:
        return None
    kept = take(columns, descent.chosen)
    kept, left = _given_up(instance, kept, descent.left)
    clusters = joined([kept, _shared_out(instance, left, stop)])
    return labels_of_columns(clusters, np.arange(clusters.number), instance.rows.row_of_point)


def _given_up(instance: Instance, kept: Columns, left: IntArray) -> tuple[Columns, IntArray]:
    """Give up clusters, the nearest to uncovered rows first, until what is uncovered can be partitioned."""
    rows = instance.rows
    uncovered = np.flatnonzero(left > 0)
    if not len(uncovered) or not kept.number:
        return kept, left
    left = left.copy()
    owners = np.repeat(np.arange(kept.number), np.diff(kept.starts))
    centres = np.column_stack(
        [np.bincount(owners, weights=x) / np.diff(kept.starts) for x in rows.points[kept.members].T]
    )
    distances, _ = cKDTree(rows.points[uncovered]).query(centres)
    order = np.argsort(distances, kind="stable")
    count = 0
    while count < kept.number and not _partitionable(instance, left):
        cluster = order[count]
        left[kept.members[kept.starts[cluster] : kept.starts[cluster + 1]]] += 1
        count += 1
    return take(kept, np.sort(order[count:])), left


def _partitionable(instance: Instance, left: IntArray) -> bool:
    """Whether enough points are left, and no colour is too frequent among them."""
    counts = np.bincount(instance.rows.colours, weights=left)
    return bool(left.sum() >= _SHARED_OUT * instance.size and counts.max() * instance.m <= left.sum())


def _shared_out(instance: Instance, left: IntArray, stop: Stop) -> Columns:
    """Return clusters of the points that are left, at a local optimum."""
    rows = np.repeat(np.arange(len(left)), left)
    points = instance.rows.points
    if not len(rows):
        return no_columns()
    colours = np.unique(instance.rows.colours[rows], return_inverse=True)[1].astype(np.int64)
    labels = sorted_start(points[rows], colours, instance.m, max_size=instance.max_size)
    labels = first_improvement(points[rows], colours, labels, stop=stop)
    return columns_of_partition(points, rows, labels)
