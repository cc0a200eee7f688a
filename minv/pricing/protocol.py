"""What every pricer takes and answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.pricing.cuts import CutPenalties
from minv.stopping import Stop


class Columns(NamedTuple):
    """Feasible clusters of master rows in compressed form.

    Column j consists of `members[starts[j]:starts[j + 1]]`, each row at most once, and costs `costs[j]`, its SSE.
    Where there are counterfeits, the row after the last stands for them, listed once for each.
    """

    starts: IntArray  # (k + 1,)
    members: IntArray
    costs: FloatArray  # (k,)

    @property
    def number(self) -> int:
        """Number of columns, k."""
        return len(self.costs)


def no_columns() -> Columns:
    """Return the empty set of columns."""
    return Columns(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))


def joined(parts: Sequence[Columns]) -> Columns:
    """Return all columns of all parts, in order."""
    lengths = np.concatenate([[0], *(np.diff(part.starts) for part in parts)])
    return Columns(
        np.cumsum(lengths).astype(np.int64),
        np.concatenate([np.zeros(0, np.int64), *(part.members for part in parts)]),
        np.concatenate([np.zeros(0), *(part.costs for part in parts)]),
    )


class PricingStatus(Enum):
    """How a pricing call ended."""

    OPTIMAL = "optimal"  # the whole space was searched: `bound` and `repaired` are proved
    LIMIT = "limit"  # stopped early: columns are usable, `bound` is minus infinity
    HEURISTIC = "heuristic"  # a method that proves nothing by its nature
    NOT_APPLICABLE = "not applicable"  # this pricer cannot treat this instance


@dataclass(frozen=True, slots=True)
class PricingResult:
    """Answer of a pricer for row duals lambda.

    Attributes
    ----------
    columns
        Columns of negative reduced cost (cost - sum of the duals of its rows), possibly none.
    best_reduced_cost
        Least reduced cost among all columns seen, recomputed from the points; +inf if none was seen.
    bound
        Proved lower bound on the reduced cost of every feasible column.
    repaired
        Duals at most the given ones under which no feasible column has a reduced cost below `-slack`, hence
        a proof of the bound sum(multiplicity * repaired) - (largest number of clusters) * slack; None where
        nothing was proved.
    slack
        See `repaired`; 0 or more.
    """

    status: PricingStatus
    columns: Columns
    best_reduced_cost: float
    bound: float
    repaired: FloatArray | None = None
    slack: float = 0.0


def found_by_repair(
    columns: Columns, best: float, duals: FloatArray, repaired: FloatArray, *, widest: int, slack: float
) -> PricingResult:
    """Return the answer of a whole search that lowered a copy of the duals until no column had any gain.

    Parameters
    ----------
    best
        Least reduced cost of the columns under the given duals.
    repaired
        The lowered copy, under which no feasible column has a reduced cost below `-slack`.
    widest
        Most members of a column: under the given duals its reduced cost is lower by so many falls at most.
    """
    falls = np.sort(duals - repaired)[::-1][:widest]
    return PricingResult(
        PricingStatus.OPTIMAL, columns, best, -slack - float(falls.sum()), repaired=repaired, slack=slack
    )


def stopped(columns: Columns, best: float) -> PricingResult:
    """Return the answer of a search that a limit ended: the columns so far, and no bound."""
    return PricingResult(PricingStatus.LIMIT, columns, best, -np.inf)


def not_applicable() -> PricingResult:
    """Return the answer to a question that a pricer does not model."""
    return PricingResult(PricingStatus.NOT_APPLICABLE, no_columns(), np.inf, -np.inf)


class Pricer(Protocol):
    """Finds columns for one instance, given one dual value per master row."""

    def price(self, duals: FloatArray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        """Answer with columns of negative reduced cost and what is proved about the rest."""
        ...


class ExactPricer(Pricer, Protocol):
    """A pricer that can also list every column up to a reduced cost."""

    def columns_below(
        self, duals: FloatArray, threshold: float, most: int, stop: Stop, cuts: CutPenalties | None = None
    ) -> Columns | None:
        """List all columns with a reduced cost of at most `threshold`; None if there are more than `most`.

        A column may occur more than once. None also when `stop` ends the search, when it takes more work than such
        a number of columns is worth, or when this pricer lists none.
        """
        ...
