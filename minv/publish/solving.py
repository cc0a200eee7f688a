"""Solve the problem of one release."""

from collections import defaultdict

from minv.errors import InfeasibleError
from minv.instance import FREE, Instance
from minv.publish.engine import Budget, Policy, Solution
from minv.publish.later import solve_later
from minv.publish.partition import partition
from minv.publish.release import ReleasePlan
from minv.publish.result import Partition


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
    instance = plan.instance
    found = solve_later(instance, policy, budget) if plan.kept else _solve_first(instance, budget)
    counterfeits = completing_counterfeits(instance, found)
    if counterfeits and policy.counterfeits == "forbid":
        raise InfeasibleError(
            f"the remembered signatures need {len(counterfeits)} counterfeits, and counterfeits are forbidden"
        )
    return Solution(found, counterfeits)


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
