"""Seconds of the constructive algorithms."""

from benchmarks import instances
from benchmarks.cases import STEP_INSTANCES, by_name
from minv.heuristics import classic, random_bucket, sorted_start, tau

CASES = by_name(STEP_INSTANCES)


class Starts:
    """One run of each, compiled code warm."""

    version = "1"
    params = (tuple(CASES),)
    param_names = ("instance",)

    def setup(self, name: str) -> None:
        self.m = CASES[name].m
        data = instances.load(CASES[name])
        self.points, self.colours = data.points, data.colours
        for algorithm in (classic, random_bucket, tau):
            algorithm(self.points, self.colours, self.m, 1)
        sorted_start(self.points, self.colours, self.m)

    def time_classic(self, name: str) -> None:
        classic(self.points, self.colours, self.m, 1)

    def time_random_bucket(self, name: str) -> None:
        random_bucket(self.points, self.colours, self.m, 1)

    def time_tau(self, name: str) -> None:
        tau(self.points, self.colours, self.m, 1)

    def time_sorted_start(self, name: str) -> None:
        sorted_start(self.points, self.colours, self.m)
