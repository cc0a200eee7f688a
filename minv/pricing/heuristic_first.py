"""Pricing in two stages: a heuristic as long as it finds new columns, an exact pricer where it does not."""

from minv.compiled import FloatArray
from minv.pricing.cuts import CutPenalties
from minv.pricing.protocol import Columns, ExactPricer, Pricer, PricingResult
from minv.stopping import Stop


class HeuristicFirst:
    """Exact pricer that is slow, behind a heuristic that is fast.

    The heuristic answers where it has a column that it never answered with before, so that it cannot go round in
    circles; such an answer proves nothing. Any other question goes to the exact pricer.

    Parameters
    ----------
    heuristic
        Its columns must be feasible and have negative reduced costs.
    exact
        Decides where the heuristic finds nothing new.
    """

    def __init__(self, heuristic: Pricer, exact: ExactPricer) -> None:
        self._heuristic = heuristic
        self._exact = exact
        self._known: set[tuple[int, ...]] = set()

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Answer with the heuristic's columns, or with those and the bound of the exact pricer."""
        quick = self._heuristic.price(duals, stop, cuts)
        return quick if self._learn(quick.columns) else self._exact.price(duals, stop, cuts)

    def columns_below(
        self, duals: FloatArray, threshold: float, most: int, stop: Stop, cuts: CutPenalties | None = None
    ) -> Columns | None:
        """List all columns with a reduced cost of at most `threshold`, as the exact pricer does."""
        return self._exact.columns_below(duals, threshold, most, stop, cuts)

    def _learn(self, columns: Columns) -> bool:
        """Remember the columns; return whether one of them is new."""
        before = len(self._known)
        for begin, end in zip(columns.starts[:-1], columns.starts[1:], strict=True):
            self._known.add(tuple(sorted(columns.members[begin:end].tolist())))
        return len(self._known) > before
