"""Seconds and memory of whole partitions, by method and as instances grow."""

from typing import Any

from benchmarks import instances
from benchmarks.cases import (
    SCALING_COLOURS,
    SCALING_DIMENSION,
    SCALING_ROWS,
    TIMED,
    InstanceCase,
    MethodCase,
)
from benchmarks.engine import options

EFFORT = 5
WARM_UP = InstanceCase("ipums-like", 60, 3)


def partition(case: MethodCase) -> Any:
    """Solve a case once, unverified: `quality` verifies the same cases."""
    from minv.publish.partition import partition

    data = instances.load(case.instance)
    return partition(data.points, data.colours, case.instance.m, **options(case))


class _Timed:
    """Seconds of the cases of a subclass, compiled code warm."""

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


class Methods(_Timed):
    """The paper's route and the default method."""

    cases = TIMED
    params = ([str(case) for case in cases],)


class Rows(_Timed):
    """Growth with the number of rows, also of memory."""

    cases = tuple(
        MethodCase(instance, method, effort)
        for instance in SCALING_ROWS
        for method, effort in (("two-swap", None), ("optimise", EFFORT))
    )
    params = ([str(case) for case in cases],)

    def peakmem_partition(self, name: str) -> None:
        partition(self.case)


class Colours(_Timed):
    """Growth with the number of sensitive values."""

    cases = tuple(MethodCase(instance, "optimise", EFFORT) for instance in SCALING_COLOURS)
    params = ([str(case) for case in cases],)


class QuasiIdentifiers(_Timed):
    """Growth with the number of quasi-identifiers."""

    cases = tuple(MethodCase(instance, "optimise", EFFORT) for instance in SCALING_DIMENSION)
    params = ([str(case) for case in cases],)
