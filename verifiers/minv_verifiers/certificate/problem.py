"""The dual problem that a certificate claims to solve."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from minv_verifiers.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Cluster:
    """A cluster that prices out: its rows and its reduced cost."""

    rows: tuple[int, ...]
    reduced_cost: float


@dataclass(frozen=True, eq=False, kw_only=True)
class PricingProblem:
    """Clusters of `m` to `max_size` rows with different colours, and what each row and cut pays.

    The reduced cost of a cluster is its SSE less the duals of its rows and less the dual of each cut of which it
    holds two rows or more.

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
    triples, cut_duals
        (q, 3) rows of each cut and (q,) its dual, 0 or less.
    apart
        Pairs of rows that no cluster may hold together.
    """

    points: FloatArray
    colours: IntArray
    duals: FloatArray
    m: int
    max_size: int
    triples: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    cut_duals: FloatArray = field(default_factory=lambda: np.zeros(0))
    apart: frozenset[tuple[int, int]] = frozenset()

    @cached_property
    def cuts_of_row(self) -> dict[int, list[int]]:
        """The cuts that each row belongs to."""
        found: dict[int, list[int]] = {}
        for cut, triple in enumerate(self.triples.tolist()):
            for row in triple:
                found.setdefault(row, []).append(cut)
        return found

    def reduced_cost(self, rows: tuple[int, ...]) -> float:
        """Return the reduced cost of one cluster, from its definition."""
        points = self.points[list(rows)]
        deviations = points - points.mean(axis=0)
        squares = float(np.einsum("ij,ij->", deviations, deviations))
        return squares - float(self.duals[list(rows)].sum()) + self.penalty(rows)

    def penalty(self, rows: tuple[int, ...]) -> float:
        """Return what the cuts add to the reduced cost: 0 or more."""
        if not len(self.triples):
            return 0.0
        hits: dict[int, int] = {}
        for row in rows:
            for cut in self.cuts_of_row.get(row, ()):
                hits[cut] = hits.get(cut, 0) + 1
        return -sum(float(self.cut_duals[cut]) for cut, count in hits.items() if count >= 2)

    def allowed(self, rows: tuple[int, ...]) -> bool:
        """Whether no two rows must stay apart."""
        return not self.apart or not any(
            (min(one, other), max(one, other)) in self.apart
            for place, one in enumerate(rows)
            for other in rows[place + 1 :]
        )
