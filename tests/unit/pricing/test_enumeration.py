"""The pricer by implicit enumeration: limits, degenerate inputs, independence of order."""

import time

import numpy as np
import pytest

from minv.pricing import enumeration
from minv.pricing.enumeration import EnumerationPricer
from minv.pricing.protocol import PricingStatus
from minv.stopping import CancelToken, Stop

HARD_ROWS = 500  # with m = 10 in 13 dimensions: far beyond any search


def pricer(points: np.ndarray, m: int, max_size: int | None = None) -> EnumerationPricer:
    """All colours different."""
    return EnumerationPricer(points, np.arange(len(points)), m, max_size or 2 * m - 1, tolerance=1e-7)


@pytest.fixture(scope="module")
def hard() -> tuple[EnumerationPricer, np.ndarray]:
    """A search that does not end within any time a test would wait."""
    points = np.random.default_rng(3).normal(size=(HARD_ROWS, 13))
    duals = np.full(HARD_ROWS, 12.0)
    small = pricer(points[:20], 3)  # compiled before any clock is looked at
    small.price(duals[:20], Stop())
    small.best_column(duals[:20], Stop())
    small.columns_below(duals[:20], -1e9, 1, Stop())
    return pricer(points, 10), duals


def test_three_points_on_a_line_by_hand() -> None:
    """0, 1, 5 with m = 2: the pair {0, 1} costs 1/2, its duals sum to 2."""
    points = np.array([[0.0], [1.0], [5.0]])
    result = pricer(points, 2).price(np.array([1.0, 1.0, 1.0]), Stop())
    assert result.columns.members.tolist() in ([0, 1], [1, 0])
    assert result.columns.costs.tolist() == [0.5]
    assert result.best_reduced_cost == pytest.approx(-1.5)
    assert result.repaired is not None
    np.testing.assert_allclose(result.repaired, [0.25, 0.25, 1.0])


def test_a_pair_may_share_its_colour_with_a_third_but_not_within() -> None:
    """The nearest pair has one colour, so another pair is best."""
    points = np.array([[0.0], [1.0], [3.0]])
    found = EnumerationPricer(points, np.array([7, 7, 9]), 2, 3, tolerance=1e-9).best_column(
        np.zeros(3), Stop()
    )
    assert sorted(found.columns.members.tolist()) == [1, 2]
    assert found.best_reduced_cost == pytest.approx(2.0)


@pytest.mark.parametrize(("gain", "best"), [(0.01, [0, 1, 2]), (-0.01, [0, 1])])
def test_a_larger_cluster_is_found_exactly_when_each_row_gains(gain: float, best: list[int]) -> None:
    """-1, 0, 1 with m = 2: an outer row gains by joining the others if its dual exceeds 3/2 of its distance."""
    points = np.array([[-1.0], [0.0], [1.0]])
    duals = np.array([1.6, 3.0, 1.5 + gain])
    found = pricer(points, 2).best_column(duals, Stop())
    assert sorted(found.columns.members.tolist()) == best


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_fewer_rows_than_m_make_no_cluster(rows: int) -> None:
    """Nothing is found, and that is proved."""
    result = pricer(np.zeros((rows, 2)), 3).price(np.ones(rows), Stop())
    assert result.status is PricingStatus.OPTIMAL
    assert result.columns.number == 0


def test_coinciding_points_and_no_coordinates_at_all() -> None:
    """Every cluster costs 0, so any positive duals are violated and repaired to sums of 0."""
    for dimension in (0, 2):
        result = pricer(np.zeros((6, dimension)), 2).price(np.ones(6), Stop())
        assert result.repaired is not None
        assert np.sort(result.repaired)[-2:].sum() <= 1e-7
        assert (result.columns.costs == 0).all()


def test_huge_and_tiny_coordinates_find_the_same_columns() -> None:
    """Scaling points by s and duals by s squared changes nothing else."""
    rng = np.random.default_rng(11)
    points, duals = rng.normal(size=(30, 4)), rng.random(30)
    columns = [
        EnumerationPricer(s * points, np.arange(30) % 7, 3, 5, tolerance=1e-9 * s * s)
        .price(s * s * duals, Stop())
        .columns.members.tolist()
        for s in (2.0**-30, 1.0, 2.0**30)
    ]
    assert columns[0] == columns[1] == columns[2]


def test_the_arguments_are_left_alone() -> None:
    """Repair works on a copy."""
    rng = np.random.default_rng(5)
    points, duals = rng.normal(size=(40, 3)), np.full(40, 2.0)
    pricer(points, 3).price(duals, Stop())
    assert (duals == 2.0).all()


def test_many_different_columns_come_from_one_search() -> None:
    """Each row with a violated column ends up in one that was found."""
    points = np.random.default_rng(8).normal(size=(60, 3))
    duals = np.full(60, 1.5)
    result = pricer(points, 3).price(duals, Stop())
    assert result.repaired is not None
    assert set(result.columns.members.tolist()) == set(np.flatnonzero(result.repaired < duals).tolist())
    assert result.columns.number > 20


@pytest.mark.parametrize("task", ["price", "best_column", "columns_below"])
def test_a_deadline_holds(task: str, hard: tuple[EnumerationPricer, np.ndarray]) -> None:
    """Within a tenth of a second or so, and the answer says that nothing is proved."""
    hard_pricer, duals = hard
    stop = Stop(time_limit=0.3)
    arguments = (0.0, 10_000_000) if task == "columns_below" else ()
    result = getattr(hard_pricer, task)(duals, *arguments, stop)
    assert stop.elapsed < 1.3
    if task == "columns_below":
        assert result is None
    else:
        assert result.status is PricingStatus.LIMIT
        assert result.bound == -np.inf
        assert result.repaired is None


def test_a_cancelled_search_does_not_start(hard: tuple[EnumerationPricer, np.ndarray]) -> None:
    """Nor does it claim anything."""
    token = CancelToken()
    token.cancel()
    started = time.monotonic()
    result = hard[0].price(hard[1], Stop(cancel=token))
    assert result.status is PricingStatus.LIMIT
    assert result.columns.number == 0
    assert time.monotonic() - started < 1.0


def test_too_many_rows_are_not_applicable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The square of their number would not fit into memory."""
    monkeypatch.setattr(enumeration, "MOST_ROWS", 5)
    large = pricer(np.zeros((6, 1)), 2)
    assert not large.applicable
    assert large.price(np.ones(6), Stop()).status is PricingStatus.NOT_APPLICABLE
    assert large.best_column(np.ones(6), Stop()).status is PricingStatus.NOT_APPLICABLE
    assert large.columns_below(np.ones(6), 0.0, 10, Stop()) is None
