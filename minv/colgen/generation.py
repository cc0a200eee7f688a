"""Column generation with a proved lower bound at every iteration."""

from dataclasses import dataclass

import numpy as np

from minv.colgen.master import Master, SolverFactory
from minv.compiled import FloatArray
from minv.instance import Instance
from minv.pricing.protocol import Columns, Pricer, PricingStatus
from minv.stopping import Stop

_GAP = 1e-4  # between the restricted master and the proved bound; 0.01 %
_TIGHTEN = 0.1  # the LP is solved this much more tightly than the present gap


@dataclass(frozen=True, slots=True)
class LinearBound:
    """What column generation knows at some moment. Losses are SSE.

    Attributes
    ----------
    value
        Proved lower bound on the SSE of every feasible partition.
    duals, slack
        The proof: row duals under which no feasible column has a reduced cost below -slack.
    objective
        Of the restricted master: an upper bound on the LP optimum once no penalty is paid.
    """

    value: float
    duals: FloatArray
    slack: float
    objective: float

    @property
    def gap(self) -> float:
        """Relative distance to the LP optimum, at most."""
        if self.objective <= 0:
            return 0.0
        return max(0.0, (self.objective - self.value) / self.objective)


def most_clusters(instance: Instance) -> int:
    """Return the largest number of clusters that a feasible partition can have."""
    return instance.size // instance.m


def largest_loss_bound(instance: Instance) -> float:
    """Return the trivial lower bound on SSE, 0 (named for readers of the loop)."""
    return 0.0


class ColumnGeneration:
    """The loop: price, record columns, repair the duals, solve the master.

    Parameters
    ----------
    instance
        The problem; its rows are the master's rows.
    pricer
        Any pricer over those rows. Bounds come only from one that proves them.
    make_solver
        Of the master LP.
    shares
        (r,) share of each row in the loss of a good solution.
    start
        Columns to begin with, for instance those of good partitions.
    """

    def __init__(
        self,
        instance: Instance,
        pricer: Pricer,
        make_solver: SolverFactory,
        shares: FloatArray,
        start: Columns,
    ) -> None:
        self._clusters = most_clusters(instance)
        self._multiplicity = instance.rows.multiplicity
        self._pricer = pricer
        self.master = Master(make_solver, self._multiplicity, shares)
        self.master.add(start)
        self.bound = LinearBound(0.0, np.zeros(len(shares)), 0.0, np.inf)
        self.values = np.zeros(0)
        self._duals = shares.copy()
        self.iterations = 0
        self.finished = False
        self._gap = 1.0

    def step(self, stop: Stop) -> bool:
        """Make one iteration; False once the bound is within 0.01 % of the LP optimum, or nothing improves."""
        if self.finished or stop.remaining() <= 0:
            return False
        self.iterations += 1
        solution = self.master.solve(tolerance=_TIGHTEN * self._gap, time_limit=stop.remaining())
        if solution is None:
            return False
        self.values = solution.values
        priced = self._pricer.price(solution.duals, stop)
        if priced.status is PricingStatus.OPTIMAL and priced.repaired is not None:
            value = float(self._multiplicity @ priced.repaired) - self._clusters * priced.slack
            if value > self.bound.value:
                self.bound = LinearBound(value, priced.repaired, priced.slack, solution.objective)
        self.bound = LinearBound(self.bound.value, self.bound.duals, self.bound.slack, solution.objective)
        self._gap = self.bound.gap
        self.finished = solution.penalised <= _GAP * solution.objective and self._gap <= _GAP
        self.master.shrink(solution.duals)
        added = self.master.add(priced.columns)
        return not self.finished and added > 0
