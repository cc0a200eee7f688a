"""Solve the problem of one release."""

from collections import defaultdict
from dataclasses import replace

import numpy as np

from minv.compiled import IntArray
from minv.instance import FREE, Instance
from minv.publish.editions import adding_counterfeits, choose_deleted, plan_editions
from minv.publish.engine import Budget, Policy, Solution
from minv.publish.later import solve_later
from minv.publish.partition import DEFAULT_SECONDS, partition
from minv.publish.priced import trade_at_price
from minv.publish.release import ReleasePlan
from minv.publish.result import Partition
from minv.series.contents import NO_CLASS


def solve(plan: ReleasePlan, policy: Policy, budget: Budget) -> Solution:
    """Return the best partition found within the given budget.

    Raises
    ------
    InfeasibleError
        No admissible partition exists.
    LimitError
        A limit was reached before any partition was found.
    CancelledError
        Interrupted before any partition was found.
    """
    instance, values = plan.instance, len(plan.colours)
    editions = plan_editions(instance, policy, values)
    if editions.deleted.any():
        return _solve_without(plan, choose_deleted(instance, editions.deleted), policy, budget)
    if not (plan.kept or editions.adding):
        found = _solve_first(instance, budget)
    elif policy.price is None:
        found = solve_later(instance, policy, budget)
    else:
        half = _halved(budget)
        found = solve_later(instance, policy, half)
        found = trade_at_price(instance, found, policy.price, policy, half)
    completing = completing_counterfeits(instance, found)
    return Solution(found, completing + adding_counterfeits(instance, found.labels, values, budget.seed))


def _halved(budget: Budget) -> Budget:
    limit = budget.time_limit
    if limit is None and budget.effort is None:
        limit = DEFAULT_SECONDS
    return budget if limit is None else replace(budget, time_limit=limit / 2)


def _solve_without(plan: ReleasePlan, deleted: IntArray, policy: Policy, budget: Budget) -> Solution:
    """Solve for the points that stay."""
    solution = solve(plan.without(deleted), replace(policy, deletions=0), budget)
    labels = np.full(plan.instance.size, NO_CLASS, np.int64)
    labels[np.setdiff1d(np.arange(plan.instance.size), deleted)] = solution.partition.labels
    return Solution(replace(solution.partition, labels=labels), solution.counterfeits, deleted)


def _solve_first(instance: Instance, budget: Budget) -> Partition:
    return partition(
        instance.points,
        instance.colours,
        instance.m,
        method=budget.method,
        max_class_size=instance.max_size,
        time_limit=budget.time_limit,
        gap=budget.gap,
        effort=budget.effort,
        workers=budget.workers,
        seed=budget.seed,
        solver=budget.solver,
        solver_log=budget.solver_log,
        pricing=budget.pricing,
        progress=budget.progress,
        cancel=budget.cancel,
    )


def completing_counterfeits(instance: Instance, found: Partition) -> tuple[tuple[int, int], ...]:
    """Return class and colour of the counterfeits that complete the classes with a required signature."""
    assert instance.required is not None
    lacking: dict[int, set[int]] = {}
    for label, required in zip(found.labels.tolist(), instance.required.tolist(), strict=True):
        if required != FREE:
            lacking.setdefault(label, set(instance.signatures[required]))
    present: defaultdict[int, set[int]] = defaultdict(set)
    for label, colour in zip(found.labels.tolist(), instance.colours.tolist(), strict=True):
        present[label].add(colour)
    return tuple(
        (label, colour) for label, wanted in lacking.items() for colour in sorted(wanted - present[label])
    )
