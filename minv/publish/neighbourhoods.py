"""Re-optimise neighbourhoods: a cluster and those around it, solved as a small instance of their own."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from minv.colgen.exact import close_gap
from minv.compiled import FloatArray, IntArray
from minv.grouping import grouped
from minv.instance import Instance
from minv.publish.engines import SolverChoice, make_solvers
from minv.publish.workers import task_token
from minv.stopping import Stop


class Depth(NamedTuple):
    """How thoroughly a neighbourhood is searched, at most.

    Attributes
    ----------
    seconds
        Wall seconds.
    columns
        Length of the lists.
    parts
        Of each search.
    cut_rounds
        Of cuts, where the lists do not reach far enough without.
    """

    seconds: float
    columns: int
    parts: int
    cut_rounds: int = 0


class Task(NamedTuple):
    """One neighbourhood: its points (indices of the whole) and their own small problem."""

    members: IntArray
    points: FloatArray
    colours: IntArray
    labels: IntArray
    m: int
    max_size: int
    seconds: float
    depth: Depth
    seed: int
    solver: SolverChoice


def solve_task(task: Task) -> IntArray:
    """Return better labels of the neighbourhood, or its old ones."""
    instance = Instance(task.points, np.unique(task.colours, return_inverse=True)[1], task.m, task.max_size)
    stop = Stop(time_limit=task.seconds, cancel=task_token())
    labels = task.labels
    for cut_rounds in dict.fromkeys((0, task.depth.cut_rounds)):
        closed = close_gap(
            instance,
            labels,
            make_solvers(task.solver, task.seed),
            stop,
            most_columns=task.depth.columns,
            cut_rounds=cut_rounds,
            seed=task.seed,
            node_limit=task.depth.parts,
        )
        labels = closed.labels
        if closed.proved:
            break
    return labels


def centroids(points: FloatArray, labels: IntArray) -> FloatArray:
    """Return the (K, d) centroids of clusters 0..K-1."""
    counts = np.maximum(np.bincount(labels), 1)
    return np.column_stack([np.bincount(labels, weights=x) / counts for x in points.T])


class Neighbourhoods:
    """Chooses disjoint neighbourhoods, the worst clusters first, and skips those that were tried in vain.

    Parameters
    ----------
    instance
        The whole problem.
    size
        About how many points a neighbourhood has.
    depth
        How thoroughly each is searched.
    seed
        Breaks ties and decides the order among equals.
    solver
        Of the programs.
    """

    def __init__(
        self, instance: Instance, *, size: int, depth: Depth, seed: int, solver: SolverChoice
    ) -> None:
        self._instance = instance
        self._size = size
        self._depth = depth
        self._solver = solver
        self._random = np.random.default_rng(seed)
        self._tried: set[int] = set()
        self._keys = np.random.default_rng(0).integers(1, 2**62, size=instance.size)

    def tasks(self, labels: IntArray, badness: FloatArray, most: int, seconds: float) -> Iterator[Task]:
        """Yield up to `most` disjoint neighbourhoods around the clusters of greatest badness."""
        centres = centroids(self._instance.points, labels)
        starts, order = grouped(labels)
        wanted = max(2, round(self._size * len(centres) / max(len(labels), 1)))
        tree = cKDTree(centres)
        noise = self._random.random(len(centres))
        used = np.zeros(len(centres), bool)
        yielded = 0
        for seed_cluster in np.lexsort([noise, -badness]).tolist():
            if yielded == most:
                return
            _, near = tree.query(centres[seed_cluster], k=min(wanted, len(centres)))
            near = np.atleast_1d(near)
            if used[near].any():
                continue
            members = np.concatenate([order[starts[c] : starts[c + 1]] for c in near])
            signature = self._signature(members, labels)
            if signature in self._tried:
                continue
            self._tried.add(signature)
            used[near] = True
            yielded += 1
            yield Task(
                members,
                self._instance.points[members],
                self._instance.colours[members],
                np.unique(labels[members], return_inverse=True)[1],
                self._instance.m,
                self._instance.max_size,
                min(seconds, self._depth.seconds),
                self._depth,
                int(self._random.integers(2**31)),
                self._solver,
            )

    def _signature(self, members: IntArray, labels: IntArray) -> int:
        """Identify a neighbourhood with its present clusters, whatever their numbers."""
        keys = self._keys[members].astype(np.uint64)
        sums = np.zeros(labels.max() + 1, np.uint64)
        np.add.at(sums, labels[members], keys)
        mixed = sums * np.uint64(0x9E3779B97F4A7C15)
        return int((mixed ^ (mixed >> np.uint64(29))).sum())


def with_part(labels: IntArray, members: IntArray, found: IntArray) -> IntArray:
    """Return the labels of the whole with whole clusters replaced, those of `members`; all are numbered anew."""
    result = labels.copy()
    result[members] = found + labels.max() + 1
    return np.unique(result, return_inverse=True)[1].astype(np.int64)
