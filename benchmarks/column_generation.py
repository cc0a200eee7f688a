"""Seconds of pricing, exact and heuristic, and of the master LP, at duals as in the middle of column generation."""

from typing import Any

import numpy as np

from benchmarks import instances
from benchmarks.cases import SCALING_DIMENSION, STEP_INSTANCES, InstanceCase, by_name

CASES = by_name((*STEP_INSTANCES, *SCALING_DIMENSION))
ITERATIONS = 4
TOLERANCE = 1e-7


class Middle:
    """Column generation on one instance, stopped after a few iterations from the start "tau"."""

    def __init__(self, case: InstanceCase) -> None:
        from minv.colgen.exact import Solvers, open_generation
        from minv.heuristics import tau
        from minv.instance import Instance
        from minv.pricing.alternating import AlternatingPricer
        from minv.pricing.box import BoxPricer
        from minv.solvers.highs import HighsMaster, HighsSetPartition
        from minv.stopping import Stop

        data = instances.load(case)
        instance = Instance(data.points, data.colours, case.m)
        rows = instance.rows
        labels = tau(data.points, data.colours, case.m, 1)
        self.stop = Stop()
        self.pricer = BoxPricer(rows.points, rows.colours, case.m, instance.max_size, tolerance=TOLERANCE)
        self.heuristic = AlternatingPricer(
            rows.points, rows.colours, case.m, instance.max_size, tolerance=TOLERANCE
        )
        solvers = Solvers(HighsMaster, HighsSetPartition(), lambda *_: self.pricer)
        self.generation = open_generation(instance, labels, solvers)
        for _ in range(ITERATIONS):
            self.generation.step(self.stop)
        self.duals = self.solve_master().duals

    def solve_master(self) -> Any:
        """Solve the master once; its result is of another class in other commits."""
        return self.generation.master.solve(tolerance=1e-5, time_limit=np.inf)


class ColumnGeneration:
    """One call each."""

    version = "1"
    params = (list(CASES),)
    param_names = ("instance",)
    timeout = 600

    def setup(self, name: str) -> None:
        self.middle = Middle(CASES[name])
        self.time_heuristic_pricing(name)  # compile; the rest has run on the way

    def time_exact_pricing(self, name: str) -> None:
        self.middle.pricer.price(self.middle.duals, self.middle.stop)

    def time_heuristic_pricing(self, name: str) -> None:
        self.middle.heuristic.price(self.middle.duals, self.middle.stop)

    def time_master_lp(self, name: str) -> None:
        self.middle.solve_master()
