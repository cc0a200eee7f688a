"""Heuristic pricing: from a centre to the best cluster there, to its centroid, until it stays."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.pricing.box_kernels import cluster_cost
from minv.pricing.box_search import record
from minv.pricing.cuts import CutPenalties, no_cuts
from minv.pricing.protocol import Columns, PricingResult, PricingStatus, not_applicable
from minv.pricing.reduced_costs import least_reduced_cost
from minv.pricing.workspace import Workspace
from minv.stopping import Stop

_STARTS_A_CHUNK = 200
_MOST_STEPS = 100  # from one start; each lowers the reduced cost, a few do


class AlternatingPricer:
    """Heuristic pricer for free clusters of any dimension; it proves nothing.

    For a fixed centre c the best cluster takes the least of |a_i - c|^2 - lambda_i of each colour: the m least of
    those, then further ones while negative. Its centroid is no worse a centre, so the two steps alternate until
    nothing changes. Every row is a start once; the duals of a found column's rows fall by an equal share each, so that
    later starts find other columns. One pass takes O(r (r d + L log L)) a step for r rows and L colours.

    Parameters
    ----------
    points
        (r, d) coordinates of the master rows.
    colours
        (r,) their colours.
    m, max_size
        Least and largest number of members of a cluster.
    tolerance
        Columns of a reduced cost above minus this are not worth recording.
    """

    def __init__(
        self, points: FloatArray, colours: IntArray, m: int, max_size: int, *, tolerance: float
    ) -> None:
        self._points = np.ascontiguousarray(points)
        self._colours = np.unique(colours, return_inverse=True)[1].astype(np.int64)
        self._m = m
        self._max_size = max_size
        self.tolerance = tolerance

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Return the columns found from all rows; not applicable where there are cuts."""
        if cuts is not None and len(cuts.penalties):
            return not_applicable()
        rows = len(self._points)
        lowered = np.array(duals, dtype=np.float64)
        work = Workspace.of(self._points, rows, self._max_size)
        for first in range(0, rows, _STARTS_A_CHUNK):
            if stop.remaining() <= 0:
                break
            alternate(
                self._points,
                self._colours,
                lowered,
                self._m,
                self._max_size,
                self.tolerance,
                first,
                min(first + _STARTS_A_CHUNK, rows),
                work.state,
                work.starts,
                work.members,
                work.costs,
            )
        columns = work.found()
        best = least_reduced_cost(columns, np.asarray(duals, dtype=np.float64), no_cuts())
        return PricingResult(PricingStatus.HEURISTIC, columns, best, -np.inf)

    def columns_below(
        self, duals: FloatArray, threshold: float, most: int, stop: Stop, cuts: CutPenalties | None = None
    ) -> Columns | None:
        """Return None: this pricer never knows all of them."""
        return None


@kernel
def value_colours(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    centre: FloatArray,
    best: FloatArray,
    chosen: IntArray,
) -> None:
    """Fill `best` with the least value of each colour at the centre, and `chosen` with the row that has it."""
    best[:] = np.inf
    for i in range(len(points)):
        value = -duals[i]
        for j in range(len(centre)):
            value += (points[i, j] - centre[j]) ** 2
        if value < best[colours[i]]:
            best[colours[i]] = value
            chosen[colours[i]] = i


@kernel
def settle(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    smallest: int,
    centre: FloatArray,
    best: FloatArray,
    chosen: IntArray,
    cluster: IntArray,
) -> int:
    """Alternate from a centre, which moves; fill `cluster` and return its size, 0 if there are too few colours."""
    value, size = np.inf, 0
    for _ in range(_MOST_STEPS):
        value_colours(points, colours, duals, centre, best, chosen)
        order = np.argsort(best)
        count, reached = 0, 0.0
        while count < min(len(cluster), len(best)) and (count < smallest or best[order[count]] < 0.0):
            reached += best[order[count]]
            count += 1
        if count < smallest or reached >= value - 1e-12 * (1.0 + abs(value)):
            break
        value, size = reached, count
        centre[:] = 0.0
        for k in range(count):
            cluster[k] = chosen[order[k]]
            centre += points[cluster[k]] / count
    return size


@kernel
def alternate(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    smallest: int,
    largest: int,
    tolerance: float,
    first: int,
    last: int,
    state: IntArray,
    starts: IntArray,
    members: IntArray,
    costs: FloatArray,
) -> None:
    """Alternate from rows first..last-1; record columns and lower `duals`."""
    colour_count = colours.max() + 1
    best = np.empty(colour_count)
    chosen = np.empty(colour_count, np.int64)
    cluster = np.empty(largest, np.int64)
    for start in range(first, last):
        centre = points[start].copy()
        size = settle(points, colours, duals, smallest, centre, best, chosen, cluster)
        if size == 0:
            continue
        reduced = cluster_cost(points, cluster, size)
        for k in range(size):
            reduced -= duals[cluster[k]]
        if reduced < -tolerance:
            record(points, duals, reduced, cluster, size, state, starts, members, costs)
