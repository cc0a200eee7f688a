"""Large instances: anneal spatially compact patches of whole clusters, time and again with other seams."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.grouping import grouped
from minv.instance import cluster_numbers
from minv.localsearch import anneal, with_clusters
from minv.loss import sum_of_squared_errors
from minv.publish import annealing
from minv.publish.incumbent import Incumbent
from minv.publish.neighbourhoods import centroids
from minv.publish.workers import task_token
from minv.stopping import Stop

POINTS = 2_000  # of a patch
# Passes over all points: the temperature at which each starts, and its share of the effort. The first also
# chooses the number of clusters of each patch; the others only mend the seams of those before.
_PASSES = ((20.0, 0.55), (10.0, 0.2), (5.0, 0.15), (2.0, 0.1))
_SHARES = (1.0, 0.97, 0.94)  # of the clusters of a patch, tried in the first pass
_TRIAL = 0.15  # of a patch's effort, for each of them
_LEAST_SIDE = 0.4  # of the points, on either side of a division


class Patch(NamedTuple):
    """Some clusters, as a problem of their own; `members` are the indices of their points."""

    members: IntArray
    points: FloatArray
    colours: IntArray
    labels: IntArray
    m: int
    max_size: int
    temperature: float
    clusters: tuple[int, ...]
    moves: int
    seconds: float
    seed: int


def divide(points: FloatArray, labels: IntArray, size: int, seed: int) -> Iterator[IntArray]:
    """Yield the members of compact unions of whole clusters, each of at most about `size` points.

    The clusters are halved across a random direction, in which wide coordinates weigh more, until the parts are
    small; other seeds give other seams.
    """
    random = np.random.default_rng(seed)
    centres = centroids(points, labels)
    weights = np.bincount(labels)
    starts, order = grouped(labels)
    open_parts = [np.arange(len(centres))]
    while open_parts:
        part = open_parts.pop()
        total = weights[part].sum()
        if total <= size or len(part) < 2:
            yield np.concatenate([order[starts[c] : starts[c + 1]] for c in part.tolist()])
            continue
        direction = random.standard_normal(centres.shape[1]) * centres[part].std(axis=0)
        along = part[np.argsort(centres[part] @ direction, kind="stable")]
        at = random.uniform(_LEAST_SIDE, 1 - _LEAST_SIDE) * total
        cut = int(np.clip(np.searchsorted(np.cumsum(weights[along]), at), 1, len(along) - 1))
        open_parts += [along[cut:], along[:cut]]


def solve_patch(patch: Patch) -> IntArray:
    """Return labels of a patch that lose no more than its own."""
    stop = Stop(time_limit=patch.seconds, cancel=task_token())
    best, left = patch.labels, 1.0
    if len(patch.clusters) > 1:
        left -= _TRIAL * len(patch.clusters)
        tried = [
            _annealed(patch, _clustered(patch, clusters), _TRIAL, stop, index)
            for index, clusters in enumerate(patch.clusters)
        ]
        best = min([best, *tried], key=lambda labels: sum_of_squared_errors(patch.points, labels))
    return _annealed(patch, best, left, stop, len(patch.clusters))


def _clustered(patch: Patch, clusters: int) -> IntArray:
    colours = np.unique(patch.colours, return_inverse=True)[1]
    return with_clusters(patch.points, colours, patch.labels, clusters, m=patch.m, max_size=patch.max_size)


def _annealed(patch: Patch, labels: IntArray, share: float, stop: Stop, number: int) -> IntArray:
    """Anneal for a share of the patch's effort."""
    seconds = min(share * patch.seconds, stop.remaining())
    limit = Stop(time_limit=seconds, cancel=stop.cancel)
    return anneal(
        patch.points,
        np.unique(patch.colours, return_inverse=True)[1],
        labels,
        m=patch.m,
        max_size=patch.max_size,
        moves=max(1, round(share * patch.moves)),
        seed=patch.seed + 100 * number,
        start_temperature=patch.temperature,
        stop=limit,
    )


def _counts(colours: IntArray, labels: IntArray, m: int, max_size: int) -> tuple[int, ...]:
    """Return the numbers of clusters to try: some shares of the present one, as far as they are possible."""
    feasible = cluster_numbers(np.bincount(colours), m, max_size)
    present = int(labels.max()) + 1
    wanted = {min(max(round(share * present), feasible.start), feasible.stop - 1) for share in _SHARES}
    return tuple(sorted(wanted, reverse=True))


def search(
    incumbent: Incumbent,
    stop: Stop,
    *,
    units: int,
    seconds: float,
    seed: int,
    workers: int,
    executor: Executor | None,
) -> None:
    """Go over all points in a few passes of ever lower temperature.

    Parameters
    ----------
    units
        Million moves in all, at least one a patch and pass, where effort limits the run; otherwise 0.
    seconds
        Wall seconds in all, where time limits it; otherwise infinite.
    workers, executor
        How many patches are solved at a time, and by whom; None solves them here.
    """
    instance = incumbent.instance
    for number, (temperature, share) in enumerate(_PASSES):
        if stop.reached(incumbent.gap):
            return
        labels = incumbent.labels
        parts = list(divide(instance.points, labels, POINTS, seed + number))
        at_once = min(workers, len(parts)) if executor is not None else 1
        each = min(seconds * share, stop.remaining()) * at_once / len(parts)
        million = max(
            1, round(units * share / len(parts)) if units else round(annealing.UNITS_A_SECOND * each)
        )
        tasks = []
        for index, members in enumerate(parts):
            own = np.unique(labels[members], return_inverse=True)[1]
            colours = instance.colours[members]
            counts = () if number else _counts(colours, own, instance.m, instance.max_size)
            tasks.append(
                Patch(
                    members,
                    instance.points[members],
                    colours,
                    own,
                    instance.m,
                    instance.max_size,
                    temperature,
                    counts,
                    million * annealing.MOVES_A_UNIT,
                    each,
                    seed + 1000 * number + index,
                )
            )
        incumbent.offer(_join(labels, tasks, _solved(tasks, executor, stop)), "patches")


def _solved(tasks: list[Patch], executor: Executor | None, stop: Stop) -> Iterable[IntArray]:
    if executor is not None:
        return executor.map(solve_patch, tasks)
    return (task.labels if stop.reached() else solve_patch(task) for task in tasks)


def _join(labels: IntArray, tasks: list[Patch], solved: Iterable[IntArray]) -> IntArray:
    joined = np.empty_like(labels)
    clusters = 0
    for task, found in zip(tasks, solved, strict=True):
        joined[task.members] = found + clusters
        clusters += int(found.max()) + 1
    return joined
