"""Microaggregation with a bound: true bounds, optimal classes of small tables, limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_optima import least_cost, least_squared_errors_on_a_line

from minv.instance import Instance
from minv.loss import SquaredErrors
from minv.pricing.box import BoxPricer
from minv.pricing.enumeration import EnumerationPricer
from minv.publish.microaggregation import make_pricer, microaggregate
from minv.stopping import CancelToken, Stop


def least(points: np.ndarray, k: int) -> float:
    return least_cost(
        len(points), k, lambda members: float(((points[members] - points[members].mean(axis=0)) ** 2).sum())
    )


@settings(max_examples=20)
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(2, 4),
    extra=st.integers(0, 6),
    dimension=st.sampled_from([1, 2, 5]),
    scale=st.sampled_from([1e-6, 1.0, 1e6]),
)
def test_small_tables_are_solved_and_their_optimum_proved(seed, k, extra, dimension, scale):
    points = scale * np.random.default_rng(seed).normal(size=(min(k + extra, 9), dimension))
    found = microaggregate(points, k, seed=0, stop=Stop(time_limit=600.0, gap=1e-4))
    best = least(points, k)
    assert SquaredErrors(points).total(found.labels) == pytest.approx(best)
    assert np.bincount(found.labels).min() >= k
    if len(points) >= 2 * k:
        assert found.bound == pytest.approx(best, rel=1e-4)
        assert found.bound <= best * (1 + 1e-9)


@pytest.mark.parametrize("dimension", [1, 4])
def test_the_bound_of_many_points_is_true_and_close(dimension):
    """All coordinates but one are constant, so that the optimum on a line is known."""
    numbers = np.random.default_rng(0).normal(size=60)
    points = np.column_stack([numbers, *[np.zeros(60)] * (dimension - 1)])
    found = microaggregate(points, 3, seed=0, stop=Stop(time_limit=100.0, gap=0.01))
    best = least_squared_errors_on_a_line(numbers, 3)
    assert found.bound is not None
    assert 0.99 * best <= found.bound <= best * (1 + 1e-9)
    assert SquaredErrors(points).total(found.labels) == pytest.approx(best)


def test_equal_points_lose_nothing_and_few_points_make_one_class():
    found = microaggregate(np.ones((9, 2)), 3, seed=0, stop=Stop(time_limit=1.0))
    assert found.bound == 0
    few = microaggregate(np.arange(10.0).reshape(5, 2), 3, seed=0, stop=Stop(time_limit=1.0))
    assert few.labels.tolist() == [0] * 5
    assert few.bound is None


def test_effort_proves_nothing_and_time_can_run_out():
    points = np.random.default_rng(0).normal(size=(200, 5))
    assert microaggregate(points, 3, seed=0, stop=Stop(effort=10)).bound is None
    token = CancelToken()
    token.cancel()
    found = microaggregate(points, 3, seed=0, stop=Stop(time_limit=60, cancel=token))
    assert np.bincount(found.labels).min() >= 3


@pytest.mark.parametrize(
    ("dimension", "k", "kind"),
    [
        (2, 3, BoxPricer),
        (3, 10, BoxPricer),
        (4, 3, EnumerationPricer),
        (6, 10, BoxPricer),
        (7, 10, EnumerationPricer),
    ],
)
def test_the_pricer_suits_dimension_and_k(dimension, k, kind):
    points = np.random.default_rng(0).normal(size=(30, dimension))
    assert isinstance(make_pricer(Instance(points, np.arange(30), k), 1e-6), kind)
