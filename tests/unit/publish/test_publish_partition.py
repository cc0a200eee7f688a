"""`partition`: what holds for every method, whatever the points."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from coloured_clusters import assert_feasible

from minv.errors import InfeasibleError, UsageError
from minv.heuristics import sorted_start
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares
from minv.progress import Progress
from minv.publish import annealing, paper
from minv.publish.partition import METHODS, STARTS, normalised, partition
from minv.publish.result import Partition
from minv.stopping import CancelToken

RANDOM = np.random.default_rng(2025)
POINTS = RANDOM.normal(size=(48, 3))
COLOURS = np.arange(48) % 8


@pytest.fixture(scope="module", autouse=True)
def short_annealing() -> Iterator[None]:
    """A unit of effort anneals for 20 000 moves, enough for these tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annealing, "MOVES_A_UNIT", 20_000)
        yield


def solve(points: Any, colours: Any, m: int, **options: Any) -> Partition:
    """With one worker and little effort, unless told otherwise."""
    return partition(points, colours, m, **{"workers": 1, "effort": 4, **options})


def true_il(points: np.ndarray, labels: np.ndarray) -> float:
    """Recomputed from the labels."""
    return information_loss(sum_of_squared_errors(points, labels), total_sum_of_squares(points))


def check(result: Partition, points: np.ndarray, colours: np.ndarray, m: int, cap: int | None = None) -> None:
    """Feasible, numbered by first appearance, with the IL that it claims and bounds that are in order."""
    assert_feasible(result.labels, colours, m, cap)
    _, first = np.unique(result.labels, return_index=True)
    assert (np.diff(first) > 0).all()
    assert result.il == pytest.approx(true_il(points, result.labels), rel=1e-6, abs=1e-9)
    assert result.sst == pytest.approx(total_sum_of_squares(points))
    assert result.sse == pytest.approx(result.il / 100 * result.sst)
    assert result.status in ("optimal", "feasible")
    for bound in (result.lp_bound_il, result.lower_bound_il, result.certified_bound_il):
        assert bound is None or 0 <= bound <= result.il
    if result.lower_bound_il is not None:
        assert (result.lp_bound_il or 0) <= result.lower_bound_il
        assert (result.certified_bound_il or 0) <= result.lower_bound_il
    assert (result.status == "optimal") == (result.gap is not None and result.gap <= 1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_every_method_partitions_any_eligible_table(method: str, seed: int) -> None:
    """Colours of very different frequency, some just at n/m."""
    rng = np.random.default_rng(seed)
    m = 2 + seed % 3
    n = int(rng.integers(24, 46))
    frequent = np.repeat(0, n // m if seed % 2 else n // (m + 1))
    colours = rng.permutation(np.concatenate([frequent, 1 + np.arange(n - len(frequent)) % (2 * m)]))
    points = np.column_stack([rng.normal(size=n), rng.integers(0, 3, n), rng.exponential(size=n)])
    before = points.copy(), colours.copy()
    check(solve(points, colours, m, method=method, seed=seed), points, colours, m)
    np.testing.assert_array_equal(points, before[0])
    np.testing.assert_array_equal(colours, before[1])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("n", "cap"), [(48, 4), (48, 3), (46, 4)])
def test_a_largest_class_size_is_kept(method: str, n: int, cap: int) -> None:
    """By every method."""
    points, colours = POINTS[:n], COLOURS[:n]
    check(solve(points, colours, 3, method=method, max_class_size=cap), points, colours, 3, cap)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("method", ["two-swap", "paper"])
def test_no_method_is_worse_than_its_start(method: str, start: str) -> None:
    """Nor any step than the one before."""
    began = solve(POINTS, COLOURS, 3, method=start, seed=5)
    ended = solve(POINTS, COLOURS, 3, method=method, start=start, seed=5)
    assert ended.il < began.il
    losses = [step.il for step in ended.steps]
    assert losses[0] == pytest.approx(began.il)
    assert losses == sorted(losses, reverse=True)


def test_optimise_is_better_than_everything_else() -> None:
    """And says how far from the best."""
    best = solve(POINTS, COLOURS, 3)
    others = [solve(POINTS, COLOURS, 3, method=method).il for method in METHODS]
    assert best.il <= min(others) * (1 + 1e-9)
    assert best.il <= true_il(POINTS, sorted_start(POINTS, COLOURS, 3))
    assert best.lower_bound_il is not None
    losses = [step.il for step in best.steps]
    assert losses == sorted(losses, reverse=True)


def test_subsets_of_the_paper_bound_nothing() -> None:
    """The bound of the whole is there with one subset only."""
    whole = solve(POINTS, COLOURS, 3, method="paper", subsets=1)
    parts = solve(POINTS, COLOURS, 3, method="paper", subsets=3)
    many = solve(POINTS, COLOURS, 3, method="paper", subsets=1000, swap_first=False)
    assert whole.lower_bound_il is not None
    assert parts.lower_bound_il is many.lower_bound_il is None
    for result in (whole, parts, many):
        check(result, POINTS, COLOURS, 3)
        assert result.il >= whole.lower_bound_il


# --- degenerate tables -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9 / 3])
def test_coinciding_points_lose_nothing(value: float) -> None:
    """Proved, as nothing is less than nothing."""
    result = solve(np.full((20, 3), value), np.arange(20) % 5, 3)
    assert (result.il, result.status, result.gap) == (0.0, "optimal", 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_no_points_and_no_coordinates(method: str) -> None:
    """An empty partition, and one without a loss."""
    empty = solve(np.zeros((0, 2)), np.zeros(0, int), 4, method=method)
    assert (empty.classes, empty.il, empty.status) == (0, 0.0, "optimal")
    flat = solve(np.zeros((12, 0)), np.arange(12) % 6, 3, method=method)
    assert flat.il == 0.0
    assert_feasible(flat.labels, np.arange(12) % 6, 3)


@pytest.mark.parametrize("method", METHODS)
def test_classes_of_one_lose_nothing(method: str) -> None:
    """m = 1, even where all colours are the same."""
    result = solve(POINTS, np.zeros(48, int), 1, method=method)
    assert result.labels.tolist() == list(range(48))
    assert (result.il, result.status) == (0.0, "optimal")


@pytest.mark.parametrize("method", METHODS)
def test_as_many_points_as_m_are_one_class(method: str) -> None:
    """All is lost; the bound says that it must be."""
    result = solve(POINTS[:4], np.arange(4), 4, method=method)
    assert result.labels.tolist() == [0, 0, 0, 0]
    assert result.il == pytest.approx(100.0)
    if method == "optimise":
        assert result.status == "optimal"


def test_a_colour_of_its_own_for_every_point_is_microaggregation() -> None:
    """Three groups far apart are found and proved."""
    points = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 4, axis=0) + 0.1 * POINTS[:12, :2]
    result = solve(points, np.arange(12), 4)
    assert result.labels.tolist() == np.repeat([0, 1, 2], 4).tolist()
    assert result.status == "optimal"


def test_many_duplicates_are_put_together() -> None:
    """Four places with each colour equally often: nothing need be lost, and that is found."""
    rng = np.random.default_rng(1)
    places = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 15, axis=0).astype(float)
    colours = np.tile(np.arange(5), 12)
    order = rng.permutation(60)
    result = solve(places[order], colours[order], 3)
    assert result.il == pytest.approx(0.0, abs=1e-20)
    assert result.status == "optimal"


