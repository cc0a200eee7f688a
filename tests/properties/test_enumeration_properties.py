"""Implicit enumeration against brute force: every cluster of tiny instances is tried."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from cuts_by_definition import penalty_of, random_cuts
from hypothesis import given
from hypothesis import strategies as st

from minv.pricing.cuts import CutPenalties, no_cuts
from minv.pricing.enumeration import EnumerationPricer
from minv.pricing.protocol import Columns, PricingStatus
from minv.stopping import Stop

TOLERANCE = 1e-7


class Case(NamedTuple):
    """A pricing problem with at most nine rows."""

    points: np.ndarray
    colours: np.ndarray
    m: int
    max_size: int
    duals: np.ndarray
    cuts: CutPenalties

    def pricer(self) -> EnumerationPricer:
        """The pricer under test."""
        return EnumerationPricer(self.points, self.colours, self.m, self.max_size, tolerance=TOLERANCE)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Rows on a coarse grid, so that points and reduced costs coincide often; duals of either sign."""
    rows = draw(st.integers(1, 9))
    dimension = draw(st.integers(1, 3))
    seed = draw(st.integers(0, 2**32 - 1))
    m = draw(st.integers(1, 4))
    max_size = draw(st.integers(m, 2 * m - 1))
    colour_count = draw(st.integers(1, 9))
    height = draw(st.sampled_from([0.1, 1.0, 4.0, 30.0]))
    cut_count = draw(st.integers(0, 4))
    rng = np.random.default_rng(seed)
    return Case(
        points=rng.integers(0, 5, (rows, dimension)).astype(np.float64),
        colours=rng.integers(0, colour_count, rows),
        m=m,
        max_size=max_size,
        duals=height * rng.normal(0.5, 1.0, rows).round(2),
        cuts=CutPenalties(
            random_cuts(rng, np.ones(rows, np.int64), cut_count), rng.random(cut_count) * height
        ),
    )


def reduced_cost(case: Case, members: tuple[int, ...], duals: np.ndarray) -> float:
    """By the definition."""
    points = case.points[list(members)]
    value = float(((points - points.mean(axis=0)) ** 2).sum() - duals[list(members)].sum())
    return value + penalty_of(case.cuts, members)


def all_reduced_costs(case: Case, duals: np.ndarray) -> dict[tuple[int, ...], float]:
    """Of every feasible cluster, found by trying all subsets."""
    return {
        members: reduced_cost(case, members, duals)
        for size in range(case.m, case.max_size + 1)
        for members in combinations(range(len(case.points)), size)
        if len(set(case.colours[list(members)].tolist())) == size
    }


def clusters(columns: Columns) -> list[tuple[int, ...]]:
    """The members of each column, ascending."""
    parts = np.split(columns.members, columns.starts[1:-1]) if columns.number else []
    return [tuple(sorted(part.tolist())) for part in parts]


@given(cases())
def test_the_best_column_is_the_best_of_all(case: Case) -> None:
    """Whatever its sign, with a proof."""
    expected = min(all_reduced_costs(case, case.duals).values(), default=np.inf)
    found = case.pricer().best_column(case.duals, Stop(), case.cuts)
    assert found.status is PricingStatus.OPTIMAL
    assert found.best_reduced_cost == pytest.approx(expected, abs=1e-9)
    assert found.bound == found.best_reduced_cost
    for members in clusters(found.columns):
        assert reduced_cost(case, members, case.duals) == pytest.approx(expected, abs=1e-9)


@given(cases())
def test_repaired_duals_leave_no_violated_column(case: Case) -> None:
    """They lie below the given ones, and no cluster at all violates them by more than the slack."""
    result = case.pricer().price(case.duals, Stop(), case.cuts)
    assert result.status is PricingStatus.OPTIMAL
    assert result.repaired is not None
    assert (result.repaired <= case.duals).all()
    remaining = all_reduced_costs(case, result.repaired)
    assert min(remaining.values(), default=0.0) >= -result.slack


@given(cases())
def test_duals_without_violated_columns_stay_as_they_are(case: Case) -> None:
    """Repair changes nothing, and finds nothing, where nothing is violated; and conversely."""
    least = min(all_reduced_costs(case, case.duals).values(), default=0.0)
    result = case.pricer().price(case.duals, Stop(), case.cuts)
    assert result.repaired is not None
    if least >= 0:
        np.testing.assert_array_equal(result.repaired, case.duals)
        assert result.columns.number == 0
    elif least < -TOLERANCE:
        assert result.columns.number > 0


@given(cases())
def test_columns_are_feasible_negative_and_of_the_right_cost(case: Case) -> None:
    """And the claimed bound and best reduced cost hold."""
    true = all_reduced_costs(case, case.duals)
    result = case.pricer().price(case.duals, Stop(), case.cuts)
    found = clusters(result.columns)
    assert len(set(found)) == len(found)
    for members, cost in zip(found, result.columns.costs, strict=True):
        assert true[members] < 0
        without_cuts = case._replace(cuts=no_cuts())
        assert cost == pytest.approx(reduced_cost(without_cuts, members, np.zeros(len(case.points))))
    assert result.best_reduced_cost == pytest.approx(min((true[c] for c in found), default=np.inf))
    assert result.bound <= min(true.values(), default=np.inf) + 1e-9


@given(cases(), st.floats(0.0, 10.0))
def test_all_columns_below_a_threshold_are_listed_once(case: Case, share: float) -> None:
    """Or none at all, where there is no room for them."""
    true = all_reduced_costs(case, case.duals)
    floor = min(true.values(), default=0.0)
    threshold = floor + share * case.duals.std() + 1e-9  # off the grid of values that rounding could blur
    expected = sorted(members for members, value in true.items() if value <= threshold)
    listed = case.pricer().columns_below(case.duals, threshold, len(true) + 1, Stop(), case.cuts)
    assert listed is not None
    assert sorted(clusters(listed)) == expected
    if expected:
        assert (
            case.pricer().columns_below(case.duals, threshold, len(expected) - 1, Stop(), case.cuts) is None
        )
