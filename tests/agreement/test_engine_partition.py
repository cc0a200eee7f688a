"""`partition` against brute force, its certificates against every cluster, its workers against each other."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest
from coloured_clusters import assert_feasible, feasible_clusters, least_sse, squared_error
from cuts_by_definition import penalty_of
from hypothesis import given, settings
from hypothesis import strategies as st

from minv.errors import InfeasibleError
from minv.loss import total_sum_of_squares
from minv.publish import annealing
from minv.publish.certificate import Certificate
from minv.publish.partition import partition
from minv.publish.result import Partition

ROUNDING = 1e-9


@pytest.fixture(scope="module", autouse=True)
def short_annealing() -> Iterator[None]:
    """A unit of effort anneals for 10 000 moves, enough for these tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annealing, "MOVES_A_UNIT", 10_000)
        yield


class Table(NamedTuple):
    """A few coloured points; not always eligible."""

    points: np.ndarray
    colours: np.ndarray
    m: int
    max_size: int


@st.composite
def tables(draw: st.DrawFn, most: int = 9) -> Table:
    """Ties, duplicates, far offsets, and groups that are tiny beside their distance."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m = draw(st.integers(3, most)), draw(st.integers(1, 3))
    dimension = draw(st.integers(1, 4))
    kind = draw(st.sampled_from(["normal", "grid", "groups", "offset"]))
    points = rng.normal(size=(n, dimension))
    if kind == "grid":
        points = rng.integers(0, 3, (n, dimension)).astype(float)
    elif kind == "groups":
        points = 1e-4 * points + rng.integers(0, 2, (n, dimension))
    elif kind == "offset":
        points = 1e3 * points + 1e6
    colours = rng.integers(0, draw(st.integers(m, n + m)), n)
    return Table(points, colours, m, draw(st.integers(m, 2 * m - 1)))


@settings(max_examples=50)
@given(tables())
def test_small_tables_are_solved_to_the_proved_optimum(table: Table) -> None:
    """Or refused exactly where brute force finds no partition either."""
    points, colours, m, cap = table
    optimum = least_sse(points, colours, m, cap)
    try:
        result = partition(points, colours, m, max_class_size=cap, effort=5, workers=1)
    except InfeasibleError:
        assert optimum == np.inf
        return
    assert_feasible(result.labels, colours, m, cap)
    sst = total_sum_of_squares(points)
    assert result.sse == pytest.approx(optimum, rel=2e-6, abs=1e-11 * sst)
    assert result.status == "optimal"
    for bound in (result.lp_bound_il, result.lower_bound_il, result.certified_bound_il):
        assert bound is None or bound / 100 * sst <= optimum * (1 + ROUNDING) + 1e-12 * sst


def check_certificate(certificate: Certificate, points: np.ndarray, colours: np.ndarray) -> None:
    """What docs/certificate.md says, with every cluster priced by its definition."""
    types = certificate.types
    count = len(certificate.duals)
    assert sorted(set(types.tolist())) == list(range(count))
    first = np.array([np.flatnonzero(types == t)[0] for t in range(count)])
    np.testing.assert_array_equal(points[first][types], points)
    np.testing.assert_array_equal(colours[first][types], colours)
    cuts, penalties = certificate.cuts
    assert (penalties >= 0).all()
    for members in feasible_clusters(colours[first], certificate.m, certificate.max_size):
        reduced = squared_error(points[first], members) - certificate.duals[list(members)].sum()
        reduced += penalty_of(certificate.cuts, members)
        assert reduced >= -certificate.slack
    sizes = np.bincount(types)
    claim = float(sizes @ certificate.duals) - len(points) // certificate.m * certificate.slack
    claim -= float(((sizes[cuts.rows] * cuts.numerators).sum(axis=1) // cuts.denominators) @ penalties)
    assert certificate.bound <= claim + ROUNDING * abs(claim)


def certified(result: Partition, points: np.ndarray) -> Certificate:
    """The certificate, which proves what the result calls certified."""
    assert result.certificate is not None
    assert result.certified_bound_il is not None
    assert result.certificate.bound / total_sum_of_squares(points) * 100 == pytest.approx(
        result.certified_bound_il, rel=1e-9
    )
    return result.certificate


@pytest.mark.parametrize("method", ["optimise", "paper"])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 300.0])
def test_certificates_hold_for_every_cluster_in_the_units_of_the_points(method: str, scale: float) -> None:
    """Of 26 points, some of them twice, at m = 2 and 3 with and without a cap."""
    rng = np.random.default_rng(round(scale))
    points = scale * (5.0 + rng.normal(size=(26, 2)))
    points[20:] = points[:6]
    colours = np.concatenate([np.arange(20) % 7, np.arange(6) % 7])
    for m, cap in [(2, 3), (3, 5), (3, 4)]:
        result = partition(points, colours, m, max_class_size=cap, method=method, effort=30, workers=1)
        certificate = certified(result, points)
        assert (certificate.m, certificate.max_size) == (m, cap)
        check_certificate(certificate, points, colours)


def test_some_certificates_need_cuts() -> None:
    """Three pairs of a triangle, taken half each, are what only a cut forbids: of 12 tables some show it."""
    cut = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        points, colours = rng.normal(size=(12, 2)), rng.permutation(12) % 6
        result = partition(points, colours, 3, effort=40, workers=1)
        assert result.lower_bound_il is not None
        if result.certificate is not None and len(result.certificate.cuts.penalties):
            cut += 1
            check_certificate(result.certificate, points, colours)
            assert result.certified_bound_il > (result.lp_bound_il or 0)
            assert result.certificate.bound <= least_sse(points, colours, 3) * (1 + ROUNDING)
    assert cut > 0


def facts(result: Partition) -> tuple[object, ...]:
    """All that must not depend on the machine."""
    return (
        result.labels.tolist(),
        result.il,
        result.lp_bound_il,
        result.lower_bound_il,
        result.certified_bound_il,
        [(step.name, step.il) for step in result.steps],
    )


@pytest.mark.parametrize(("n", "effort"), [(60, 3), (420, 3)])
def test_the_number_of_workers_changes_nothing(n: int, effort: int) -> None:
    """Neither labels nor bounds; more than 400 points are re-optimised in neighbourhoods."""
    rng = np.random.default_rng(n)
    points, colours = rng.normal(size=(n, 3)), rng.permutation(n) % 9
    one = partition(points, colours, 3, effort=effort, workers=1, seed=4)
    two = partition(points, colours, 3, effort=effort, workers=2, seed=4)
    with ThreadPoolExecutor(2) as pool:
        threads = partition(points, colours, 3, effort=effort, seed=4, executor=pool)
    assert facts(one) == facts(two) == facts(threads)
    assert ("neighbourhoods" if n > 400 else "closing") in {step.name for step in one.steps}


def test_a_gap_to_stop_at_does_not_make_an_effort_depend_on_the_clock() -> None:
    """The same three times."""
    rng = np.random.default_rng(7)
    points, colours = rng.normal(size=(60, 2)), rng.permutation(60) % 9
    runs = [partition(points, colours, 3, effort=25, gap=0.04, workers=1) for _ in range(3)]
    assert facts(runs[0]) == facts(runs[1]) == facts(runs[2])


@pytest.mark.parametrize("method", ["classic", "random-bucket", "tau", "two-swap", "paper"])
def test_other_methods_repeat_themselves(method: str) -> None:
    """With one seed; another one gives another partition where chance has a part in the result."""
    rng = np.random.default_rng(11)
    points, colours = rng.normal(size=(80, 3)), rng.permutation(80) % 9
    first, again, other = (
        partition(points, colours, 3, method=method, subsets=2, effort=1, workers=1, seed=seed)
        for seed in (1, 1, 2)
    )
    assert facts(first) == facts(again)
    assert first.labels.tolist() != other.labels.tolist()
