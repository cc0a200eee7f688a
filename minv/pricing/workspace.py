"""The arrays of a branch and bound over boxes."""

from dataclasses import dataclass

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.pricing.protocol import Columns
from minv.pricing.recording import FOUND, OPEN

_HALVINGS = 64  # a coordinate: more than a box can take before its ends are neighbouring numbers


@dataclass(slots=True)
class Workspace:
    """The state of one search, as plain arrays for the kernels.

    boxes, spans
        The open boxes, a stack: their ends, and where in `lists` their candidates stand.
    state
        See `recording`.
    starts, members, costs
        Room for columns.
    """

    boxes: FloatArray
    spans: IntArray
    lists: IntArray
    state: IntArray
    starts: IntArray
    members: IntArray
    costs: FloatArray

    @classmethod
    def of(cls, points: FloatArray, room: int, largest: int) -> "Workspace":
        """Return room for `room` columns of up to `largest` members, and one box around (r, d) points."""
        rows, dimension = points.shape
        depth = _HALVINGS * dimension + 1
        boxes = np.empty((depth, 2, dimension))
        boxes[0, 0] = points.min(axis=0)
        boxes[0, 1] = points.max(axis=0)
        spans = np.zeros((depth, 2), np.int64)
        spans[0, 1] = rows
        lists = np.empty(rows * depth, np.int64)
        lists[:rows] = np.arange(rows)
        state = np.zeros(4, np.int64)
        state[OPEN] = 1
        starts = np.zeros(room + 1, np.int64)
        return cls(boxes, spans, lists, state, starts, np.empty(room * largest, np.int64), np.empty(room))

    def found(self) -> Columns:
        """Return the recorded columns."""
        number = int(self.state[FOUND])
        starts = self.starts[: number + 1].copy()
        return Columns(starts, self.members[: starts[-1]].copy(), self.costs[:number].copy())
