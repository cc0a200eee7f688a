"""Dive from a relaxation to a partition: fix what is nearly whole, solve again, repair what stays uncovered."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from minv.colgen.pool import take
from minv.compiled import BoolArray, FloatArray, IntArray
from minv.pricing.protocol import Columns
from minv.solvers.protocol import SetPartitionSolver
from minv.stopping import Stop

_WHOLE = 1 - 1e-6
_FEWEST = 0.02  # of the fractional columns, the largest, where no value is so large
_PRICE = 20.0  # of an uncovered row, in mean costs of a column that is used
_SUPPORT = 1e-6
_NEAREST = 4  # columns of least reduced cost through a row that is to be covered anew
_REPAIRS = 4
_LARGEST, _SMALL = 0.4, 200  # part of the rows, and rows: a larger repair is as hard as the whole
_SHARE = 0.1  # of the time that is left, for one repair


class VertexSolver(Protocol):
    """See `minv.solvers.vertex.highs_vertex`."""

    def __call__(
        self,
        starts: IntArray,
        rows: IntArray,
        costs: FloatArray,
        rhs: IntArray,
        prices: FloatArray,
        *,
        time_limit: float,
    ) -> FloatArray | None:
        """Return a vertex of the relaxation."""
        ...


@dataclass(frozen=True, eq=False)
class Descent:
    """What a dive has fixed: columns, repeated where chosen twice, and how often each row is still to be covered."""

    chosen: IntArray
    left: IntArray


def dive(
    columns: Columns,
    rhs: IntArray,
    at_most: IntArray,
    vertex: VertexSolver,
    unit: float,
    stop: Stop,
    *,
    nearly: float = 0.7,
) -> Descent | None:
    """Fix columns until none fits any more; None where `stop` or the solver ended the dive.

    Parameters
    ----------
    columns
        Those of least reduced cost.
    rhs, at_most
        How often each row is to be covered; rows that may be covered less often for nothing.
    unit
        Mean cost of a column of a good partition.
    nearly
        Values from here on are fixed together.
    """
    left = rhs.copy()
    prices = np.full(len(rhs), _PRICE)
    prices[at_most] = 0.0
    alive: BoolArray = np.ones(columns.number, np.bool_)
    chosen: list[int] = []
    while alive.any():
        if stop.remaining() <= 0:
            return None
        places = np.flatnonzero(alive)
        part = take(columns, places)
        rows = np.flatnonzero(left > 0)
        values = vertex(
            part.starts,
            np.searchsorted(rows, part.members),
            part.costs / unit,
            left[rows],
            prices[rows],
            time_limit=stop.remaining(),
        )
        if values is None:
            return None
        before = len(chosen)
        for place, times in _to_fix(values, nearly):
            members = part.members[part.starts[place] : part.starts[place + 1]]
            needed = np.bincount(members, minlength=len(rhs)) * times
            if (needed <= left).all():
                left = left - needed
                chosen += [int(places[place])] * times
        if len(chosen) == before:
            break
        alive &= np.logical_and.reduceat((left > 0)[columns.members], columns.starts[:-1])
    return Descent(np.array(chosen, np.int64), left)


def _to_fix(values: FloatArray, nearly: float) -> list[tuple[int, int]]:
    """Return columns and how often to choose each, the largest values first."""
    order = np.argsort(-values, kind="stable")
    order = order[values[order] > _SUPPORT]
    whole = order[values[order] >= _WHOLE]
    rest = order[values[order] < _WHOLE]
    near = max(int(np.count_nonzero(values[rest] >= nearly)), int(np.ceil(_FEWEST * len(rest))))
    fixed = [(int(place), int(values[place] + 1 - _WHOLE)) for place in whole]
    return fixed + [(int(place), 1) for place in rest[:near]]


def repair(
    descent: Descent,
    columns: Columns,
    reduced: FloatArray,
    at_most: IntArray,
    integer: SetPartitionSolver,
    unit: float,
    stop: Stop,
    *,
    seed: int,
    node_limit: int | None,
) -> IntArray | None:
    """Cover what a dive left uncovered: give up the chosen columns around it, ever more of them, and choose anew.

    Parameters
    ----------
    columns, reduced
        Of the dive, and their reduced costs.

    Returns
    -------
    The chosen columns, or None where no repair was found.
    """
    kept, left = descent.chosen, descent.left.copy()
    must = np.ones(len(left), np.bool_)
    must[at_most] = False
    for _ in range(_REPAIRS):
        if not (left[must] > 0).any():
            return kept
        if stop.remaining() <= 0:
            return None
        kept, left = _give_up(kept, left, columns, reduced, must)
        rows = np.flatnonzero(left > 0)
        if len(rows) > max(_SMALL, _LARGEST * len(left)):
            return None
        fitting = np.flatnonzero(np.logical_and.reduceat((left > 0)[columns.members], columns.starts[:-1]))
        if not len(fitting):
            continue
        part = take(columns, fitting)
        answer = integer.solve(
            part.starts,
            np.searchsorted(rows, part.members),
            part.costs / unit,
            left[rows],
            start=None,
            time_limit=_SHARE * stop.remaining(),
            relative_gap=1e-4,
            seed=seed,
            node_limit=node_limit,
        )
        if len(answer.chosen):
            return np.concatenate([kept, fitting[answer.chosen]])
    return None


def _give_up(
    kept: IntArray, left: IntArray, columns: Columns, reduced: FloatArray, must: BoolArray
) -> tuple[IntArray, IntArray]:
    """Give up the kept columns that meet those of least reduced cost through the uncovered rows."""
    owner = np.repeat(np.arange(columns.number), np.diff(columns.starts))
    through = np.flatnonzero(((left > 0) & must)[columns.members])
    order = through[np.lexsort([reduced[owner[through]], columns.members[through]])]
    row = columns.members[order]
    rank = np.arange(len(order)) - np.searchsorted(row, row)
    wanted: BoolArray = np.zeros(len(left), np.bool_)
    near = np.unique(owner[order[rank < _NEAREST]])
    wanted[take(columns, near).members] = True
    wanted &= must
    held = take(columns, kept)
    meets = np.logical_or.reduceat(wanted[held.members], held.starts[:-1])
    freed = take(columns, kept[meets])
    return kept[~meets], left + np.bincount(freed.members, minlength=len(left))
