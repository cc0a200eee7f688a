"""`paper`: column generation on subsets between two rounds of two-swap (Tobar Nicolau et al. 2025, section 4)."""

from collections.abc import Iterable
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from minv.colgen.exact import open_generation
from minv.colgen.generation import LinearBound
from minv.colgen.rounding import choose_partition
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.localsearch import two_swap
from minv.publish.engines import can_price, default_solvers
from minv.publish.incumbent import Incumbent
from minv.publish.workers import open_executor, task_token
from minv.stopping import Stop

_SWAP_SHARE = 0.2  # of the time left after the first two-swap, kept for the last one
_MIP_SHARE = 0.2  # of a subset's time, kept for its integer program
_MIP_SECONDS = 60.0


class Subset(NamedTuple):
    """One subset of whole clusters, as a problem of its own."""

    members: IntArray
    points: FloatArray
    colours: IntArray
    labels: IntArray
    m: int
    max_size: int
    seconds: float
    seed: int


def paper(
    incumbent: Incumbent,
    stop: Stop,
    *,
    subsets: int,
    swap_first: bool,
    workers: int,
    seed: int,
    executor: Executor | None,
) -> None:
    """Run steps 2 to 6 of the decomposition heuristic; the incumbent holds the start."""
    if swap_first:
        incumbent.timed("two-swap 1", lambda: _swap(incumbent, stop))

    def generate() -> None:
        seconds = seconds_each(stop.remaining(), subsets, workers)
        parts = list(split(incumbent.instance, incumbent.labels, subsets, seconds, seed))
        processes = workers if len(parts) > 1 and executor is None else 1
        with open_executor(processes, stop.cancel) as pool:
            runner = executor or pool
            solved = map(solve_subset, parts) if runner is None else runner.map(solve_subset, parts)
            _join(incumbent, parts, solved)

    incumbent.timed("column generation", generate)
    incumbent.timed("two-swap 2", lambda: _swap(incumbent, stop))


def seconds_each(remaining: float, subsets: int, workers: int) -> float:
    """Return the wall seconds of one subset, so that all of them leave some for the last two-swap."""
    rounds = -(-subsets // workers)
    return (1 - _SWAP_SHARE) * remaining / rounds


def split(instance: Instance, labels: IntArray, subsets: int, seconds: float, seed: int) -> Iterable[Subset]:
    """Yield subsets that are unions of whole clusters, taken in sequence, of about n / subsets points each."""
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels))
    subset_of_cluster = np.minimum((ends - 1) * subsets // len(labels), subsets - 1)
    subset_of_point = subset_of_cluster[labels[order]]
    for index in range(subsets):
        members = order[subset_of_point == index]
        if len(members):
            yield Subset(
                members,
                instance.points[members],
                instance.colours[members],
                np.unique(labels[members], return_inverse=True)[1],
                instance.m,
                instance.max_size,
                seconds,
                seed + index,
            )


def solve_subset(subset: Subset) -> tuple[IntArray, LinearBound | None]:
    """Generate columns for a subset, choose a partition among them; return it with the linear bound."""
    colours = np.unique(subset.colours, return_inverse=True)[1]
    instance = Instance(subset.points, colours, subset.m, subset.max_size)
    if not can_price(instance):
        return subset.labels, None
    solvers = default_solvers()
    stop = Stop(time_limit=(1 - _MIP_SHARE) * subset.seconds, cancel=task_token())
    generation = open_generation(instance, subset.labels, solvers)
    while generation.step(stop):
        pass
    labels, _ = choose_partition(
        solvers.integer,
        instance,
        generation.master.pool.columns,
        subset.labels,
        time_limit=min(_MIP_SECONDS, _MIP_SHARE * subset.seconds),
        seed=subset.seed,
    )
    return labels, generation.bound


def _join(
    incumbent: Incumbent, parts: list[Subset], solved: Iterable[tuple[IntArray, LinearBound | None]]
) -> None:
    labels = np.empty_like(incumbent.labels)
    clusters = 0
    for part, (found, bound) in zip(parts, solved, strict=True):
        labels[part.members] = found + clusters
        clusters += int(found.max()) + 1
        if len(parts) == 1 and bound is not None:  # a sum over subsets bounds nothing
            incumbent.bounds.learn(bound, root=True)
    incumbent.offer(labels, "column generation")


def _swap(incumbent: Incumbent, stop: Stop) -> None:
    instance = incumbent.instance
    incumbent.offer(two_swap(instance.points, instance.colours, incumbent.labels, stop=stop), "two-swap")
