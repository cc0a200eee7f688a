"""The linear relaxation over listed columns: cuts, pricing by inspection, and reduced-cost fixing."""

from dataclasses import dataclass

import numpy as np

from minv.colgen.pool import take
from minv.colgen.rank_one import violated_cuts
from minv.compiled import BoolArray, FloatArray, IntArray
from minv.grouping import grouped
from minv.pricing.cuts import CutPenalties, RankOneCuts, chosen_cuts, joined_cuts, no_rank_one_cuts
from minv.pricing.protocol import Columns
from minv.pricing.reduced_costs import holdings, priced
from minv.solvers.protocol import SolveStatus
from minv.solvers.simplex import HighsSimplex
from minv.stopping import Stop

CLOSED = 1e-9  # relative gap at which nothing better is left
_NEGATIVE = 1e-7  # reduced costs up to minus this, in mean costs, do not enter
_ENTERING = 150  # columns that enter at a time
_FIXED = 0.05  # share of the columns that must be fixed before the list is shortened
_CUTS = 40
_VIOLATED = 0.05
_WORTH = 0.002  # of the gap: what a round of cuts must have gained for the next
_IDLE = 8  # solves without a penalty after which a cut is dropped
_DROPPED = 20  # cuts that are dropped at a time, at least
_TRIAL = 40  # iterations of the simplex method to estimate a branch


@dataclass(frozen=True, slots=True)
class Relaxed:
    """Where the relaxation of a part of the search stands.

    Attributes
    ----------
    bound
        No solution of this part that is better than the known one costs less.
    listed
        Indices of the columns that such a solution can use.
    support, values
        Columns of the fractional solution and their values; None where the part is closed or time ran out.
    """

    bound: float
    listed: IntArray
    support: IntArray | None = None
    values: FloatArray | None = None