@pytest.mark.parametrize("offset", [-1e6, 1e12])
def test_an_offset_changes_nothing_but_rounding(offset: float) -> None:
    """A point of 1e12 carries four decimals."""
    moved = solve(POINTS + offset, COLOURS, 3)
    assert moved.il == pytest.approx(solve(POINTS, COLOURS, 3).il, rel=1e-3)
    assert_feasible(moved.labels, COLOURS, 3)
    assert moved.il == pytest.approx(true_il((POINTS + offset) - offset, moved.labels), rel=1e-6)


@pytest.mark.parametrize("scale", [2.0**-500, 1e-12, 1e12, 2.0**400])
def test_the_unit_of_the_points_changes_nothing(scale: float) -> None:
    """IL and its bounds have none."""
    one, other = solve(POINTS, COLOURS, 3), solve(scale * POINTS, COLOURS, 3)
    assert other.il == pytest.approx(one.il, rel=1e-9)
    assert other.lower_bound_il == pytest.approx(one.lower_bound_il, rel=1e-6)
    assert other.certified_bound_il == pytest.approx(one.certified_bound_il, rel=1e-3)
    assert other.sse == pytest.approx(one.sse * scale**2)
    check(other, scale * POINTS, COLOURS, 3)


def test_points_whose_squares_vanish_end_without_a_fault() -> None:
    """SST itself is 0 in double precision."""
    result = solve(1e-200 * POINTS, COLOURS, 3)
    assert_feasible(result.labels, COLOURS, 3)
    assert result.sst == 0.0


