"""`paper`: column generation on subsets between two rounds of two-swap (Tobar Nicolau et al. 2025, section 4).

With the solver `cplex` this is the paper's configuration throughout: CPLEX solves the masters (10), prices by a
program for each size (11), and rounds by the integer program over the columns generated. Time and the number of
columns are limited, as the paper's are; it gives two hours, and does not tell the number.
"""

import time
from collections.abc import Iterable
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import numpy as np

from minv.colgen.exact import open_generation
from minv.colgen.generation import LinearBound
from minv.colgen.rounding import choose_partition, most_promising, room_for_columns
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.localsearch import two_swap
from minv.publish.engines import Pricing, SolverChoice, make_solvers
from minv.publish.incumbent import Incumbent
from minv.publish.workers import open_executor, task_token
from minv.stopping import Stop

MOST_COLUMNS = 50_000  # generated for a subset
_SWAP_SHARE = 0.2  # of the time left after the first two-swap, kept for the last one
_MIP_SHARE = 0.2  # of a subset's time, kept for its integer program
_MIP_SECONDS = 60.0
_NODES_A_UNIT = 100  # of an integer program, where effort limits the run


class Engine(NamedTuple):
    """Who solves the programs of a subset, who prices, and until when.

    Attributes
    ----------
    deadline
        Of all subsets, by `time.monotonic`.
    workers
        How many subsets are solved at a time.
    nodes
        Most nodes of the integer program of a subset; None where a clock limits it.
    """

    solver: SolverChoice
    pricing: Pricing
    deadline: float
    workers: int
    nodes: int | None


class Subset(NamedTuple):
    """One subset of whole clusters, as a problem of its own; `left` counts it and those after it."""

    members: IntArray
    points: FloatArray
    colours: IntArray
    labels: IntArray
    m: int
    max_size: int
    left: int
    seed: int


def paper(
    incumbent: Incumbent,
    stop: Stop,
    *,
    subsets: int,
    swap_first: bool,
    solver: SolverChoice,
    pricing: Pricing,
    effort: int | None,
    workers: int,
    seed: int,
    executor: Executor | None,
) -> None:
    """Run steps 2 to 6 of the decomposition heuristic; the incumbent holds the start.

    Parameters
    ----------
    effort
        None where time limits the run. Otherwise a unit is 100 nodes of the integer program of a subset; column
        generation ends by itself.

    Raises
    ------
    UsageError
        A program of a subset has more variables or rows than the solver takes.
    """
    if swap_first:
        incumbent.timed("two-swap 1", lambda: _swap(incumbent, stop))

    def generate() -> None:
        parts = split(incumbent.instance, incumbent.labels, subsets, seed)
        processes = min(workers, len(parts))
        seconds = (1 - _SWAP_SHARE) * stop.remaining()
        nodes = None if effort is None else _NODES_A_UNIT * effort
        engine = Engine(solver, pricing, time.monotonic() + seconds, processes, nodes)
        with open_executor(processes if executor is None else 1, stop.cancel) as pool:
            runner = executor or pool
            solve = partial(solve_subset, engine)
            solved = map(solve, parts) if runner is None else runner.map(solve, parts)
            _join(incumbent, parts, solved)

    incumbent.timed("column generation", generate)
    incumbent.timed("two-swap 2", lambda: _swap(incumbent, stop))


def split(instance: Instance, labels: IntArray, subsets: int, seed: int) -> list[Subset]:
    """Return subsets that are unions of whole clusters, of about n / subsets points each.

    The clusters are taken in random order. In the order of the start, a subset would hold one bucket's colours
    only, and column generation would gain far less than the paper reports (docs/decisions/0011-subsets-at-random.md).
    """
    labels = np.random.default_rng(seed).permutation(labels.max() + 1)[labels]
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels))
    subset_of_cluster = np.minimum((ends - 1) * subsets // len(labels), subsets - 1)
    subset_of_point = subset_of_cluster[labels[order]]
    present = np.unique(subset_of_point)
    return [
        Subset(
            members=(members := order[subset_of_point == index]),
            points=instance.points[members],
            colours=instance.colours[members],
            labels=np.unique(labels[members], return_inverse=True)[1],
            m=instance.m,
            max_size=instance.max_size,
            left=len(present) - number,
            seed=seed + index,
        )
        for number, index in enumerate(present.tolist())
    ]


def solve_subset(engine: Engine, subset: Subset) -> tuple[IntArray, LinearBound | None]:
    """Generate columns for a subset, choose a partition among them; return it with the linear bound.

    A subset may use its share of the time that those before it left.
    """
    share = min(1.0, engine.workers / subset.left)
    stop = Stop(time_limit=share * max(0.0, engine.deadline - time.monotonic()), cancel=task_token())
    colours = np.unique(subset.colours, return_inverse=True)[1]
    instance = Instance(subset.points, colours, subset.m, subset.max_size)
    if instance.dimension == 0:
        return subset.labels, None
    solvers = make_solvers(engine.solver, subset.seed, engine.pricing)
    generation = open_generation(instance, subset.labels, solvers)
    generating = Stop(time_limit=(1 - _MIP_SHARE) * stop.remaining(), cancel=task_token())
    while generation.generated < MOST_COLUMNS and generation.step(generating):
        pass
    room = room_for_columns(solvers.integer, subset.labels)
    labels, _ = choose_partition(
        solvers.integer,
        instance,
        most_promising(generation.master.pool.columns, generation.bound.duals, room),
        subset.labels,
        time_limit=min(_MIP_SECONDS if engine.nodes is None else np.inf, stop.remaining()),
        seed=subset.seed,
        node_limit=engine.nodes,
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
