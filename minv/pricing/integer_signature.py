"""Pricing of the clusters of a required signature by somebody else's integer programs."""

from collections.abc import Callable

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.instance import FREE, Rows
from minv.pricing.cuts import CutPenalties
from minv.pricing.integer import (
    MinimiseSize,
    ProgramAnswer,
    sum_of_squares,
    translate,
)
from minv.pricing.protocol import PricingResult, not_applicable
from minv.stopping import Stop

MakeProgram = Callable[[FloatArray, IntArray, BoolArray], MinimiseSize]
"""Make, for points, colours and anchors, the programs of clusters of each size with at least one anchor."""


class SignatureSizePricer:
    """Pricer for the clusters of one required signature that has an integer program solved for each size.

    A cluster has every value of the signature exactly once: held by a row that requires the signature, by a free row,
    or by a counterfeit. At least one row requires the signature. With k rows it has |S| - k counterfeits, so that
    k alone decides their price, and the program of size k is that of free clusters with one more condition.

    Parameters
    ----------
    rows
        The master's rows.
    index, signature
        The signature's number in `rows.required`, and its colours.
    price
        Of a counterfeit.
    make_program
        Makes the programs.
    tolerance
        Their bounds are trusted up to this.
    """

    def __init__(
        self,
        rows: Rows,
        index: int,
        signature: tuple[int, ...],
        price: float,
        make_program: MakeProgram,
        *,
        tolerance: float,
    ) -> None:
        admitted = np.isin(rows.required, (index, FREE)) & np.isin(rows.colours, signature)
        self._points = rows.points
        self._candidates = np.flatnonzero(admitted)
        self._length = len(signature)
        self._price = price
        colours = rows.colours[self._candidates]
        anchors = rows.required[self._candidates] == index
        self._sizes = range(1, len(np.unique(colours)) + 1 if anchors.any() else 1)
        self._minimise = make_program(rows.points[self._candidates], colours, anchors)
        self.tolerance = tolerance

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Solve the program of every number of rows; see `PricingResult`. Not applicable with cuts.

        The costs of the columns include the price of their counterfeits.
        """
        if cuts is not None and len(cuts.penalties):
            return not_applicable()
        answers = [
            _Answer(self._minimise(duals[self._candidates], size, stop), self._candidates, self._fill(size))
            for size in self._sizes
        ]
        bound = min((answer.bound for answer in answers), default=np.inf)
        per_row = min(
            (answer.bound / size for answer, size in zip(answers, self._sizes, strict=True)), default=0.0
        )
        return translate(self._cost, duals, answers, bound, per_row, self.tolerance)

    def _fill(self, size: int) -> float:
        """Return the price of the counterfeits beside so many rows."""
        return self._price * (self._length - size)

    def _cost(self, members: IntArray) -> float:
        return sum_of_squares(self._points[members]) + self._fill(len(members))


class _Answer:
    """A program's answer about some of the rows, as one about all of them, with the price of counterfeits."""

    def __init__(self, answer: ProgramAnswer, candidates: IntArray, price: float) -> None:
        self.members = candidates[answer.members]
        self.bound = answer.bound + price
        self.proved = answer.proved
