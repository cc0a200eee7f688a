"""The pricer by box search: by hand, at its limits, in any unit."""

import numpy as np
import pytest

from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties, subset_row_cuts
from minv.pricing.protocol import PricingStatus
from minv.stopping import CancelToken, Stop


def pricer(points: np.ndarray, m: int, max_size: int | None = None, **options: float) -> BoxPricer:
    """All colours different."""
    most_work = int(options.pop("most_work", 400_000))
    tolerance = options.pop("tolerance", 1e-7)
    colours = np.arange(len(points))
    return BoxPricer(points, colours, m, max_size or 2 * m - 1, tolerance=tolerance, most_work=most_work)


def test_three_points_on_a_line_by_hand() -> None:
    """0, 1, 5 with m = 2: the pair {0, 1} costs 1/2, its duals sum to 2, so each falls by 3/4."""
    result = pricer(np.array([[0.0], [1.0], [5.0]]), 2).price(np.ones(3), Stop())
    assert sorted(result.columns.members.tolist()) == [0, 1]
    assert result.columns.costs.tolist() == [0.5]
    assert result.best_reduced_cost == pytest.approx(-1.5)
    assert result.repaired is not None
    np.testing.assert_allclose(result.repaired, [0.25, 0.25, 1.0])
    assert result.bound <= -1.5


def test_a_penalty_that_outweighs_the_gain_leaves_no_column() -> None:
    """The same pair, held by a cut: a penalty below 3/2 leaves it, one above removes it."""
    points = np.array([[0.0], [1.0], [5.0]])
    for penalty, number in [(1.4, 1), (1.6, 0)]:
        cuts = CutPenalties(subset_row_cuts(np.array([[0, 1, 2]]), np.ones(3, np.int64)), np.array([penalty]))
        result = pricer(points, 2).price(np.ones(3), Stop(), cuts)
        assert result.status is PricingStatus.OPTIMAL
        assert result.columns.number == number


def test_points_of_one_colour_make_no_cluster() -> None:
    """Nor do fewer rows than m; both are proved, and nothing is listed."""
    same = BoxPricer(np.zeros((6, 2)), np.full(6, 3), 2, 3, tolerance=1e-7)
    for box in (same, pricer(np.zeros((2, 2)), 3)):
        duals = np.ones(6 if box is same else 2)
        result = box.price(duals, Stop())
        assert result.status is PricingStatus.OPTIMAL
        assert result.columns.number == 0
        assert result.best_reduced_cost == np.inf
        listed = box.columns_below(duals, 10.0, 100, Stop())
        assert listed is not None
        assert listed.number == 0


def test_coinciding_points_are_repaired_to_sums_of_zero() -> None:
    """Every cluster costs nothing."""
    result = pricer(np.full((6, 3), 0.1), 2).price(np.ones(6), Stop())
    assert result.repaired is not None
    assert np.sort(result.repaired)[-2:].sum() <= 1e-7
    assert result.columns.costs == pytest.approx(0.0, abs=1e-30)


def test_the_unit_of_the_points_changes_no_column() -> None:
    """Points by s, duals and tolerance by s squared; a power of two, so that rounding is the same."""
    rng = np.random.default_rng(11)
    points, duals = rng.normal(size=(30, 3)), rng.random(30)
    members = [
        pricer(s * points, 3, tolerance=1e-9 * s * s).price(s * s * duals, Stop()).columns.members.tolist()
        for s in (2.0**-30, 1.0, 2.0**30)
    ]
    assert members[0] == members[1] == members[2]
    assert len(members[0]) > 0


def test_a_cancelled_search_claims_nothing() -> None:
    """And lists nothing."""
    token = CancelToken()
    token.cancel()
    box = pricer(np.random.default_rng(2).normal(size=(40, 3)), 3)
    result = box.price(np.ones(40), Stop(cancel=token))
    assert result.status is PricingStatus.LIMIT
    assert result.bound == -np.inf
    assert result.repaired is None
    assert box.columns_below(np.zeros(40), 1.0, 10_000, Stop(cancel=token)) is None


def test_work_limits_a_search_with_cuts_and_no_other() -> None:
    """Without cuts the search always ends."""
    points = np.random.default_rng(2).normal(size=(200, 4))
    duals = np.full(200, 1.5)
    cuts = CutPenalties(subset_row_cuts(np.array([[0, 1, 2]]), np.ones(3, np.int64)), np.array([0.5]))
    box = pricer(points, 4, most_work=1)
    assert box.price(duals, Stop(), cuts).status is PricingStatus.LIMIT
    assert box.price(duals, Stop()).status is PricingStatus.OPTIMAL


def test_one_search_finds_columns_for_every_row_it_repairs() -> None:
    """Each row whose dual falls is in a column that was found."""
    points = np.random.default_rng(8).normal(size=(60, 3))
    duals = np.full(60, 1.5)
    result = pricer(points, 3).price(duals, Stop())
    assert (duals == 1.5).all()
    assert result.repaired is not None
    assert set(result.columns.members.tolist()) == set(np.flatnonzero(result.repaired < duals).tolist())
    assert result.columns.number > 20
