"""Searches for classes of least SSE, one after another: anew, and reheated from the best classes so far."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from minv.compiled import FloatArray, IntArray
from minv.kanonymity import SearchSettings, default_effort, minimise_squared_errors
from minv.loss import squared_distances, sum_of_squared_errors
from minv.progress import ProgressCallback, silent
from minv.stopping import Stop

_ANEW = SearchSettings(start_temperature=0.05)  # the first search has the default
_REHEATED = SearchSettings(start_temperature=0.02, end_temperature=0.002)
_REHEATS = 3  # to each search anew, of half its effort
_LEAST_GAIN = 1e-12  # of the loss: what rounding makes of equal parts


class Restarts:
    """The best classes of a sequence of searches, which may be continued.

    One long annealing run ends in one of many classes of nearly the same loss. Reheating the best to a low temperature
    improves them more than as long a run anew; a run anew now and then finds what reheating does not
    reach. Rounds of both double their effort.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    k
        Least size of a class.
    seed
        Of the first search; each takes the next.
    progress
        Told about the first search.
    """

    def __init__(self, points: FloatArray, k: int, *, seed: int, progress: ProgressCallback = silent) -> None:
        self._points = points
        self._k = k
        self._seed = seed
        self._progress = progress
        self._taken = 0
        self._effort = default_effort(len(points))
        self.labels = np.zeros(len(points), np.int64)
        self.sse = np.inf

    def offer(self, labels: IntArray) -> None:
        """Take the better of each part that these classes and the best so far have in common."""
        if np.isfinite(self.sse):
            labels = best_parts(self._points, self.labels, labels)
        sse = sum_of_squared_errors(self._points, labels)
        if sse < self.sse:
            self.labels, self.sse = labels, sse

    def run(self, stop: Stop, bound: float = 0.0) -> None:
        """Search once, then on until `stop` is reached; `bound` is on SSE, for its gap."""
        while self._taken == 0 or not (self.sse <= 0 or stop.reached((self.sse - bound) / self.sse)):
            self.offer(self._search(stop))

    def _search(self, stop: Stop) -> IntArray:
        place = self._taken % (1 + _REHEATS)
        if self._taken > 0 and place == 0:
            self._effort *= 2
        effort = int(min(self._effort if place == 0 else self._effort // 2, stop.effort_left))
        labels = minimise_squared_errors(
            self._points,
            self._k,
            seed=self._seed + self._taken,
            stop=Stop(time_limit=stop.remaining(), effort=effort, cancel=stop.cancel),
            settings=_REHEATED if place > 0 else _ANEW if self._taken > 0 else None,
            progress=self._progress if self._taken == 0 else silent,
            start=self.labels if place > 0 else None,
        )
        stop.charge(effort)
        self._taken += 1
        return labels


def best_parts(points: FloatArray, first: IntArray, second: IntArray) -> IntArray:
    """Return classes that are, in each part of the points, the better of two.

    A part is a least set of points that is a union of classes of both, so that the choice in one part leaves all
    others free: a connected component of the graph whose edges join classes that share a point.

    Parameters
    ----------
    first, second
        (n,) classes, numbered from 0 without gaps.
    """
    offset = int(first.max()) + 1
    nodes = offset + int(second.max()) + 1
    edges = coo_matrix((np.ones(len(first)), (first, offset + second)), shape=(nodes, nodes))
    parts, part_of_node = connected_components(edges, directed=False)
    part = part_of_node[first]
    losses = [
        np.bincount(part, weights=squared_distances(points, labels), minlength=parts)
        for labels in (first, second)
    ]
    better = losses[1] < losses[0] - _LEAST_GAIN * losses[0].sum()
    chosen = np.where(better[part], offset + second, first)
    return np.unique(chosen, return_inverse=True)[1].astype(np.int64)
