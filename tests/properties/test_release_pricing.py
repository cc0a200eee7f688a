"""Pricing with required signatures against brute force: every cluster of tiny releases is tried."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from coloured_clusters import squared_error
from hypothesis import given, settings
from hypothesis import strategies as st
from small_releases import Cluster, feasible_release_clusters, random_release

from minv.instance import Instance, Rows
from minv.pricing.box import BoxPricer
from minv.pricing.protocol import Columns, PricingResult, PricingStatus
from minv.pricing.release import ReleasePricer
from minv.pricing.signature import SignaturePricer
from minv.stopping import CancelToken, Stop

TOLERANCE = 1e-7
ROUNDING = 1e-10
many = settings(max_examples=250)


def release_pricer(instance: Instance) -> ReleasePricer:
    """Of our searches."""

    def free(points: np.ndarray, colours: np.ndarray) -> BoxPricer:
        return BoxPricer(points, colours, instance.m, instance.max_size, tolerance=TOLERANCE)

    signature = partial(SignaturePricer, tolerance=TOLERANCE)
    return ReleasePricer(instance, free, signature, tolerance=TOLERANCE)


def reduced_costs(instance: Instance, duals: np.ndarray, counterfeits: bool) -> dict[Cluster, float]:
    """Of every cluster of rows, by the definition."""
    rows: Rows = instance.rows
    clusters = feasible_release_clusters(
        rows.colours, rows.required, instance.signatures, instance.m, instance.max_size
    )
    return {
        cluster: squared_error(rows.points, cluster.members)
        - float(duals[list(cluster.members)].sum())
        - cluster.counterfeits * duals[-1]
        for cluster in clusters
        if counterfeits or not cluster.counterfeits
    }


def clusters_of(columns: Columns, rows: int) -> list[Cluster]:
    """The columns found; the row after the last is a counterfeit."""
    parts = np.split(columns.members, columns.starts[1:-1]) if columns.number else []
    return [Cluster(tuple(sorted(part[part < rows].tolist())), int((part == rows).sum())) for part in parts]


@st.composite
def problems(draw: st.DrawFn) -> tuple[Instance, np.ndarray, bool]:
    """A release, duals of the size of a cluster's cost, and whether there may be counterfeits."""
    seed = draw(st.integers(0, 2**32 - 1))
    instance = random_release(
        seed,
        draw(st.integers(2, 10)),
        m=draw(st.integers(2, 3)),
        dimension=draw(st.integers(1, 3)),
        grid=draw(st.booleans()),
    )
    height = draw(st.sampled_from([0.05, 0.5, 2.0, 20.0]))
    rng = np.random.default_rng(seed)
    duals = height * rng.normal(0.7, 0.6, len(instance.rows.points) + 1)
    duals[-1] = -height * draw(st.sampled_from([0.0, 0.2, 1.0, 3.0]))
    return instance, duals, draw(st.booleans())


def price(problem: tuple[Instance, np.ndarray, bool]) -> PricingResult:
    instance, duals, counterfeits = problem
    instance = replace(instance, counterfeits=int(counterfeits))
    return release_pricer(instance).price(duals, Stop())


@many
@given(problems())
def test_no_cluster_violates_the_repaired_duals(problem: tuple[Instance, np.ndarray, bool]) -> None:
    """They are at most the given ones, and every cluster's reduced cost is at least -slack."""
    instance, duals, counterfeits = problem
    before = duals.copy()
    result = price(problem)
    np.testing.assert_array_equal(duals, before)
    assert result.status is PricingStatus.OPTIMAL
    assert result.repaired is not None
    assert (result.repaired <= duals).all()
    least = min(reduced_costs(instance, result.repaired, counterfeits).values(), default=np.inf)
    assert least >= -result.slack - ROUNDING


