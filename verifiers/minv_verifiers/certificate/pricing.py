"""Prove that no cluster has a reduced cost below a tolerance, by branch and bound over its centroid.

For a centre c let v_i(c) = |a_i - c|^2 - dual_i. The sum of v_i(c) over a cluster is its SSE less its duals plus
|C| |c - centroid|^2. So for a cluster whose centroid lies in a box with centre c and half-diagonal h the reduced
cost is at least the sum of v_i(c) less |C| h^2; cuts only add to it. The centroid of every cluster lies in the
bounding box of the points. A box is done when the best choice of colours at its centre, for every size, stays above
the tolerance; where few clusters remain below, each of them is priced exactly; else the box is halved.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import BoolArray, FloatArray, IntArray
from minv_verifiers.certificate.problem import Cluster, PricingProblem

_BATCH = 256  # boxes whose bounds are computed together
_NODES = 50  # of the enumeration of one box before it is halved instead
_MOST_NODES = (
    50_000  # the same where halving cannot help: the sum at the centre itself is below the tolerance
)
_LEAST_WIDTH = 1e-9  # of a box, relative to the points' extent: below, rounding decides


@dataclass(frozen=True, eq=False)
class Proof:
    """What the search found.

    Attributes
    ----------
    counterexample
        A cluster below the tolerance; None if there is none.
    complete
        Whether the search came to an end (else time ran out, or a box became too small to decide).
    boxes
        Number of boxes looked at.
    """

    counterexample: Cluster | None
    complete: bool
    boxes: int

    @property
    def holds(self) -> bool:
        """Whether every cluster is proved to stay above the tolerance."""
        return self.complete and self.counterexample is None


def prove(problem: PricingProblem, tolerance: float, *, time_limit: float = math.inf) -> Proof:
    """Prove that every cluster has a reduced cost of at least -tolerance, or find one that has not.

    Parameters
    ----------
    problem
        The clusters and what they pay.
    tolerance
        0 or more.
    time_limit
        Seconds after which the search is given up.
    """
    if not len(problem.points):
        return Proof(None, True, 0)
    return _Search(problem, tolerance).run(time.monotonic() + time_limit)


class _Search:
    def __init__(self, problem: PricingProblem, tolerance: float) -> None:
        order = np.argsort(problem.colours, kind="stable")
        self._problem = problem
        self._tolerance = tolerance
        self._rows: IntArray = order
        self._points = problem.points[order]
        self._duals = problem.duals[order]
        _, self._starts = np.unique(problem.colours[order], return_index=True)
        self._colours = np.repeat(np.arange(len(self._starts)), np.diff(np.append(self._starts, len(order))))
        self._sizes = np.arange(problem.m, min(problem.max_size, len(self._starts)) + 1)
        self._priced: set[tuple[int, ...]] = set()

    def run(self, deadline: float) -> Proof:
        """Search depth first, a batch of boxes at a time."""
        if not len(self._sizes):  # fewer colours than m: there is no cluster
            return Proof(None, True, 0)
        low, high = self._points.min(axis=0), self._points.max(axis=0)
        waiting = [(low, high)]
        smallest = _LEAST_WIDTH * max(float((high - low).max()), 1.0)
        boxes = 0
        while waiting:
            if time.monotonic() > deadline:
                return Proof(None, False, boxes)
            batch, waiting = waiting[-_BATCH:], waiting[:-_BATCH]
            boxes += len(batch)
            lows, highs = (np.array(side) for side in zip(*batch, strict=True))
            centres = (lows + highs) / 2
            reach = ((highs - lows) ** 2).sum(axis=1) / 4
            values = self._values(centres)
            bounds = self._bounds(values)
            for place in np.flatnonzero(
                (bounds - self._sizes * reach[:, None]).min(axis=1) < -self._tolerance
            ):
                settled, found = self._settle(values[place], float(bounds[place].min()), float(reach[place]))
                if found is not None:
                    return Proof(found, True, boxes)
                if settled:
                    continue
                if float((highs[place] - lows[place]).max()) < smallest:
                    return Proof(None, False, boxes)
                waiting += halves(lows[place], highs[place])
        return Proof(None, True, boxes)

    def _values(self, centres: FloatArray) -> FloatArray:
        """Return v_i at each centre, (boxes, rows)."""
        result = np.empty((len(centres), len(self._points)))
        result[:] = -self._duals
        for axis in range(self._points.shape[1]):
            result += (self._points[:, axis] - centres[:, axis, None]) ** 2
        return result

    def _bounds(self, values: FloatArray) -> FloatArray:
        """Return the least sum of v over clusters of each size, (boxes, sizes)."""
        best = np.minimum.reduceat(values, self._starts, axis=1)
        most = int(self._sizes[-1])
        if most < best.shape[1]:
            best = np.partition(best, most - 1, axis=1)[:, :most]
        sums = np.cumsum(np.sort(best, axis=1), axis=1)
        return np.asarray(sums[:, self._sizes - 1])

    def _settle(self, values: FloatArray, least: float, reach: float) -> tuple[bool, Cluster | None]:
        """Price every cluster that the bound leaves in a box, if they are few; returns whether they were.

        `least` is the least sum at the centre. Cuts are not part of it, so it can be negative for good.
        """
        hopeless = least < -self._tolerance and int(self._sizes[-1]) * reach < -(least + self._tolerance)
        left = _MOST_NODES if hopeless else _NODES
        relevant = self._relevant(values, reach)
        for rows in self._choices(values, relevant, reach):
            left -= 1
            if left < 0:
                return False, None
            cluster = tuple(sorted(rows))
            if len(cluster) < self._sizes[0] or cluster in self._priced or not self._problem.allowed(cluster):
                continue
            cost = self._problem.reduced_cost(cluster)
            if cost < -self._tolerance:
                return True, Cluster(cluster, cost)
            self._priced.add(cluster)
        return True, None

    def _choices(self, values: FloatArray, relevant: IntArray, reach: float) -> Iterator[tuple[int, ...]]:
        """Yield the steps of the enumeration of clusters below the tolerance in a box; complete ones among them."""
        groups = [
            relevant[self._colours[relevant] == colour] for colour in np.unique(self._colours[relevant])
        ]
        groups = [group[np.argsort(values[group], kind="stable")] for group in groups]
        groups.sort(key=lambda group: float(values[group[0]]))
        ordered = [
            [(float(values[place]), int(self._rows[place])) for place in group.tolist()] for group in groups
        ]
        for size in self._sizes.tolist():
            if size <= len(ordered):
                yield from _small_sums(ordered, size, size * reach - self._tolerance, self._problem)

    def _relevant(self, values: FloatArray, reach: float) -> IntArray:
        """Return the rows that can be part of a cluster below the tolerance in this box."""
        best = np.minimum.reduceat(values, self._starts)
        ranked = np.sort(best)
        keep: BoolArray = np.zeros(len(values), dtype=np.bool_)
        for size in self._sizes.tolist():
            others = float(ranked[: size - 1].sum())
            # The colour's own best may be among those others; then the next one takes its place.
            inside = (
                best[self._colours] <= ranked[size - 2] if size > 1 else np.zeros(len(values), dtype=np.bool_)
            )
            rest = np.where(inside, others - best[self._colours] + ranked[size - 1], others)
            keep |= values + rest - size * reach < -self._tolerance
        return np.flatnonzero(keep).astype(np.int64)


def halves(low: FloatArray, high: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    """Cut a box through the middle of its longest side."""
    axis = int(np.argmax(high - low))
    middle = (low[axis] + high[axis]) / 2
    left, right = high.copy(), low.copy()
    left[axis], right[axis] = middle, middle
    return [(low, left), (right, high)]


def _small_sums(
    ordered: list[list[tuple[float, int]]], size: int, limit: float, problem: PricingProblem
) -> Iterator[tuple[int, ...]]:
    """Yield the steps of a depth-first search for clusters of one size whose sum and penalties stay below a limit.

    Parameters
    ----------
    ordered
        For each colour its (value, row), ascending; colours ascending by their first value.
    """
    # Ascending least values: the next k of them are the least that k more rows can add.
    sums = np.concatenate([[0.0], np.cumsum([group[0][0] for group in ordered])]).tolist()
    waiting: list[tuple[int, float, tuple[int, ...]]] = [(0, 0.0, ())]
    while waiting:
        group, total, chosen = waiting.pop()
        yield chosen
        need = size - len(chosen)
        if need == 0 or group + need > len(ordered):
            continue
        penalty = problem.penalty(chosen)  # more rows only add to it
        if total + penalty + sums[group + need] - sums[group] >= limit or not problem.allowed(chosen):
            continue
        waiting.append((group + 1, total, chosen))
        rest = penalty + sums[group + need] - sums[group + 1]
        for value, row in ordered[group]:
            if total + value + rest >= limit:
                break
            waiting.append((group + 1, total + value, (*chosen, row)))
