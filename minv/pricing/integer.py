"""Pricing by somebody else's integer programs: what they find is recomputed, what they prove is translated."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.pricing.cuts import CutPenalties
from minv.pricing.protocol import Columns, PricingResult, PricingStatus, no_columns, not_applicable, stopped
from minv.stopping import Stop


class ProgramAnswer(Protocol):
    """What an integer program found."""

    @property
    def members(self) -> IntArray:
        """Rows of the best cluster found; empty if none was."""
        ...

    @property
    def bound(self) -> float:
        """Lower bound on what was minimised; +inf where no cluster is feasible."""
        ...

    @property
    def proved(self) -> bool:
        """Whether the search was complete."""
        ...


MinimiseSize = Callable[[FloatArray, int, Stop], ProgramAnswer]
"""Minimise, for row duals, the reduced cost of clusters of a given size."""

MinimiseAllSizes = Callable[[FloatArray, Stop], ProgramAnswer]
"""Minimise, for row duals, the number of members times the reduced cost."""


class SizeBySizePricer:
    """Pricer for free clusters that has one integer program solved for each size.

    Parameters
    ----------
    points
        (r, d) coordinates of the master rows.
    colours
        (r,) their colours.
    m, max_size
        Least and largest number of members of a cluster.
    minimise
        Solves the program of one size.
    tolerance
        The programs' bounds are trusted up to this.
    """

    def __init__(
        self,
        points: FloatArray,
        colours: IntArray,
        m: int,
        max_size: int,
        minimise: MinimiseSize,
        *,
        tolerance: float,
    ) -> None:
        self._points = points
        self._sizes = range(m, min(max_size, len(np.unique(colours))) + 1)
        self._minimise = minimise
        self.tolerance = tolerance

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Solve the program of every size; see `PricingResult`. Not applicable with cuts."""
        if cuts is not None and len(cuts.penalties):
            return not_applicable()
        answers = [self._minimise(duals, size, stop) for size in self._sizes]
        bound = min((answer.bound for answer in answers), default=np.inf)
        # A cluster of some size gains that size times what is taken off every dual.
        per_row = min(
            (answer.bound / size for answer, size in zip(answers, self._sizes, strict=True)), default=0.0
        )
        return translate(self._points, duals, answers, bound, per_row, self.tolerance)

    def columns_below(
        self, duals: FloatArray, threshold: float, most: int, stop: Stop, cuts: CutPenalties | None = None
    ) -> None:
        """Return None: a program finds one column at a time, and lists none."""


class AllSizesPricer:
    """Pricer for free clusters that has one integer program solved for all sizes.

    It answers with one column; its best reduced cost need not be the least, but has its sign.

    Parameters
    ----------
    points, m, max_size, tolerance
        As for `SizeBySizePricer`.
    minimise
        Solves the program.
    """

    def __init__(
        self, points: FloatArray, m: int, max_size: int, minimise: MinimiseAllSizes, *, tolerance: float
    ) -> None:
        self._points = points
        self._m = m
        self._max_size = max_size
        self._minimise = minimise
        self.tolerance = tolerance

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Solve the program; see `PricingResult`. Not applicable with cuts."""
        if cuts is not None and len(cuts.penalties):
            return not_applicable()
        answer = self._minimise(duals, stop)
        bound = answer.bound / (self._m if answer.bound < 0 else self._max_size)
        return translate(self._points, duals, [answer], bound, answer.bound / self._m**2, self.tolerance)


def translate(
    points: FloatArray,
    duals: FloatArray,
    answers: Sequence[ProgramAnswer],
    bound: float,
    per_row: float,
    tolerance: float,
) -> PricingResult:
    """Return the pricing result that the answers amount to.

    Parameters
    ----------
    points
        (r, d) coordinates of the master rows.
    bound
        Lower bound on every reduced cost, if all answers are proved.
    per_row
        Where negative: what all duals must fall by so that no reduced cost is negative.
    """
    clusters = [answer.members for answer in answers if len(answer.members)]
    costs = np.array([sum_of_squares(points[members]) for members in clusters])
    reduced = np.array([cost - duals[rows].sum() for cost, rows in zip(costs, clusters, strict=True)])
    best = float(reduced.min(initial=np.inf))
    gaining = reduced < -tolerance
    columns = columns_of_clusters([clusters[index] for index in np.flatnonzero(gaining)], costs[gaining])
    if not all(answer.proved for answer in answers):
        return stopped(columns, best)
    return PricingResult(
        PricingStatus.OPTIMAL,
        columns,
        best,
        bound=min(bound, best) - tolerance,
        repaired=duals + min(0.0, per_row),
        slack=tolerance,
    )


def sum_of_squares(points: FloatArray) -> float:
    """Return the SSE of (n, d) points as one cluster."""
    deviations = points - points.mean(axis=0)
    return float(np.einsum("ij,ij->", deviations, deviations))


def columns_of_clusters(clusters: Sequence[IntArray], costs: FloatArray) -> Columns:
    """Return clusters, each given by its rows, as columns."""
    if not len(clusters):
        return no_columns()
    starts = np.concatenate([[0], np.cumsum([len(members) for members in clusters])])
    return Columns(starts.astype(np.int64), np.concatenate(clusters), costs)
