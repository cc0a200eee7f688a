"""Pricing of the clusters of a required signature by somebody else's integer programs."""

from collections.abc import Callable

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.instance import FREE, Rows
from minv.pricing.integer import MinimiseSize, columns_of_clusters, sum_of_squares
from minv.pricing.protocol import Columns
from minv.stopping import Stop

MakeProgram = Callable[[FloatArray, IntArray, BoolArray], MinimiseSize]
"""Make, for points, colours and anchors, the programs of clusters of each size with at least one anchor."""


class SignaturePrograms:
    """Finds the clusters of one required signature by an integer program for each number of rows.

    A cluster has every value of the signature exactly once: held by a row that requires the signature, by a free row,
    or by a counterfeit. At least one row requires the signature. With k rows it has |S| - k counterfeits, so that
    k alone decides their price, and the program of k rows is that of free clusters of size k with one more condition.

    Parameters
    ----------
    rows
        The master's rows.
    index, signature
        The signature's number in `rows.required`, and its colours.
    make_program
        Makes the programs.
    tolerance
        Their bounds are trusted up to this: no column with a reduced cost below minus this remains when a search ends.
    """

    def __init__(
        self,
        rows: Rows,
        index: int,
        signature: tuple[int, ...],
        make_program: MakeProgram,
        *,
        tolerance: float,
    ) -> None:
        admitted = np.isin(rows.required, (index, FREE)) & np.isin(rows.colours, signature)
        self.width = len(signature)
        self._points = rows.points
        self._forged = len(rows.points)
        self._candidates = np.flatnonzero(admitted)
        colours = rows.colours[self._candidates]
        anchors = rows.required[self._candidates] == index
        self._most = len(np.unique(colours)) if anchors.any() else 0
        self._minimise = make_program(rows.points[self._candidates], colours, anchors)
        self._tolerance = tolerance

    def search(self, duals: FloatArray, price: float, stop: Stop) -> Columns | None:
        """Find columns of negative reduced cost and lower `duals` in place until no more can exist.

        A cluster that is found costs its rows what it gained, in equal shares, and its program is solved again: so
        every answer is another cluster, and when the last program of each size ends, its bound is proved for the
        lowered duals.

        Parameters
        ----------
        duals
            (r,) of the rows, or more.
        price
            Of a counterfeit; infinite where there may be none.

        Returns
        -------
        The columns, in which the row r stands for a counterfeit, as often as there are some; None where `stop`
        ended the search.
        """
        own = duals[self._candidates]
        found: list[IntArray] = []
        costs: list[float] = []
        least = self.width if np.isinf(price) else 1
        for size in range(least, self._most + 1):
            fill = (self.width - size) * price if size < self.width else 0.0
            while True:
                answer = self._minimise(own, size, stop)
                if not answer.proved:
                    return None
                if not len(answer.members):
                    break
                rows = self._candidates[answer.members]
                cost = sum_of_squares(self._points[rows])
                reduced = cost + fill - own[answer.members].sum()
                if reduced >= -self._tolerance:
                    own += min(0.0, (answer.bound + fill) / size)
                    break
                own[answer.members] += reduced / size
                found.append(np.append(rows, np.full(self.width - size, self._forged)))
                costs.append(cost)
        duals[self._candidates] = own
        return columns_of_clusters(found, np.array(costs))

    def columns_below(
        self, duals: FloatArray, price: float, threshold: float, most: int, stop: Stop
    ) -> Columns | None:
        """Return None: a program finds one column at a time, and lists none."""
        return None
