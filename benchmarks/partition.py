"""Seconds and memory of whole partitions, by method and as instances grow."""

from typing import Any

from benchmarks import instances
from benchmarks.cases import (
    LOCAL_SEARCH,
    OPTIMISE,
    PAPER,
    SCALING_COLOURS,
    SCALING_DIMENSION,
    SCALING_ROWS,
    STARTS,
    InstanceCase,
    MethodCase,
)
from benchmarks.engine import options

WARM_UP = InstanceCase("ipums-like", 60, 3)


def partition(case: MethodCase) -> Any:
    """Solve a case once, unverified: `quality` verifies the same cases."""
    from minv.publish.partition import partition

    data = instances.load(case.instance)
    return partition(data.points, data.colours, case.instance.m, **options(case))


class _Timed:
    """Seconds and peak memory of the cases of a subclass, compiled code warm."""

    version = "1"
    timeout = 1800
    param_names = ("case",)
    number = 1
    repeat = (1, 3, 20.0)
    warmup_time = 0.0
    cases: tuple[MethodCase, ...] = ()

    def setup(self, name: str) -> None:
        """Load the data and compile what the method needs."""
        self.case = next(case for case in self.cases if str(case) == name)
        instances.load(self.case.instance)
        partition(MethodCase(WARM_UP, self.case.method, self.case.effort))

    def time_partition(self, name: str) -> None:
        partition(self.case)

    def peakmem_partition(self, name: str) -> None:
        partition(self.case)


class Methods(_Timed):
    """The cases whose quality is tracked too."""

    cases = (*STARTS, *LOCAL_SEARCH, *PAPER, *OPTIMISE)
    params = ([str(case) for case in cases],)


class Rows(_Timed):
    """Growth with the number of rows."""

    cases = tuple(
        MethodCase(instance, method, effort)
        for instance in SCALING_ROWS
        for method, effort in (("two-swap", None), ("optimise", 20))
    )
    params = ([str(case) for case in cases],)


class Colours(_Timed):
    """Growth with the number of sensitive values."""

    cases = tuple(MethodCase(instance, "optimise", 20) for instance in SCALING_COLOURS)
    params = ([str(case) for case in cases],)


class QuasiIdentifiers(_Timed):
    """Growth with the number of quasi-identifiers."""

    cases = tuple(MethodCase(instance, "optimise", 20) for instance in SCALING_DIMENSION)
    params = ([str(case) for case in cases],)
