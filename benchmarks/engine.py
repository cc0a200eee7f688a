"""Solve a case with the `minv` of the commit that is measured, and have the judge verify it."""

from typing import Any

import numpy as np

from benchmarks import instances
from benchmarks.cases import MethodCase
from benchmarks.judge import Claim, judge
from benchmarks.outcomes import Outcome

SEED = 1


def options(case: MethodCase) -> dict[str, Any]:
    """Return the arguments of `partition` that the case calls for."""
    chosen: dict[str, Any] = {"method": case.method, "seed": SEED, "effort": case.effort}
    if case.method == "paper":
        chosen |= {"subsets": case.subsets, "swap_first": case.swap_first}
    return chosen


def run(case: MethodCase) -> Outcome:
    """Return the verified outcome of a case."""
    from minv.publish.partition import partition

    instance = case.instance
    data = instances.load(instance)
    found = partition(data.points, data.colours, instance.m, **options(case))
    claim = Claim(np.asarray(found.labels), found.il, found.lower_bound_il)
    return Outcome(judge(data, instance.m, claim), found.lower_bound_il)