def test_a_constant_column_changes_nothing() -> None:
    """Whatever its value."""
    wider = np.column_stack([POINTS, np.full(48, 0.1)])
    assert solve(wider, COLOURS, 3).il == pytest.approx(solve(POINTS, COLOURS, 3).il)


def test_too_many_coordinates_leave_the_bound_open() -> None:
    """Nothing is claimed that was not proved."""
    points = np.random.default_rng(4).normal(size=(40, 8))
    result = solve(points, np.arange(40) % 8, 3)
    check(result, points, np.arange(40) % 8, 3)
    assert result.status == "feasible"
    assert result.gap is result.lower_bound_il is result.lp_bound_il is result.certificate is None
    paper = solve(points, np.arange(40) % 8, 3, method="paper")
    assert paper.lower_bound_il is None


def test_the_names_of_the_colours_do_not_matter() -> None:
    """Lists, small integers, huge numbers: the same partition."""
    expected = solve(POINTS, COLOURS, 3).labels.tolist()
    for colours in (COLOURS.tolist(), COLOURS.astype(np.uint8), COLOURS * 10**12):
        assert solve(POINTS.tolist(), colours, 3).labels.tolist() == expected


@pytest.mark.parametrize("seed", range(3))
def test_normalised_points_have_mean_zero_and_unit_spread(seed: int) -> None:
    """One scale for all coordinates, so that distances keep their ratios."""
    rng = np.random.default_rng(seed)
    points = 7.0 + 1e-3 * rng.normal(size=(30, 2)) * [1.0, 5.0]
    values = normalised(points)
    np.testing.assert_allclose(values.mean(axis=0), 0.0, atol=1e-9)
    assert (values**2).mean() == pytest.approx(1.0)
    assert np.ptp(values, axis=0) / np.ptp(points, axis=0) == pytest.approx(
        np.ptp(values[:, 0]) / np.ptp(points[:, 0])
    )


# --- limits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("limit", [0.0, 0.5])
def test_a_deadline_leaves_a_feasible_partition(method: str, limit: float) -> None:
    """Even when it is over at once."""
    result = solve(POINTS, COLOURS, 3, method=method, time_limit=limit, effort=None)
    check(result, POINTS, COLOURS, 3)
    assert result.seconds < limit + 20


def test_a_deadline_ends_an_endless_effort() -> None:
    """Whichever limit comes first."""
    points, colours = np.random.default_rng(3).normal(size=(450, 3)), np.arange(450) % 9
    result = solve(points, colours, 4, effort=10**7, time_limit=2.0)
    check(result, points, colours, 4)
    assert result.seconds < 30


@pytest.mark.parametrize("options", [{"effort": 10**7}, {"effort": None, "time_limit": 600.0}])
def test_a_cancelled_run_returns_its_incumbent(options: dict[str, Any]) -> None:
    """Cancelled by the third report."""
    token, reports = CancelToken(), []

    def watch(report: Progress) -> None:
        reports.append(report)
        if len(reports) == 3:
            token.cancel()

    points, colours = np.random.default_rng(3).normal(size=(450, 3)), np.arange(450) % 9
    result = solve(points, colours, 4, progress=watch, cancel=token, **options)
    check(result, points, colours, 4)
    assert result.seconds < 60
    assert len(reports) >= 3


def test_a_gap_that_is_reached_ends_the_run() -> None:
    """Long before its deadline."""
    result = solve(POINTS, COLOURS, 3, gap=0.5, effort=None, time_limit=300.0)
    assert result.gap is not None
    assert result.gap <= 0.5
    assert result.seconds < 100


def test_reports_have_falling_losses_and_rising_bounds() -> None:
    """As they come from two threads, compared with the result only."""
    reports: list[Progress] = []
    result = solve(POINTS, COLOURS, 3, progress=reports.append)
    assert {report.phase for report in reports} >= {"start", "descent", "annealing", "linear relaxation"}
    for report in reports:
        assert report.incumbent_il is not None
        assert report.incumbent_il >= result.il
        assert report.bound_il is None or report.bound_il <= result.il * (1 + 1e-12)
        assert report.gap is None or 0 <= report.gap <= 1


