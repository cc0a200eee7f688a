"""Counterfeits at a price: least SSE plus the price of each, instead of the fewest first."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from minv.compiled import IntArray
from minv.errors import InfeasibleError
from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance
from minv.localsearch import Requirements, anneal
from minv.localsearch.limits import SizeLimits, limits_for_moves, limits_for_swaps
from minv.localsearch.trading import Terms, counterfeits, trade
from minv.loss import information_loss, sum_of_squared_errors
from minv.publish.anchors import anchored_requirements
from minv.publish.annealing import MOVES_A_UNIT, UNITS_A_SECOND
from minv.publish.editions import allowance
from minv.publish.engine import Budget, Policy
from minv.publish.partition import renumbered
from minv.publish.result import Partition, Step
from minv.stopping import Stop

_MOST_UNITS_A_POINT = 0.02  # million moves


def trade_at_price(
    instance: Instance, found: Partition, price: float, policy: Policy, budget: Budget
) -> Partition:
    """Return a partition of less SSE plus price of the counterfeits than one with the fewest, or that one.

    Two starts, the one with the fewest counterfeits and one in which no free point joins a class of old
    points, are improved by moves of single free points, by annealing (`optimise` only) and by such moves again.

    Parameters
    ----------
    instance
        The release as a problem.
    found
        With the fewest counterfeits.
    price
        Of a counterfeit, in the squared units of the points.
    policy
        Whether counterfeits may stand in new classes.
    budget
        Of this step alone.
    """
    stop = Stop(time_limit=budget.time_limit, cancel=budget.cancel)
    adding = allowance(policy).adding
    terms = Terms(price, instance.m, adding)
    starts = [found.labels, *_apart(instance, policy, budget.seed)]
    candidates = list(starts)
    for place, start in enumerate(starts):
        share = Stop(
            time_limit=stop.remaining() / (len(starts) - place) if budget.time_limit is not None else None,
            cancel=stop.cancel,
        )
        candidates += _improved(instance, start, terms, budget, share)
    best = min(candidates, key=lambda labels: _cost(instance, labels, price))
    if best is found.labels:
        return found
    sse = sum_of_squared_errors(instance.points, best)
    il = information_loss(sse, found.sst)
    return replace(
        found,
        labels=renumbered(best),
        sse=sse,
        il=il,
        seconds=found.seconds + stop.elapsed,
        status="optimal" if sse <= 0 else "feasible",
        lp_bound_il=None,  # bounds are for the fewest counterfeits
        lower_bound_il=None,
        certified_bound_il=None,
        certificate=None,
        steps=(*found.steps, Step("trade", il, stop.elapsed)),
    )


def _apart(instance: Instance, policy: Policy, seed: int) -> Iterator[IntArray]:
    """Yield the release in which old and free points share no class, if there is one."""
    assert instance.required is not None
    labels = np.full(instance.size, -1, np.int64)
    for part in (instance.required != FREE, instance.required == FREE):
        if not part.any():
            return
        try:
            alone = staged(_part(instance, part), seed, split_by_halving, allowance(policy))
        except InfeasibleError:
            return
        labels[part] = alone.labels + labels.max() + 1
    yield labels


def _part(instance: Instance, part: np.ndarray) -> Instance:
    assert instance.required is not None
    return replace(
        instance,
        points=instance.points[part],
        colours=instance.colours[part],
        required=instance.required[part],
    )


def _improved(
    instance: Instance, labels: IntArray, terms: Terms, budget: Budget, stop: Stop
) -> Iterator[IntArray]:
    wanted = anchored_requirements(instance, labels)

    def traded(start: IntArray) -> IntArray:
        return trade(
            instance.points,
            instance.colours,
            start,
            terms=terms,
            limits=_limits(instance, start, wanted, terms.adding),
            requirements=wanted,
            stop=stop,
        )

    labels = traded(labels)
    yield labels
    if budget.method != "optimise" or stop.reached():
        return
    units = budget.effort or round(
        min(_MOST_UNITS_A_POINT * instance.size, UNITS_A_SECOND * stop.remaining())
    )
    labels = anneal(
        instance.points,
        instance.colours,
        labels,
        m=instance.m,
        max_size=instance.max_size,
        moves=max(1, units) * MOVES_A_UNIT,
        seed=budget.seed,
        requirements=wanted,
        limits=limits_for_swaps(labels) if terms.adding else None,
        stop=stop,
    )
    yield labels
    yield traded(labels)


def _limits(instance: Instance, labels: IntArray, wanted: Requirements, adding: bool) -> SizeLimits:
    limits = limits_for_moves(labels, instance.m, instance.max_size, wanted)
    return limits._replace(least=np.ones_like(limits.least)) if adding else limits


def _cost(instance: Instance, labels: IntArray, price: float) -> float:
    number = counterfeits(labels, anchored_requirements(instance, labels), instance.m)
    return sum_of_squared_errors(instance.points, labels) + price * number