class ListedRelaxation:
    """min cost x over some of the listed columns, each row covered as often as it occurs.

    Few columns are in the linear program; the others are priced by inspection. A row may be left uncovered at the
    price of a whole solution, or a cluster be lacking, so that there always is a solution and none of worth uses that.

    Parameters
    ----------
    columns
        All columns that count; each lists a row at most once.
    multiplicity
        (r,) how often each row is covered.
    price
        Cost of a known solution.
    unit
        Mean cost of its columns: the solver's tolerances are absolute.
    start
        Indices of columns to begin with.
    cuts
        To begin with.
    """

    def __init__(
        self,
        columns: Columns,
        multiplicity: IntArray,
        price: float,
        unit: float,
        start: IntArray,
        cuts: RankOneCuts,
    ) -> None:
        rows = len(multiplicity)
        self.columns = columns
        self._multiplicity, self._price, self._unit = multiplicity, price, unit
        self._cuts = no_rank_one_cuts()
        self._idle = np.zeros(0, np.int64)
        self._active = np.zeros(0, np.int64)
        self._is_active = np.zeros(columns.number, bool)
        covered = multiplicity.astype(np.float64)
        self._simplex = HighsSimplex(np.append(covered, 0.0), np.append(covered, np.inf))
        # Columns at the price of a whole solution: for each row, and for a lacking cluster.
        self._dear = rows + 1
        self._simplex.add_columns(
            np.arange(self._dear + 1),
            np.arange(self._dear),
            np.ones(self._dear),
            np.full(self._dear, price / unit),
        )
        self._enter(start)
        self._add_cuts(cuts)

    def twin(self) -> "ListedRelaxation":
        """Return another with the same columns and cuts, for a second thread."""
        return ListedRelaxation(
            self.columns, self._multiplicity, self._price, self._unit, self._active, self._cuts
        )

    def solve(
        self,
        listed: IntArray,
        clusters: tuple[int, int],
        upper: float,
        *,
        rounds: int,
        random: np.random.Generator,
        stop: Stop,
    ) -> Relaxed:
        """Solve over the listed columns only, with at most so many rounds of cuts; see docs/bound.md.

        Parameters
        ----------
        listed
            Indices of columns.
        clusters
            Least and greatest number of clusters.
        upper
            Cost of the best known solution.
        """
        self._simplex.bound_row(len(self._multiplicity), *map(float, clusters))
        bound = before = -np.inf
        columns, inside = take(self.columns, listed), self._mask(listed)
        while stop.remaining() > 0:
            self._simplex.open_columns(self._opened(inside))
            solution = self._simplex.solve(time_limit=stop.remaining())
            if solution.status is not SolveStatus.OPTIMAL:
                break
            reduced, value = self._price_all(columns, solution.duals * self._unit, clusters)
            bound = max(bound, value)
            if bound >= upper * (1 - CLOSED):
                return Relaxed(bound, listed)
            kept = reduced <= upper - value
            if kept.mean() < 1 - _FIXED:
                listed, reduced = listed[kept], reduced[kept]
                columns, inside = take(self.columns, listed), self._mask(listed)
            entering = np.flatnonzero((reduced < -_NEGATIVE * self._unit) & ~self._is_active[listed])
            if len(entering):
                best = np.argsort(reduced[entering], kind="stable")[:_ENTERING]
                self._enter(listed[entering[best]])
                continue
            values = solution.values[self._dear :]
            if rounds > 0 and bound - before > _WORTH * (upper - bound):
                before = bound
                cuts = violated_cuts(
                    take(self.columns, self._active),
                    values,
                    self._multiplicity,
                    random,
                    most=_CUTS,
                    least=_VIOLATED,
                )
                if cuts.number:
                    rounds -= 1
                    self._add_cuts(cuts)
                    continue
            self._drop_idle_cuts(solution.duals)
            used = np.flatnonzero(values > CLOSED)
            return Relaxed(bound, listed, self._active[used], values[used])
        return Relaxed(bound, listed)

    def estimate(self, listed: IntArray) -> float:
        """Return about what the relaxation of the last clusters costs with only these columns listed."""
        opened = self._opened(self._mask(listed))
        return self._unit * self._simplex.estimate(opened, iterations=_TRIAL)

    def _price_all(
        self, columns: Columns, duals: FloatArray, clusters: tuple[int, int]
    ) -> tuple[FloatArray, float]:
        """Return the reduced costs, and the bound that any duals prove once none of them is below the least."""
        rows = len(self._multiplicity)
        of_rows, of_clusters = duals[:rows], float(duals[rows])
        penalties = np.maximum(-duals[rows + 1 :], 0.0)
        reduced = priced(columns, of_rows, CutPenalties(self._cuts, penalties)) - of_clusters
        value = float(self._multiplicity @ of_rows) - float(self._cuts.right @ penalties)
        value += of_clusters * clusters[0 if of_clusters > 0 else 1]
        value += clusters[1] * min(0.0, float(reduced.min(initial=0.0)))
        return reduced, value

    def _mask(self, listed: IntArray) -> BoolArray:
        inside = np.zeros(self.columns.number, bool)
        inside[listed] = True
        return inside

    def _opened(self, inside: BoolArray) -> BoolArray:
        return np.append(np.ones(self._dear, bool), inside[self._active])

    def _enter(self, indices: IntArray) -> None:
        rows = len(self._multiplicity)
        fresh = take(self.columns, indices)
        cut_owners, cuts, times = holdings(fresh, self._cuts, rows)
        owners = np.concatenate(
            [np.repeat(np.arange(fresh.number), np.diff(fresh.starts)), np.arange(fresh.number), cut_owners]
        )
        entries = np.concatenate([fresh.members, np.full(fresh.number, rows), rows + 1 + cuts])
        values = np.concatenate([np.ones(len(fresh.members) + fresh.number), times])
        starts, order = grouped(owners, fresh.number)
        self._simplex.add_columns(starts, entries[order], values[order], fresh.costs / self._unit)
        self._active = np.append(self._active, indices)
        self._is_active[indices] = True

    def _add_cuts(self, cuts: RankOneCuts) -> None:
        rows = len(self._multiplicity)
        owners, held, times = holdings(take(self.columns, self._active), cuts, rows)
        starts, order = grouped(held, cuts.number)
        self._simplex.add_rows(
            starts, self._dear + owners[order], times[order].astype(np.float64), cuts.right.astype(np.float64)
        )
        self._cuts = joined_cuts(self._cuts, cuts)
        self._idle = np.append(self._idle, np.zeros(cuts.number, np.int64))

    def _drop_idle_cuts(self, duals: FloatArray) -> None:
        rows = len(self._multiplicity)
        self._idle = np.where(duals[rows + 1 :] < -_NEGATIVE, 0, self._idle + 1)
        dropped = np.flatnonzero(self._idle > _IDLE)
        if len(dropped) >= _DROPPED:
            self._simplex.drop_rows(rows + 1 + dropped)
            stay = np.flatnonzero(self._idle <= _IDLE)
            self._cuts, self._idle = chosen_cuts(self._cuts, stay), self._idle[stay]