@many
@given(problems())
def test_columns_are_feasible_and_found_wherever_there_are_any(
    problem: tuple[Instance, np.ndarray, bool],
) -> None:
    """With their counterfeits and costs; the bound is below the least reduced cost."""
    instance, duals, counterfeits = problem
    true = reduced_costs(instance, duals, counterfeits)
    result = price(problem)
    found = clusters_of(result.columns, len(instance.rows.points))
    for cluster, cost in zip(found, result.columns.costs, strict=True):
        assert true[cluster] < 0
        assert cost == pytest.approx(squared_error(instance.rows.points, cluster.members), abs=1e-9)
    least = min(true.values(), default=np.inf)
    assert result.bound <= least + ROUNDING
    assert (result.columns.number > 0) == (least < -TOLERANCE) or abs(least) <= TOLERANCE
    assert result.best_reduced_cost == pytest.approx(min((true[c] for c in found), default=np.inf), abs=1e-9)


@many
@given(problems(), st.floats(0.0, 1.0))
def test_columns_below_lists_exactly_the_clusters_below(
    problem: tuple[Instance, np.ndarray, bool], share: float
) -> None:
    """Under repaired duals, as the engine calls it; each at least once, none that is dearer."""
    instance, duals, counterfeits = problem
    instance = replace(instance, counterfeits=int(counterfeits))
    pricer = release_pricer(instance)
    repaired = pricer.price(duals, Stop()).repaired
    assert repaired is not None
    true = reduced_costs(instance, repaired, counterfeits)
    ordered = np.sort(np.array(list(true.values()) or [0.0]))
    threshold = max(0.0, float(ordered[int(share * (len(ordered) - 1))])) + 1e-6
    if (np.abs(ordered - threshold) < ROUNDING).any():
        threshold += 10 * ROUNDING
    expected = {cluster for cluster, value in true.items() if value <= threshold}
    listed = pricer.columns_below(repaired, threshold, 50 * len(true) + 1, Stop())
    assert listed is not None
    assert set(clusters_of(listed, len(instance.rows.points))) == expected
    for cluster, cost in zip(clusters_of(listed, len(instance.rows.points)), listed.costs, strict=True):
        assert cost == pytest.approx(squared_error(instance.rows.points, cluster.members), abs=1e-9)
    if expected:
        assert pricer.columns_below(repaired, threshold, len(expected) - 1, Stop()) is None


def test_a_signature_takes_a_free_row_or_a_counterfeit_whichever_is_cheaper() -> None:
    """One old point at 0 and a free one at 2: together they cost 2, against the price of a counterfeit."""
    instance = Instance(np.array([[0.0], [2.0]]), np.array([0, 1]), 2, 0, np.array([0, -1]), ((0, 1),))
    # Rows are sorted by required signature: the free one is the first.
    for dual, mu, members in [(1.0, 0.1, [1, 2]), (1.5, 2.0, [0, 1])]:
        result = price((instance, np.array([dual, dual, -mu]), True))
        assert sorted(result.columns.members.tolist()) == members


def test_free_rows_alone_make_no_cluster_of_a_signature() -> None:
    """The cheapest choice at the centre has no point that requires the signature: an anchor takes its place."""
    points = np.array([[0.0], [0.0], [3.0]])
    instance = Instance(points, np.array([0, 1, 0]), 2, 0, np.array([-1, -1, 0]), ((0, 1),))
    result = price((instance, np.array([0.2, 0.2, 5.0, -9.0]), True))
    assert result.repaired is not None
    assert all(2 in cluster.members or not cluster.counterfeits for cluster in clusters_of(result.columns, 3))
    assert reduced_costs(instance, result.repaired, True)[Cluster((1, 2), 0)] >= -TOLERANCE


def test_a_cancelled_search_claims_nothing() -> None:
    token = CancelToken()
    token.cancel()
    instance = random_release(3, 9)
    pricer = release_pricer(instance)
    result = pricer.price(np.ones(len(instance.rows.points) + 1), Stop(cancel=token))
    assert result.status is PricingStatus.LIMIT
    assert result.repaired is None
    assert result.bound == -np.inf
