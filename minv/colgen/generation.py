"""Column generation with a proved lower bound at every iteration."""

from dataclasses import dataclass

import numpy as np

from minv.colgen.covering import Covering
from minv.colgen.cuts import violated_triples
from minv.colgen.master import Master, MasterSolution, SolverFactory
from minv.colgen.rank_one import violated_cuts
from minv.compiled import FloatArray
from minv.pricing.cuts import CutPenalties, joined_cuts, no_cuts, subset_row_cuts
from minv.pricing.protocol import Columns, ExactPricer, PricingStatus
from minv.stopping import Stop

_GAP = 1e-4  # between the restricted master and the proved bound; 0.01 %
_STEADY = 1e-3  # with duals settled this far, cuts may become dearer
_MOST_IDLE = 5  # iterations in a row without a new column
_TIGHTEN = 0.1  # the LP is solved this much more tightly than the present gap


@dataclass(frozen=True, slots=True)
class LinearBound:
    """A proved lower bound on the SSE of every feasible partition, with its proof (docs/bound.md).

    Attributes
    ----------
    value
        sum(multiplicity * duals) - sum(penalty * right side of its cut) - (most clusters) * slack.
    duals, cuts, slack
        Row duals and cut penalties under which no feasible column has a reduced cost below -slack.
    """

    value: float
    duals: FloatArray
    cuts: CutPenalties
    slack: float


class ColumnGeneration:
    """The loop: price, record columns, repair the duals, solve the master.

    Parameters
    ----------
    covering
        The master's rows.
    pricer
        An exact pricer over those rows.
    make_solver
        Of the master LP.
    shares
        (r,) share of each row in the loss of a good solution.
    start
        Columns to begin with, for instance those of good partitions.
    """

    def __init__(
        self,
        covering: Covering,
        pricer: ExactPricer,
        make_solver: SolverFactory,
        shares: FloatArray,
        start: Columns,
    ) -> None:
        self._clusters = covering.clusters
        self._multiplicity = covering.multiplicity
        self._pricer = pricer
        self.master = Master(make_solver, self._multiplicity, shares, covering.at_most)
        self.master.add(start)
        self.bound = LinearBound(0.0, np.zeros(len(shares)), no_cuts(), 0.0)
        self.objective = np.inf
        self.values = np.zeros(0)
        self.iterations = 0
        self.generated = 0
        self.finished = False
        self._idle = 0

    @property
    def gap(self) -> float:
        """Relative distance of the bound to the optimum of the linear relaxation (cuts included), at most."""
        if self.objective <= 0:
            return 0.0
        return min(1.0, (self.objective - self.bound.value) / self.objective) if self.finite else 1.0

    @property
    def finite(self) -> bool:
        """Whether a master was solved yet."""
        return bool(np.isfinite(self.objective))

    def step(self, stop: Stop) -> bool:
        """Make one iteration; False once the bound is within 0.01 % of the relaxation, or nothing improves."""
        if self.finished or stop.remaining() <= 0:
            return False
        self.iterations += 1
        solution = self.master.solve(
            tolerance=_TIGHTEN ** (1 + self._idle) * max(self.gap, _GAP), time_limit=stop.remaining()
        )
        if solution is None:
            return False
        self.objective = solution.objective
        self.values = solution.values
        duals, cuts = solution.duals, solution.cuts
        priced = self._pricer.price(duals, stop, cuts)
        if priced.status is PricingStatus.LIMIT:
            duals, cuts = self._halfway(solution)
            priced = self._pricer.price(duals, stop, cuts)
        if priced.status is PricingStatus.OPTIMAL and priced.repaired is not None:
            self._improve(priced.repaired, cuts, priced.slack)
        if self.gap <= _STEADY and self.master.raise_cut_prices():
            self.generated += self.master.add(priced.columns)
            return True
        self.finished = solution.penalised <= _GAP * solution.objective and self.gap <= _GAP
        if self.finished:
            return False
        self.master.shrink(solution.duals, solution.cuts)
        added = self.master.add(priced.columns)
        self.generated += added
        if added > 0:
            self._idle = 0
            return True
        # Nothing new at these duals, yet the bound is not tight: solve more exactly, at prices that have risen.
        self._idle += 1
        return self._idle <= _MOST_IDLE

    def cut(self, most: int, random: np.random.Generator, least: float = 0.02) -> int:
        """Add violated cuts, as many as the solver has room for; return the number added.

        Parameters
        ----------
        most
            How many.
        random
            Of the search for cuts on many rows.
        least
            Violations up to this are left.
        """
        columns, values, multiplicity = self.master.pool.columns, self.values, self._multiplicity
        most = min(most, self.master.room)
        triples = violated_triples(columns, values, multiplicity, most=most // 2, least=least)
        walked = violated_cuts(columns, values, multiplicity, random, most=most - len(triples), least=least)
        cuts = joined_cuts(subset_row_cuts(triples, multiplicity), walked)
        self.master.add_cuts(cuts)
        self.finished = False
        return cuts.number

    def columns_below(self, gap: float, most: int, stop: Stop) -> Columns | None:
        """List the columns with a reduced cost of at most `gap` under the duals of the bound; see `ExactPricer`."""
        return self._pricer.columns_below(
            self.bound.duals, gap + self.bound.slack, most, stop, self.bound.cuts
        )

    def _halfway(self, solution: MasterSolution) -> tuple[FloatArray, CutPenalties]:
        """Return the mean of the master's duals and the best proved ones, where pricing is easier."""
        proved = np.zeros(len(solution.cuts.penalties))
        proved[: len(self.bound.cuts.penalties)] = self.bound.cuts.penalties
        penalties = 0.5 * (proved + solution.cuts.penalties)
        return 0.5 * (solution.duals + self.bound.duals), CutPenalties(solution.cuts.cuts, penalties)

    def _improve(self, duals: FloatArray, cuts: CutPenalties, slack: float) -> None:
        value = float(self._multiplicity @ duals) - self._clusters * slack
        value -= float(cuts.cuts.right @ cuts.penalties)
        if value > self.bound.value:
            self.bound = LinearBound(value, duals, cuts, slack)
