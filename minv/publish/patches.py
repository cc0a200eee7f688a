"""Large instances: anneal spatially compact patches of whole clusters, time and again with other seams."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.localsearch import anneal
from minv.progress import silent
from minv.publish import annealing
from minv.publish.incumbent import Incumbent
from minv.publish.neighbourhoods import centroids
from minv.publish.workers import task_token
from minv.stopping import Stop

POINTS = 2_000  # of a patch
# Passes over all points: the temperature at which each starts, and its share of the effort. The first also
# chooses the number of clusters of each patch; the others only mend the seams of those before.
_PASSES = ((None, 0.55), (20.0, 0.2), (5.0, 0.15), (2.0, 0.1))
_LEAST_SIDE = 0.4  # of the points, on either side of a division


class Patch(NamedTuple):
    """Some clusters, as a problem of their own; `members` are the indices of their points."""

    members: IntArray
    points: FloatArray
    colours: IntArray
    labels: IntArray
    m: int
    max_size: int
    temperature: float | None
    units: int
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
    order = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(weights)])
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
    colours = np.unique(patch.colours, return_inverse=True)[1]
    instance = Instance(patch.points, colours, patch.m, patch.max_size)
    limited = np.isfinite(patch.seconds)
    stop = Stop(time_limit=patch.seconds if limited else None, cancel=task_token())
    if patch.temperature is None:
        incumbent = Incumbent(instance, patch.labels, stop, silent)
        units = 0 if limited else patch.units
        annealing.search(incumbent, stop, units=units, seconds=patch.seconds, seed=patch.seed)
        return incumbent.labels
    units = max(1, round(annealing.UNITS_A_SECOND * patch.seconds)) if limited else patch.units
    return anneal(
        instance.points,
        instance.colours,
        patch.labels,
        m=patch.m,
        max_size=patch.max_size,
        moves=units * annealing.MOVES_A_UNIT,
        seed=patch.seed,
        start_temperature=patch.temperature,
        stop=stop,
    )


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
        tasks = [
            Patch(
                members,
                instance.points[members],
                instance.colours[members],
                np.unique(labels[members], return_inverse=True)[1],
                instance.m,
                instance.max_size,
                temperature,
                max(1, round(units * share / len(parts))),
                min(seconds * share, stop.remaining()) * at_once / len(parts),
                seed + 1000 * number + index,
            )
            for index, members in enumerate(parts)
        ]
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
