"""Pricing by box search against brute force: every cluster of tiny instances is tried."""

from typing import NamedTuple

import numpy as np
import pytest
from coloured_clusters import Members, feasible_clusters, squared_error
from cuts_by_definition import penalty_of, random_cuts
from hypothesis import given, settings
from hypothesis import strategies as st

from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties
from minv.pricing.protocol import Columns, PricingStatus
from minv.stopping import Stop

TOLERANCE = 1e-7
ROUNDING = 1e-10  # of one reduced cost, far below the tolerance


class Case(NamedTuple):
    """A pricing problem with at most ten rows."""

    points: np.ndarray
    colours: np.ndarray
    m: int
    max_size: int
    duals: np.ndarray
    cuts: CutPenalties

    def pricer(self) -> BoxPricer:
        """The pricer under test."""
        return BoxPricer(self.points, self.colours, self.m, self.max_size, tolerance=TOLERANCE)

    def reduced_costs(self, duals: np.ndarray) -> dict[Members, float]:
        """Of every feasible cluster, by the definition."""
        return {members: self._reduced_cost(members, duals) for members in self.clusters()}

    def clusters(self) -> list[Members]:
        """Every feasible cluster."""
        return feasible_clusters(self.colours, self.m, self.max_size)

    def _reduced_cost(self, members: Members, duals: np.ndarray) -> float:
        value = squared_error(self.points, members) - float(duals[list(members)].sum())
        value += penalty_of(self.cuts, members)
        return value


def coordinates(kind: str, rng: np.random.Generator, rows: int, dimension: int) -> np.ndarray:
    """Points as tables have them: grids with ties, two-valued and constant columns, duplicates, outliers."""
    points = rng.normal(size=(rows, dimension))
    if kind == "grid":
        return rng.integers(0, 4, (rows, dimension)) / 3.0
    if kind == "mixed":  # a continuous column beside z-scores of a few values
        points[:, 1:] = (rng.integers(0, 3, (rows, dimension - 1)) - 0.7) / 0.83
    elif kind == "constant":
        points[:, rng.integers(dimension)] = 0.1
    elif kind == "duplicates":
        points = points[rng.integers(0, max(1, rows // 3), rows)]
    elif kind == "outlier":
        points[0] += 100.0
    return points


@st.composite
def cases(draw: st.DrawFn, *, with_cuts: bool) -> Case:
    """All sizes and kinds of points; duals of the size of a cluster's cost, some negative."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.integers(3, 10))
    m = draw(st.integers(1, 4))
    max_size = draw(st.integers(m, 2 * m - 1))
    kind = draw(st.sampled_from(["normal", "grid", "mixed", "constant", "duplicates", "outlier"]))
    colour_count = draw(st.sampled_from([2, 4, 6, 0]))
    height = draw(st.sampled_from([0.05, 0.5, 2.0, 20.0]))
    cut_count = draw(st.integers(1, 8)) if with_cuts else 0
    return Case(
        points=coordinates(kind, rng, rows, draw(st.integers(1, 4))),
        colours=rng.integers(0, colour_count, rows) if colour_count else rng.permutation(rows),
        m=m,
        max_size=max_size,
        duals=height * rng.normal(0.7, 0.6, rows),
        cuts=CutPenalties(
            random_cuts(rng, np.ones(rows, np.int64), cut_count), height * rng.random(cut_count)
        ),
    )


ANY_CASE = st.booleans().flatmap(lambda with_cuts: cases(with_cuts=with_cuts))
many = settings(max_examples=250)


def clusters_of(columns: Columns) -> list[Members]:
    """The members of each column, ascending."""
    parts = np.split(columns.members, columns.starts[1:-1]) if columns.number else []
    return [tuple(sorted(part.tolist())) for part in parts]


@many
@given(ANY_CASE)
def test_no_cluster_violates_the_repaired_duals(case: Case) -> None:
    """They are at most the given ones, and every feasible cluster's reduced cost is at least -slack."""
    given_duals = case.duals.copy()
    result = case.pricer().price(case.duals, Stop(), case.cuts)
    np.testing.assert_array_equal(case.duals, given_duals)
    assert result.status is PricingStatus.OPTIMAL
    assert result.repaired is not None
    assert (result.repaired <= case.duals).all()
    least = min(case.reduced_costs(result.repaired).values(), default=np.inf)
    assert least >= -result.slack - ROUNDING


@many
@given(ANY_CASE)
def test_the_bound_is_below_the_least_reduced_cost(case: Case) -> None:
    """And columns are found exactly where a reduced cost lies below minus the tolerance."""
    least = min(case.reduced_costs(case.duals).values(), default=np.inf)
    result = case.pricer().price(case.duals, Stop(), case.cuts)
    assert result.bound <= least + ROUNDING
    if least < -TOLERANCE - ROUNDING:
        assert result.columns.number > 0
    if least > 0:
        assert result.columns.number == 0
        assert result.repaired is not None
        np.testing.assert_array_equal(result.repaired, case.duals)


@many
@given(ANY_CASE)
def test_found_columns_are_feasible_and_costed_by_their_points(case: Case) -> None:
    """Without the cuts in the cost; the best reduced cost counts them and the duals that were given."""
    true = case.reduced_costs(case.duals)
    result = case.pricer().price(case.duals, Stop(), case.cuts)
    found = clusters_of(result.columns)
    for members, cost in zip(found, result.columns.costs, strict=True):
        assert true[members] < 0
        assert cost == pytest.approx(squared_error(case.points, members), abs=1e-9)
    least = min((true[members] for members in found), default=np.inf)
    assert result.best_reduced_cost == pytest.approx(least, abs=1e-9)


@many
@given(ANY_CASE, st.floats(0.0, 1.0))
def test_columns_below_lists_exactly_the_clusters_below(case: Case, share: float) -> None:
    """Under repaired duals, as the engine calls it; each at least once, none that is dearer."""
    repaired = case.pricer().price(case.duals, Stop(), case.cuts).repaired
    assert repaired is not None
    true = case.reduced_costs(repaired)
    ordered = np.sort(np.array(list(true.values()) or [0.0]))
    at = int(share * (len(ordered) - 1))
    threshold = max(0.0, float(ordered[at])) + 1e-6
    within = np.abs(ordered - threshold) < ROUNDING
    if within.any():
        threshold += 10 * ROUNDING
    expected = {members for members, value in true.items() if value <= threshold}
    listed = case.pricer().columns_below(repaired, threshold, 50 * len(true) + 1, Stop(), case.cuts)
    assert listed is not None
    assert set(clusters_of(listed)) == expected
    for members, cost in zip(clusters_of(listed), listed.costs, strict=True):
        assert cost == pytest.approx(squared_error(case.points, members), abs=1e-9)
    if expected:
        assert case.pricer().columns_below(repaired, threshold, len(expected) - 1, Stop(), case.cuts) is None
