"""Exact pricing by implicit enumeration of clusters, for any number of coordinates."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from minv.compiled import FloatArray, IntArray
from minv.pricing.cuts import CutPenalties, no_cuts
from minv.pricing.enumeration_bounds import half_sums_of_nearest
from minv.pricing.enumeration_drivers import DONE, PAUSED, Store, find_best, list_clusters, repair_duals
from minv.pricing.enumeration_node import Problem, Scratch, Tree
from minv.pricing.protocol import (
    Columns,
    PricingResult,
    PricingStatus,
    found_by_repair,
    not_applicable,
    stopped,
)
from minv.pricing.reduced_costs import least_reduced_cost
from minv.stopping import Stop

MOST_ROWS = 8000  # the distances of all pairs take 512 MB then

_WORK_A_CHUNK = 500_000  # some 20 ms
_FIRST_LIMITS = (4.0, 0.5, 0.06)  # times the mean dual


class EnumerationPricer:
    """Exact pricer for free clusters: `m`..`max_size` rows of distinct colours.

    One search proves the bound for all sizes. Its effort hardly depends on the dimension; it grows with the
    square of the number of rows, and quickly with m. Validity: `enumeration_node`.

    Parameters
    ----------
    points
        (r, d) coordinates of the master rows, r at most `MOST_ROWS`; with more the pricer is not applicable.
    colours
        (r,) their colours.
    m, max_size
        Least and largest number of members of a cluster.
    tolerance
        No column with a reduced cost below minus this remains when a search ends.
    """

    def __init__(
        self, points: FloatArray, colours: IntArray, m: int, max_size: int, *, tolerance: float
    ) -> None:
        self.applicable = len(points) <= MOST_ROWS
        self.tolerance = tolerance
        self._rows = len(points)
        self._m = m
        self._max_size = max_size
        if self.applicable:
            self._colours = np.ascontiguousarray(colours, dtype=np.int64)
            self._distances = cdist(points, points, "sqeuclidean")
            self._near = half_sums_of_nearest(self._distances, self._colours, max_size)

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Search all clusters; see `PricingResult`.

        The search is repeated for ever less negative reduced costs: columns that violate the duals most are
        found first, and their repair spares the search many that violate them less.
        """
        if not self.applicable:
            return not_applicable()
        cuts = cuts or no_cuts()
        problem = self._problem(cuts)
        repaired = np.array(duals, dtype=np.float64)
        store = _room_for(30 * self._rows + 1000, self._max_size)
        outcome = DONE
        for limit in self._limits(repaired):
            outcome = self._repair(problem, repaired, limit, store, stop)
            if outcome != DONE:
                break
        columns = _stored(store)
        best = least_reduced_cost(columns, duals, cuts)
        if outcome != DONE:
            return stopped(columns, best)
        return found_by_repair(columns, best, duals, repaired, widest=self._max_size, slack=self.tolerance)

    def best_column(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Search for the column of least reduced cost, whatever its sign; `bound` is that cost when proved."""
        if not self.applicable:
            return not_applicable()
        cuts = cuts or no_cuts()
        problem = self._problem(cuts)
        duals = np.array(duals, dtype=np.float64)
        store = _room_for(1, self._max_size)
        search = _Search.of(duals, self._max_size)
        least = np.array([np.inf])
        outcome = PAUSED
        while outcome == PAUSED and stop.remaining() > 0:
            outcome = find_best(problem, search.tree, search.scratch, duals, least, _WORK_A_CHUNK, store)
        columns = _stored(store)
        best = least_reduced_cost(columns, duals, cuts)
        if outcome != DONE:
            return stopped(columns, best)
        return PricingResult(PricingStatus.OPTIMAL, columns, best, best)

    def columns_below(
        self, duals: FloatArray, threshold: float, most: int, stop: Stop, cuts: CutPenalties | None = None
    ) -> Columns | None:
        """List all columns with a reduced cost of at most `threshold`; None if there are more than `most`.

        None also when `stop` ends the search, or the pricer is not applicable.
        """
        if not self.applicable:
            return None
        problem = self._problem(cuts or no_cuts())
        duals = np.array(duals, dtype=np.float64)
        store = _room_for(most, self._max_size)
        search = _Search.of(duals, self._max_size)
        outcome = PAUSED
        while outcome == PAUSED and stop.remaining() > 0:
            outcome = list_clusters(
                problem, search.tree, search.scratch, duals, threshold, _WORK_A_CHUNK, store
            )
        return _stored(store) if outcome == DONE else None

    def _problem(self, cuts: CutPenalties) -> Problem:
        return Problem(
            self._distances,
            self._near,
            self._colours,
            cuts.table(self._rows),
            self._m,
            self._max_size,
        )

    def _limits(self, duals: FloatArray) -> list[float]:
        last = -0.5 * self.tolerance  # half, to be clear of rounding
        mean = float(np.abs(duals).sum()) / max(1, self._rows)
        return [-first * mean for first in _FIRST_LIMITS if -first * mean < last] + [last]

    def _repair(self, problem: Problem, duals: FloatArray, limit: float, store: Store, stop: Stop) -> int:
        """Make the duals such that no column has a reduced cost below `limit`, unless `stop` ends the search."""
        search = _Search.of(duals, self._max_size)
        outcome = PAUSED
        while outcome == PAUSED and stop.remaining() > 0:
            outcome = repair_duals(problem, search.tree, search.scratch, duals, limit, _WORK_A_CHUNK, store)
        return outcome


@dataclass(frozen=True, slots=True)
class _Search:
    """The state of one search: rows of large duals first, since they bind most."""

    tree: Tree
    scratch: Scratch

    @classmethod
    def of(cls, duals: FloatArray, largest: int) -> "_Search":
        rows, levels = len(duals), largest + 1
        tree = Tree(
            candidates=np.empty((levels, rows), np.int64),
            distance_sums=np.zeros((levels, rows)),
            gaining=np.ones((levels, rows), np.bool_),
            counts=np.zeros(levels, np.int64),
            ends=np.zeros(levels, np.int64),
            positions=np.zeros(levels, np.int64),
            members=np.zeros(levels, np.int64),
            pair_sums=np.zeros(levels),
            penalties=np.zeros(levels),
            state=np.zeros(3, np.int64),
        )
        tree.candidates[0] = np.argsort(-duals, kind="stable")
        tree.counts[0] = tree.ends[0] = rows
        scratch = Scratch(
            values=np.empty((largest, rows)),
            keys=np.empty(rows),
            least=np.empty((largest, largest)),
            least_colours=np.empty((largest, largest), np.int64),
            counts=np.zeros(largest, np.int64),
        )
        return cls(tree, scratch)


def _room_for(columns: int, largest: int) -> Store:
    return Store(
        starts=np.zeros(columns + 1, np.int64),
        members=np.empty(columns * largest, np.int64),
        costs=np.empty(columns),
        number=np.zeros(1, np.int64),
    )


def _stored(store: Store) -> Columns:
    number = int(store.number[0])
    starts = store.starts[: number + 1].copy()
    return Columns(starts, store.members[: starts[-1]].copy(), store.costs[:number].copy())
