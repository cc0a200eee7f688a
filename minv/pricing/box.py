"""Exact pricing by branch and bound over the position of the centroid, for few coordinates."""

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.pricing.box_enumeration import enumerate_boxes
from minv.pricing.box_search import search_boxes
from minv.pricing.cuts import CutPenalties, no_cuts
from minv.pricing.protocol import Columns, PricingResult, found_by_repair, stopped
from minv.pricing.recording import OPEN, WORK
from minv.pricing.reduced_costs import least_reduced_cost
from minv.pricing.workspace import Workspace
from minv.stopping import Stop

_WORK_A_CHUNK = 5_000
_LISTING_WORK, _LISTING_WORK_A_COLUMN = 200_000, 50


class BoxPricer:
    """Exact pricer for free clusters: `m`..`max_size` rows of distinct colours.

    One search proves the bound for all sizes. Its effort grows quickly with the dimension and slowly with the
    number of rows. Validity: docs/bound.md.

    Parameters
    ----------
    points
        (r, d) coordinates of the master rows.
    colours
        (r,) their colours.
    m, max_size
        Least and largest number of members of a cluster.
    tolerance
        No column with a reduced cost below minus this remains when a search ends.
    most_work
        Boxes to examine in one search with cuts, whose bounds are weaker, before it ends with status LIMIT.
    """

    def __init__(
        self,
        points: FloatArray,
        colours: IntArray,
        m: int,
        max_size: int,
        *,
        tolerance: float,
        most_work: int = 1_500_000,
    ) -> None:
        self._points = np.ascontiguousarray(points)
        self._colours = np.unique(colours, return_inverse=True)[1].astype(np.int64)
        self._m = m
        self._max_size = max_size
        self.tolerance = tolerance
        self._most_work = most_work

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Search all centroids; see `PricingResult`."""
        cuts = cuts or no_cuts()
        rows = len(self._points)
        table = cuts.table(rows)
        repaired = np.array(duals, dtype=np.float64)
        work = Workspace.of(self._points, 30 * rows + 1000, self._max_size)
        most_work = self._most_work if len(cuts.penalties) else np.iinfo(np.int64).max
        while work.state[OPEN] and stop.remaining() > 0 and work.state[WORK] < most_work:
            search_boxes(
                self._points,
                self._colours,
                repaired,
                table,
                self._m,
                self._max_size,
                self.tolerance,
                work.boxes,
                work.spans,
                work.lists,
                work.state,
                work.starts,
                work.members,
                work.costs,
                _WORK_A_CHUNK,
            )
        columns = work.found()
        best = least_reduced_cost(columns, duals, cuts)
        if work.state[OPEN]:
            return stopped(columns, best)
        return found_by_repair(columns, best, duals, repaired, widest=self._max_size, slack=self.tolerance)

    def columns_below(
        self, duals: FloatArray, threshold: float, most: int, stop: Stop, cuts: CutPenalties | None = None
    ) -> Columns | None:
        """List all columns with a reduced cost of at most `threshold`; None if there are more than `most`.

        A column may occur more than once. None also when `stop` ends the search, or when it takes more work than
        such a number of columns is worth.
        """
        cuts = cuts or no_cuts()
        rows = len(self._points)
        table = cuts.table(rows)
        work = Workspace.of(self._points, most, self._max_size)
        while work.state[OPEN]:
            if stop.remaining() <= 0 or not enumerate_boxes(
                self._points,
                self._colours,
                np.asarray(duals, dtype=np.float64),
                table,
                self._m,
                self._max_size,
                threshold,
                work.boxes,
                work.spans,
                work.lists,
                work.state,
                work.starts,
                work.members,
                work.costs,
                _WORK_A_CHUNK,
                _LISTING_WORK + _LISTING_WORK_A_COLUMN * most,
            ):
                return None
        return work.found()
