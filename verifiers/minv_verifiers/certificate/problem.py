"""The dual problem that a certificate claims to solve."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from minv_verifiers.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Cluster:
    """A cluster that prices out: its rows and its reduced cost."""

    rows: tuple[int, ...]
    reduced_cost: float


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut: a cluster pays `penalty` as often as `denominator` goes into the sum of its rows' numerators.

    Attributes
    ----------
    rows, numerators
        Different rows, and as many whole numbers of 1 or more.
    denominator, penalty
        1 or more; 0 or more.
    """

    rows: tuple[int, ...]
    numerators: tuple[int, ...]
    denominator: int
    penalty: float

    def charge(self, total: int) -> float:
        """Return what a cluster pays whose numerators sum to `total`."""
        return self.penalty * (total // self.denominator)


@dataclass(frozen=True, eq=False, kw_only=True)
class PricingProblem:
    """Clusters of `m` to `max_size` rows with different colours, and what each row and cut pays.

    The reduced cost of a cluster is its SSE less the duals of its rows, plus what the cuts add.

    Attributes
    ----------
    points
        (r, d) coordinates of each row.
    colours
        (r,) colour of each row, from 0.
    duals
        (r,) dual of each row.
    m, max_size
        Least and greatest size of a cluster.
    cuts
        Each on rows of this problem.
    apart
        Pairs of rows that no cluster may hold together.
    """

    points: FloatArray
    colours: IntArray
    duals: FloatArray
    m: int
    max_size: int
    cuts: tuple[Cut, ...] = ()
    apart: frozenset[tuple[int, int]] = frozenset()

    @cached_property
    def cuts_of_row(self) -> dict[int, list[tuple[int, int]]]:
        """The cuts that each row belongs to, with its numerators."""
        found: dict[int, list[tuple[int, int]]] = {}
        for place, cut in enumerate(self.cuts):
            for row, numerator in zip(cut.rows, cut.numerators, strict=True):
                found.setdefault(row, []).append((place, numerator))
        return found

    def reduced_cost(self, rows: tuple[int, ...]) -> float:
        """Return the reduced cost of one cluster, from its definition."""
        points = self.points[list(rows)]
        deviations = points - points.mean(axis=0)
        squares = float(np.einsum("ij,ij->", deviations, deviations))
        return squares - float(self.duals[list(rows)].sum()) + self.penalty(rows)

    def penalty(self, rows: tuple[int, ...]) -> float:
        """Return what the cuts add to the reduced cost: 0 or more."""
        if not self.cuts:
            return 0.0
        sums: dict[int, int] = {}
        for row in rows:
            for place, numerator in self.cuts_of_row.get(row, ()):
                sums[place] = sums.get(place, 0) + numerator
        return sum(self.cuts[place].charge(total) for place, total in sums.items())

    def allowed(self, rows: tuple[int, ...]) -> bool:
        """Whether no two rows must stay apart."""
        return not self.apart or not any(
            (min(one, other), max(one, other)) in self.apart
            for place, one in enumerate(rows)
            for other in rows[place + 1 :]
        )
