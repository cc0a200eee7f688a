"""The alternating heuristic: every column is feasible, costed rightly, and never below what exact pricing proves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.pricing.alternating import AlternatingPricer
from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties, subset_row_cuts
from minv.pricing.protocol import PricingStatus
from minv.stopping import CancelToken, Stop


@given(seed=st.integers(0, 10_000), m=st.integers(2, 4), dimension=st.integers(1, 3))
def test_columns_are_feasible_and_no_better_than_the_best(seed: int, m: int, dimension: int) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.integers(m, 30))
    points = np.round(random.standard_normal((rows, dimension)), 1)
    colours = random.permutation(np.arange(rows) % (m + 3))
    duals = random.gamma(1.0, 0.7, rows)
    largest = 2 * m - 1
    found = AlternatingPricer(points, colours, m, largest, tolerance=1e-9).price(duals, Stop())
    exact = BoxPricer(points, colours, m, largest, tolerance=1e-9).price(duals, Stop())
    assert found.status is PricingStatus.HEURISTIC
    assert found.best_reduced_cost >= exact.bound - 1e-9
    for column in range(found.columns.number):
        members = found.columns.members[found.columns.starts[column] : found.columns.starts[column + 1]]
        assert m <= len(members) == len(set(colours[members].tolist())) <= largest
        cost = float(((points[members] - points[members].mean(axis=0)) ** 2).sum())
        assert found.columns.costs[column] == pytest.approx(cost, abs=1e-9)
        assert cost < duals[members].sum() + 1e-9


def test_it_finds_the_best_cluster_where_there_is_one_valley() -> None:
    points = np.array([[0.0], [0.1], [0.2], [9.0], [9.3]])
    duals = np.array([1.0, 1.0, 1.0, 0.0, 0.0])
    found = AlternatingPricer(points, np.arange(5), 2, 3, tolerance=1e-9).price(duals, Stop())
    assert sorted(found.columns.members[:3].tolist()) == [0, 1, 2]
    assert found.best_reduced_cost == pytest.approx(0.02 - 3.0)


def test_cuts_are_not_for_it_and_a_cancelled_search_is_empty() -> None:
    pricer = AlternatingPricer(np.zeros((3, 1)), np.arange(3), 2, 3, tolerance=1e-9)
    cuts = CutPenalties(subset_row_cuts(np.array([[0, 1, 2]]), np.ones(3, np.int64)), np.array([1.0]))
    assert pricer.price(np.ones(3), Stop(), cuts).status is PricingStatus.NOT_APPLICABLE
    token = CancelToken()
    token.cancel()
    assert pricer.price(np.ones(3), Stop(cancel=token)).columns.number == 0
