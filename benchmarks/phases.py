"""The phases of the engine one after the other, each timed: what `growth` makes its page of."""

import time
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from benchmarks import instances
from benchmarks.cases import InstanceCase
from minv.colgen.exact import open_generation
from minv.colgen.generation import ColumnGeneration
from minv.compiled import IntArray
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch import anneal, first_improvement
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares
from minv.publish.engines import HIGHS, can_price, default_solvers
from minv.publish.exact_search import badness_of
from minv.publish.neighbourhoods import Depth, Neighbourhoods, solve_task, with_part
from minv.publish.partition import normalised
from minv.publish.portfolio import MOST_ROWS
from minv.stopping import Stop

MILLION_MOVES = 5
TASKS, SIZE = 8, 120
DEPTH = Depth(seconds=float("inf"), columns=20_000, parts=4)
CUTS_A_ROUND, CUT_ROUNDS = 100, 3
SEED = 1


class Relaxation(NamedTuple):
    """CPU seconds of the parts of a bound, and how far it came; `gap` is relative, `bound_il` in percent.

    `cuts` is None where the relaxation was not solved in time.
    """

    master: float
    pricing: float
    iterations: int
    gap: float
    cuts: float | None
    bound_il: float


class Profile(NamedTuple):
    """Of one case: CPU seconds of the phases and the loss in percent after them."""

    case: InstanceCase
    distinct: int
    descent: float
    annealing: float
    neighbourhoods: float
    il: float
    relaxation: Relaxation | None


class Clock:
    """Adds up the CPU seconds of what it runs or wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def run(self, work: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Return what the function returns."""
        began = time.process_time()
        try:
            return work(*arguments, **options)
        finally:
            self.seconds += time.process_time() - began

    def wrap(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, timed."""
        return lambda *arguments, **options: self.run(work, *arguments, **options)


def profile(case: InstanceCase, seconds: float, cut_seconds: float) -> Profile:
    """Run the phases on one case.

    Parameters
    ----------
    seconds, cut_seconds
        Limits of the relaxation and of the rounds of cuts.
    """
    data = instances.load(case)
    instance = Instance(normalised(data.points), data.colours, case.m)
    descent, annealing, exact = Clock(), Clock(), Clock()
    start = descent.run(
        sorted_start, instance.points, instance.colours, instance.m, max_size=instance.max_size
    )
    labels = descent.run(first_improvement, instance.points, instance.colours, start)
    relaxation, generation = None, None
    if can_price(instance) and len(instance.rows.points) <= MOST_ROWS:
        relaxation, generation = relax(instance, labels, seconds, cut_seconds)
    annealed = annealing.run(
        anneal,
        instance.points,
        instance.colours,
        labels,
        m=instance.m,
        max_size=instance.max_size,
        moves=MILLION_MOVES * 1_000_000,
        seed=SEED,
    )
    labels = min(labels, annealed, key=lambda found: sum_of_squared_errors(instance.points, found))
    labels = exact.run(reoptimise, instance, labels, generation)
    loss = information_loss(
        sum_of_squared_errors(instance.points, labels), total_sum_of_squares(instance.points)
    )
    return Profile(
        case,
        len(instance.rows.points),
        descent.seconds,
        annealing.seconds,
        exact.seconds,
        loss,
        relaxation,
    )


def relax(
    instance: Instance, labels: IntArray, seconds: float, cut_seconds: float
) -> tuple[Relaxation, ColumnGeneration]:
    """Solve the linear relaxation, then tighten it by cuts."""
    master, pricing, cuts = Clock(), Clock(), Clock()
    generation = open_generation(instance, labels, default_solvers())
    parts: Any = generation
    parts.master.solve = master.wrap(parts.master.solve)
    parts._pricer.price = pricing.wrap(parts._pricer.price)
    converge(generation, Stop(time_limit=seconds))
    solved = (master.seconds, pricing.seconds, generation.iterations, generation.gap)
    complete = generation.finished
    if complete:
        cuts.run(tighten, generation, Stop(time_limit=cut_seconds))
    sst = total_sum_of_squares(instance.points)
    bound = information_loss(generation.bound.value, sst)
    return Relaxation(*solved, cuts.seconds if complete else None, bound), generation


def converge(generation: ColumnGeneration, stop: Stop) -> None:
    """Iterate until nothing more is to be had."""
    while generation.step(stop):
        pass


def tighten(generation: ColumnGeneration, stop: Stop) -> None:
    """Add rounds of cuts, each solved before the next."""
    random = np.random.default_rng(SEED)
    for _ in range(CUT_ROUNDS):
        if stop.reached() or not generation.cut(CUTS_A_ROUND, random):
            return
        converge(generation, stop)


def reoptimise(instance: Instance, labels: IntArray, generation: ColumnGeneration | None) -> IntArray:
    """Re-optimise the worst neighbourhoods once."""
    bound = None if generation is None or generation.bound.value <= 0 else generation.bound
    badness = badness_of(instance, labels, bound)
    maker = Neighbourhoods(instance, size=SIZE, depth=DEPTH, seed=SEED, solver=HIGHS)
    for task in list(islice(maker.tasks(labels, badness, TASKS, float("inf")), TASKS)):
        labels = with_part(labels, task.members, solve_task(task))
    return labels