# --- refusals --------------------------------------------------------------------------------------------------


def test_too_few_different_values_are_named() -> None:
    """One row, or any number of rows of two values, whatever the most frequent one is."""
    for colours in ([0], [0, 1] * 6):
        with pytest.raises(InfeasibleError, match=f"needs 3 .* only {len(set(colours))}$"):
            partition(np.zeros((len(colours), 2)), np.array(colours), 3)


def test_a_colour_that_is_too_frequent_is_refused_with_its_count() -> None:
    """And the limit it exceeds."""
    colours = np.concatenate([np.zeros(17, int), 1 + np.arange(31)])
    with pytest.raises(InfeasibleError, match=r"48 rows.* 17 times, more than 48/3 = 16"):
        solve(POINTS, colours, 3)


def test_a_cap_that_no_number_of_classes_meets_is_refused() -> None:
    """47 points in classes of 3."""
    with pytest.raises(InfeasibleError, match="47 rows into classes of 3 to 3 members"):
        solve(POINTS[:47], COLOURS[:47], 3, max_class_size=3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "no method 'magic'.*optimise"),
        ({"start": "paper"}, "no start 'paper'.*tau"),
        ({"subsets": 0}, "subsets must be at least 1"),
        ({"solver": "abacus"}, "abacus"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"effort": 0}, "effort must be"),
        ({"effort": None, "time_limit": -1.0}, "time limit must be"),
        ({"effort": None, "time_limit": float("nan")}, "time limit must be"),
        ({"gap": 1.0}, "gap must be"),
        ({"gap": -0.1}, "gap must be"),
        ({"max_class_size": 2}, r"must lie in m\.\.2m-1 = 3\.\.5"),
        ({"max_class_size": 6}, r"must lie in m\.\.2m-1 = 3\.\.5"),
        ({"max_class_size": 0}, "largest class size"),
        ({"seed": -1}, "seed must be"),
    ],
)
@pytest.mark.parametrize("method", ["tau", "optimise"])
def test_options_out_of_range_are_refused(method: str, options: dict[str, Any], words: str) -> None:
    """By every method, used or not."""
    with pytest.raises(UsageError, match=words):
        solve(POINTS, COLOURS, 3, **{"method": method, **options})


@pytest.mark.parametrize(
    ("points", "colours", "m", "words"),
    [
        (POINTS[:, 0], COLOURS, 3, "two-dimensional"),
        (POINTS, COLOURS[:-1], 3, "48 points but 47 colours"),
        (np.where(POINTS > 1, np.nan, POINTS), COLOURS, 3, "points must be finite"),
        (np.where(POINTS > 1, np.inf, POINTS), COLOURS, 3, "points must be finite"),
        (POINTS, COLOURS - 1, 3, "colours must be whole numbers, 0 or more"),
        (POINTS, COLOURS / 2, 3, "colours must be whole numbers, 0 or more"),
        (POINTS, COLOURS.astype(str), 3, "colours must be whole numbers, 0 or more"),
        (POINTS, COLOURS, 0, "m must be at least 1"),
    ],
)
def test_arrays_that_are_no_problem_are_refused(points: Any, colours: Any, m: int, words: str) -> None:
    """In one line."""
    with pytest.raises(UsageError, match=words) as caught:
        solve(points, colours, m)
    assert "\n" not in str(caught.value)


def test_effort_limits_the_papers_programs_by_nodes_and_a_clock_by_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A limit of time would make the result depend on the machine."""
    limits: list[tuple[float, int | None]] = []
    original = paper.choose_partition

    def record(*arguments: Any, time_limit: float, node_limit: int | None, **options: Any) -> Any:
        limits.append((time_limit, node_limit))
        return original(*arguments, time_limit=time_limit, node_limit=node_limit, **options)

    monkeypatch.setattr(paper, "choose_partition", record)
    points, colours = np.random.default_rng(2).normal(size=(24, 2)), np.arange(24) % 6
    partition(points, colours, 3, method="paper", workers=1, effort=2)
    partition(points, colours, 3, method="paper", workers=1, time_limit=30)
    (endless, nodes), (seconds, unlimited) = limits
    assert np.isinf(endless)
    assert nodes == 200
    assert seconds <= 60
    assert unlimited is None
