"""Exact pricing of all clusters of a release after the first: free ones, and those of every signature."""

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.instance import FREE, Instance
from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties, no_cuts
from minv.pricing.protocol import (
    Columns,
    PricingResult,
    PricingStatus,
    joined,
    least_reduced_cost,
    no_columns,
)
from minv.pricing.signature import SignaturePricer
from minv.stopping import Stop


class ReleasePricer:
    """Exact pricer for instances with required signatures.

    The row after the last, r, stands for counterfeits: a column lists it once for each of its own, and minus its
    dual is the price of one. All searches repair one copy of the duals, one after the other; duals only fall, so
    what an earlier search proved stays true.

    Parameters
    ----------
    instance
        With required signatures.
    tolerance
        No column with a reduced cost below minus this remains when a search ends.
    counterfeits
        Whether there may be any.
    """

    def __init__(self, instance: Instance, *, tolerance: float, counterfeits: bool) -> None:
        rows = instance.rows
        self._free = np.flatnonzero(rows.required == FREE)
        self._box = _free_pricer(instance, self._free, tolerance)
        self._signatures = [
            SignaturePricer(rows, index, signature, tolerance=tolerance)
            for index, signature in enumerate(instance.signatures)
            if (rows.required == index).any()
        ]
        self._counterfeits = counterfeits
        self._widest = max([instance.max_size, *(pricer.width for pricer in self._signatures)])
        self.tolerance = tolerance

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Search all clusters; see `PricingResult`. Cuts are left out: their penalties only add to reduced costs."""
        repaired = np.array(duals, dtype=np.float64)
        repaired[-1] = min(repaired[-1], 0.0)
        price = -float(repaired[-1]) if self._counterfeits else np.inf
        parts = [self._price_free(repaired, stop)]
        for pricer in self._signatures:
            if parts[-1] is None:
                break
            parts.append(pricer.search(repaired, price, stop))
        columns = joined([part for part in parts if part is not None])
        best = least_reduced_cost(columns, duals, cuts or no_cuts())
        if parts[-1] is None:
            return PricingResult(PricingStatus.LIMIT, columns, best, -np.inf)
        falls = np.sort(duals - repaired)[::-1][: self._widest]
        return PricingResult(
            PricingStatus.OPTIMAL,
            columns,
            best,
            bound=-self.tolerance - float(falls.sum()),
            repaired=repaired,
            slack=self.tolerance,
        )

    def _price_free(self, duals: FloatArray, stop: Stop) -> Columns | None:
        if self._box is None:
            return no_columns()
        found = self._box.price(duals[self._free], stop)
        if found.repaired is None:
            return None
        duals[self._free] = found.repaired
        return found.columns._replace(members=self._free[found.columns.members])


def _free_pricer(instance: Instance, free: IntArray, tolerance: float) -> BoxPricer | None:
    """Return the pricer of free clusters; None where there can be none."""
    rows = instance.rows
    if len(np.unique(rows.colours[free])) < instance.m:
        return None
    return BoxPricer(
        rows.points[free], rows.colours[free], instance.m, instance.max_size, tolerance=tolerance
    )
