"""An engine for tests: any admissible partition will do, found by the plainest means."""

from collections import defaultdict

import numpy as np

from minv.errors import InfeasibleError
from minv.instance import check_eligible
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares
from minv.publish.engine import Budget, Policy, Solution
from minv.publish.release import ReleasePlan
from minv.publish.result import Partition


def solve(plan: ReleasePlan, policy: Policy, budget: Budget) -> Solution:
    """Deal the points of each signature to as few classes as they need, the free ones round-robin."""
    instance = plan.instance
    assert instance.required is not None
    labels = np.full(instance.size, -1, np.int64)
    counterfeits: list[tuple[int, int]] = []
    classes = 0
    for place, signature in enumerate(instance.signatures):
        seats: defaultdict[int, list[int]] = defaultdict(list)
        for point in np.flatnonzero(instance.required == place):
            seats[int(instance.colours[point])].append(int(point))
        number = max(len(points) for points in seats.values())
        for colour in signature:
            for seat in range(number):
                if seat < len(seats[colour]):
                    labels[seats[colour][seat]] = classes + seat
                else:
                    counterfeits.append((classes + seat, colour))
        classes += number
    free = np.flatnonzero(labels < 0)
    counts = np.bincount(instance.colours[free])
    check_eligible(counts, instance.m, instance.max_size)
    if len(free):
        order = free[np.argsort(instance.colours[free], kind="stable")]
        labels[order] = classes + np.arange(len(free)) % (len(free) // instance.m)
    if counterfeits and policy.counterfeits == "forbid":
        raise InfeasibleError("counterfeits are needed")
    sse = sum_of_squared_errors(instance.points, labels)
    sst = total_sum_of_squares(instance.points)
    il = information_loss(sse, sst)
    partition = Partition(labels, instance.m, sse, sst, il, "naive", "none", budget.seed, 0.0, "feasible")
    return Solution(partition, tuple(counterfeits))
