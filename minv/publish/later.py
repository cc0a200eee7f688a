"""A release with remembered signatures or counterfeits: stages, annealing that keeps signatures, then all jointly."""

from dataclasses import replace

import numpy as np

from minv.compiled import IntArray
from minv.errors import UsageError
from minv.heuristics.halving import split_by_halving
from minv.heuristics.perimeter import split_by_perimeter
from minv.heuristics.shuffle import split_at_random
from minv.heuristics.staged import StagedRelease, staged
from minv.instance import FREE, Instance
from minv.localsearch import Requirements, anneal, reassign_colours, two_swap
from minv.localsearch.annealing import START_TEMPERATURE
from minv.localsearch.limits import SizeLimits, limits_for_moves
from minv.loss import sum_of_squared_errors
from minv.publish.anchors import anchored_requirements
from minv.publish.annealing import MOVES_A_UNIT, UNITS_A_SECOND
from minv.publish.comparison import staged_baselines
from minv.publish.editions import allowance
from minv.publish.engine import Budget, Policy
from minv.publish.engines import can_price, check_relaxation, choose_solver, resolve_pricing
from minv.publish.incumbent import Incumbent
from minv.publish.joint import optimise_jointly
from minv.publish.partition import DEFAULT_SECONDS, normalised, result_of
from minv.publish.result import Partition
from minv.stopping import Stop

_SPLITS = {"classic": split_by_perimeter, "random-bucket": split_at_random}
_MOST_UNITS_A_POINT = 0.05  # million moves; more no longer helps
_MOST_ROWS = 15_000  # beyond these the master is too large
_SWAPPING = 0.15  # of the time, for the method `optimise`
_ASSIGNING = 0.1  # of what is left then
_ANNEALING = 0.1  # of what is left then, where a joint optimisation follows
_NEIGHBOURS = 100  # many, since most near points stand in classes of another signature
_MODERATE = 10.0  # temperature that keeps what was assigned; more time is better spent from a hot start


def solve_later(instance: Instance, policy: Policy, budget: Budget) -> Partition:
    """Partition old and free points with the fewest counterfeits, then lower the loss.

    The number of counterfeits is proved minimal (docs/editions.md); the bound is on the loss of all releases with so
    few. A class of free points that is to have counterfeits of its own has fewer than m points; no bound is known
    then.

    Parameters
    ----------
    instance
        With required signatures, or not m-eligible without counterfeits.
    policy, budget
        What may be added, and how hard to try.

    Raises
    ------
    InfeasibleError
        The release needs counterfeits that are forbidden, or its new rows cannot be placed.
    UsageError
        The method makes no releases with remembered signatures or counterfeits, or the solver is not installed, or
        takes fewer rows.
    """
    solver = choose_solver(budget.solver, budget.solver_log)
    pricing = resolve_pricing(budget.pricing, solver.name, later=True)
    if budget.method == "paper":
        raise UsageError("the method 'paper' makes first releases without counterfeits only; choose another")
    stop = Stop(
        time_limit=DEFAULT_SECONDS
        if budget.time_limit is None and budget.effort is None
        else budget.time_limit,
        gap=budget.gap,
        cancel=budget.cancel,
    )
    scaled = replace(instance, points=normalised(instance.points))
    starts = _starts(scaled, policy, budget)
    start = starts[0]
    scaled = replace(scaled, counterfeits=start.counterfeits)
    incumbent = Incumbent(scaled, start.labels, stop, budget.progress)
    incumbent.timed("staged", lambda: incumbent.report("staged"))
    few_rows = len(scaled.rows.points) <= _MOST_ROWS
    jointly = budget.method == "optimise" and can_price(scaled) and few_rows and not start.adding
    if jointly:
        check_relaxation(scaled, solver.name)
    if budget.method == "two-swap":
        incumbent.timed("two-swap", lambda: _swap(incumbent, starts, stop))
    elif budget.method == "optimise":
        incumbent.timed("two-swap", lambda: _swap(incumbent, starts, stop.part(_SWAPPING)))
        incumbent.timed("assignment", lambda: _assign(incumbent, start.adding, stop.part(_ASSIGNING)))
        brief = stop.part(_ANNEALING if jointly else 1.0)
        temperature = _MODERATE if jointly else START_TEMPERATURE
        incumbent.timed("annealing", lambda: _anneal(incumbent, start.adding, budget, brief, temperature))
    if jointly:
        optimise_jointly(
            incumbent, stop, solver=solver, pricing=pricing, effort=budget.effort, seed=budget.seed
        )
    return result_of(incumbent, instance.points, budget.method, solver.name, budget.seed, stop)


def _starts(instance: Instance, policy: Policy, budget: Budget) -> list[StagedRelease]:
    """Return a staged release; for `optimise` ours and the published ones with as few counterfeits, the best first."""
    start = staged(instance, budget.seed, _SPLITS.get(budget.method, split_by_halving), allowance(policy))
    if budget.method != "optimise":
        return [start]
    published = [found for found in staged_baselines(instance, budget.seed).values() if found is not None]
    found = [start, *(other for other in published if other.counterfeits <= start.counterfeits)]
    fewest = min(one.counterfeits for one in found)
    return sorted(
        (one for one in found if one.counterfeits == fewest),
        key=lambda one: sum_of_squared_errors(instance.points, one.labels),
    )


def _swap(incumbent: Incumbent, starts: list[StagedRelease], stop: Stop) -> None:
    """Two-swap from every start, so that the result is never above any staged algorithm followed by two-swap."""
    instance = incumbent.instance
    for start in starts:
        wanted = anchored_requirements(instance, start.labels)
        labels = two_swap(instance.points, instance.colours, start.labels, requirements=wanted, stop=stop)
        incumbent.offer(labels, "two-swap")


def _assign(incumbent: Incumbent, adding: int, stop: Stop) -> None:
    """Assign all points of a colour at once: most of them can stand in a few far apart classes only."""
    if adding:
        return  # an assignment may take a point out of a class that counterfeits would have to fill
    instance = incumbent.instance
    labels = reassign_colours(
        instance.points,
        instance.colours,
        incumbent.labels,
        m=instance.m,
        max_size=instance.max_size,
        requirements=anchored_requirements(instance, incumbent.labels),
        stop=stop,
    )
    incumbent.offer(labels, "assignment")


def _anneal(incumbent: Incumbent, adding: int, budget: Budget, stop: Stop, temperature: float) -> None:
    instance = incumbent.instance
    wanted = anchored_requirements(instance, incumbent.labels)
    units = budget.effort or round(
        min(_MOST_UNITS_A_POINT * instance.size, UNITS_A_SECOND * stop.remaining())
    )
    labels = anneal(
        instance.points,
        instance.colours,
        incumbent.labels,
        m=instance.m,
        max_size=instance.max_size,
        moves=max(1, units) * MOVES_A_UNIT,
        seed=budget.seed,
        start_temperature=temperature,
        neighbours=_NEIGHBOURS,
        requirements=wanted,
        limits=_limits(instance, incumbent.labels, wanted, adding),
        stop=stop,
    )
    incumbent.offer(labels, "annealing")


def _limits(instance: Instance, labels: IntArray, wanted: Requirements, adding: int) -> SizeLimits:
    """Keep new classes at m or fewer points where they have counterfeits: then any move keeps their number."""
    limits = limits_for_moves(labels, instance.m, instance.max_size, wanted)
    if not adding:
        return limits
    new = wanted.signature_of_cluster == FREE
    return SizeLimits(np.where(new, 1, limits.least), np.where(new, instance.m, limits.most))
