"""Exact pricing of clusters that must have one signature."""

import numpy as np

from minv.compiled import FloatArray
from minv.instance import FREE, Rows
from minv.pricing.protocol import Columns
from minv.pricing.recording import OPEN
from minv.pricing.signature_enumeration import enumerate_signature
from minv.pricing.signature_kernels import search_signature
from minv.pricing.workspace import Workspace
from minv.stopping import Stop

_WORK_A_CHUNK = 5_000


class SignaturePricer:
    """Finds clusters of one signature S: one row a colour of S, or a counterfeit; at least one row requires S.

    Validity: docs/bound.md, section 7.

    Parameters
    ----------
    rows
        Of the master.
    index, signature
        Number and colours of S.
    tolerance
        No column with a reduced cost below minus this remains when a search ends.
    """

    def __init__(self, rows: Rows, index: int, signature: tuple[int, ...], *, tolerance: float) -> None:
        slot_of_colour = np.full(int(max(rows.colours.max(), *signature)) + 1, -1)
        slot_of_colour[list(signature)] = np.arange(len(signature))
        requiring = rows.required == index
        usable = requiring | ((rows.required == FREE) & (slot_of_colour[rows.colours] >= 0))
        self.width = len(signature)
        self._candidates = np.flatnonzero(usable)
        self._number_of_row = np.append(self._candidates, len(rows.colours))
        self._points = np.ascontiguousarray(rows.points[usable])
        self._slots = slot_of_colour[rows.colours[usable]]
        self._requiring = requiring[usable]
        self._tolerance = tolerance

    def search(self, duals: FloatArray, price: float, stop: Stop) -> Columns | None:
        """Find columns of negative reduced cost and lower `duals` in place until no more can exist.

        Parameters
        ----------
        duals
            (r,) of the rows.
        price
            Of a counterfeit; infinite where there may be none.

        Returns
        -------
        The columns, in which the row r stands for a counterfeit, as often as there are some; None where `stop`
        ended the search.
        """
        own = duals[self._candidates]
        work = Workspace.of(self._points, 4 * len(own) + 50, self.width)
        while work.state[OPEN]:
            if stop.remaining() <= 0:
                return None
            search_signature(
                self._points,
                own,
                self._slots,
                self._requiring,
                self.width,
                price,
                self._tolerance,
                work.boxes,
                work.spans,
                work.lists,
                work.state,
                work.starts,
                work.members,
                work.costs,
                _WORK_A_CHUNK,
            )
        duals[self._candidates] = own
        return self._renumbered(work.found())

    def columns_below(
        self, duals: FloatArray, price: float, threshold: float, most: int, stop: Stop
    ) -> Columns | None:
        """List all columns with a reduced cost of at most `threshold`; see `ExactPricer` and `search`."""
        work = Workspace.of(self._points, most, self.width)
        while work.state[OPEN]:
            if stop.remaining() <= 0 or not enumerate_signature(
                self._points,
                duals[self._candidates],
                self._slots,
                self._requiring,
                self.width,
                price,
                threshold,
                work.boxes,
                work.spans,
                work.lists,
                work.state,
                work.starts,
                work.members,
                work.costs,
                _WORK_A_CHUNK,
            ):
                return None
        return self._renumbered(work.found())

    def _renumbered(self, found: Columns) -> Columns:
        return found._replace(members=self._number_of_row[found.members])
