"""Exact pricing of all clusters of a release after the first: free ones, and those of every signature."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.instance import FREE, Instance, Rows
from minv.pricing.cuts import CutPenalties, no_cuts
from minv.pricing.protocol import (
    Columns,
    ExactPricer,
    PricingResult,
    found_by_repair,
    joined,
    no_columns,
    stopped,
)
from minv.pricing.reduced_costs import least_reduced_cost
from minv.stopping import Stop


class SignatureSearch(Protocol):
    """Finds clusters of one signature; see `SignaturePricer`."""

    @property
    def width(self) -> int:
        """Number of values of the signature."""
        ...

    def search(self, duals: FloatArray, price: float, stop: Stop) -> Columns | None:
        """Find columns of negative reduced cost and lower `duals` in place until no more can exist."""
        ...

    def columns_below(
        self, duals: FloatArray, price: float, threshold: float, most: int, stop: Stop
    ) -> Columns | None:
        """List all columns with a reduced cost of at most `threshold`; None if it cannot."""
        ...


MakeFree = Callable[[FloatArray, IntArray], ExactPricer]
"""Make, for points and colours of free rows, their pricer."""

MakeSignature = Callable[[Rows, int, tuple[int, ...]], SignatureSearch]
"""Make, for the master's rows, the number of a signature and its colours, the search for its clusters."""


class ReleasePricer:
    """Exact pricer for instances with required signatures.

    The row after the last, r, stands for counterfeits: a column lists it once for each of its own, and minus its
    dual is the price of one. All searches repair one copy of the duals, one after the other; duals only fall, so
    what an earlier search proved stays true.

    Parameters
    ----------
    instance
        With required signatures.
    make_free, make_signature
        Make the pricers of free clusters and of those of a signature.
    tolerance
        Of those pricers: no column with a reduced cost below minus this remains when a search ends.
    """

    def __init__(
        self,
        instance: Instance,
        make_free: MakeFree,
        make_signature: MakeSignature,
        *,
        tolerance: float,
    ) -> None:
        rows = instance.rows
        self._free = np.flatnonzero(rows.required == FREE)
        possible = len(np.unique(rows.colours[self._free])) >= instance.m
        self._pricer = make_free(rows.points[self._free], rows.colours[self._free]) if possible else None
        self._signatures = [
            make_signature(rows, index, signature)
            for index, signature in enumerate(instance.signatures)
            if (rows.required == index).any()
        ]
        self._counterfeits = instance.counterfeits > 0
        self._widest = max([instance.max_size, *(pricer.width for pricer in self._signatures)])
        self.tolerance = tolerance

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Search all clusters; see `PricingResult`. Cuts are left out: their penalties only add to reduced costs."""
        repaired = np.array(duals, dtype=np.float64)
        repaired[-1] = min(repaired[-1], 0.0)
        price = self._price_of_counterfeits(repaired)
        parts = [self._price_free(repaired, stop)]
        for pricer in self._signatures:
            if parts[-1] is None:
                break
            parts.append(pricer.search(repaired, price, stop))
        columns = joined([part for part in parts if part is not None])
        best = least_reduced_cost(columns, duals, cuts or no_cuts())
        if parts[-1] is None:
            return stopped(columns, best)
        return found_by_repair(columns, best, duals, repaired, widest=self._widest, slack=self.tolerance)

    def columns_below(
        self, duals: FloatArray, threshold: float, most: int, stop: Stop, cuts: CutPenalties | None = None
    ) -> Columns | None:
        """List all columns with a reduced cost of at most `threshold`, cuts left out; see `ExactPricer`."""
        price = self._price_of_counterfeits(duals)
        parts = [self._free_below(duals, threshold, most, stop)]
        for pricer in self._signatures:
            most -= 0 if parts[-1] is None else parts[-1].number
            if parts[-1] is None or most < 0:
                return None
            parts.append(pricer.columns_below(duals, price, threshold, most, stop))
        found = [part for part in parts if part is not None]
        return joined(found) if len(found) == len(parts) else None

    def _free_below(self, duals: FloatArray, threshold: float, most: int, stop: Stop) -> Columns | None:
        if self._pricer is None:
            return no_columns()
        found = self._pricer.columns_below(duals[self._free], threshold, most, stop)
        return None if found is None else found._replace(members=self._free[found.members])

    def _price_of_counterfeits(self, duals: FloatArray) -> float:
        return -float(duals[-1]) if self._counterfeits else np.inf

    def _price_free(self, duals: FloatArray, stop: Stop) -> Columns | None:
        if self._pricer is None:
            return no_columns()
        found = self._pricer.price(duals[self._free], stop)
        if found.repaired is None:
            return None
        duals[self._free] = found.repaired
        return found.columns._replace(members=self._free[found.columns.members])
