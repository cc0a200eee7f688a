"""What every local search promises: feasible, not worse, deterministic, nothing changed, clear refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import UsageError
from minv.localsearch import (
    Requirements,
    anneal,
    descend,
    first_improvement,
    reassign_colours,
    two_swap,
    with_clusters,
)
from minv.stopping import CancelToken, Stop


def swaps(case, **options):
    return two_swap(case.points, case.colours, case.labels, requirements=case.requirements, **options)


def first_swaps(case, **options):
    return first_improvement(
        case.points, case.colours, case.labels, requirements=case.requirements, **options
    )


def moving(search, **always):
    def run(case, **options):
        return search(
            case.points,
            case.colours,
            case.labels,
            m=case.m,
            max_size=case.max_size,
            requirements=case.requirements,
            **always,
            **options,
        )

    return run


SEARCHES = {
    "two_swap": swaps,
    "first_improvement": first_swaps,
    "anneal": moving(anneal, moves=3000, seed=5, start_temperature=3.0),
    "reassign_colours": moving(reassign_colours),
    "reassign_colours in blocks": moving(reassign_colours, block=2),
    "descend": moving(descend),
}
SIZES_KEPT = ("two_swap", "first_improvement")
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES.keys())


@every_search
@given(seed=st.integers(0, 10**6), fixed=st.booleans(), grid=st.sampled_from([0, 1, 2, 4]))
def test_labels_are_feasible_and_not_worse(tools, search, seed, fixed, grid):
    case = tools.make_case(seed, fixed=fixed, grid=grid)
    labels = search(case)
    assert tools.broken_rules(case, labels) == []
    assert tools.sse_of(case.points, labels) <= tools.sse_of(case.points, case.labels) + 1e-12


@every_search
def test_the_same_arguments_give_the_same_labels_and_stay_as_they_were(tools, search):
    for seed in range(5):
        case, twin = (tools.make_case(seed, fixed=True, grid=5) for _ in range(2))
        assert (search(case) == search(twin)).all()
        assert (case.points == twin.points).all()
        assert (case.labels == twin.labels).all()
        for mine, theirs in zip(case.requirements, twin.requirements, strict=True):
            assert (mine == theirs).all()


@every_search
def test_magnitude_and_position_of_the_points_do_not_matter(tools, search):
    """Scaling by powers of two is exact, so that even ties are broken alike."""
    for seed in range(10):
        case = tools.make_case(seed, fixed=seed % 2 == 1, grid=9)
        labels = search(case)
        for scale in (2.0**-300, 2.0**300):
            assert (search(case._replace(points=case.points * scale)) == labels).all()


@every_search
def test_a_cancelled_search_returns_the_start(tools, search):
    case = tools.make_case(3, fixed=False)
    token = CancelToken()
    token.cancel()
    assert (search(case, stop=Stop(cancel=token)) == case.labels).all()


@every_search
def test_no_points_are_no_difficulty(tools, search):
    empty = np.zeros(0, dtype=np.int64)
    case = tools.make_case(0, fixed=False)._replace(
        points=np.zeros((0, 2)), colours=empty, labels=empty, requirements=None
    )
    assert search(case).shape == (0,)


@every_search
class TestRefusals:
    def test_a_colour_twice_in_a_cluster(self, tools, search):
        case = tools.make_case(1, fixed=False)
        with pytest.raises(UsageError, match="colour their cluster holds already"):
            search(case._replace(colours=np.zeros_like(case.colours)))

    def test_arrays_of_unequal_length(self, tools, search):
        case = tools.make_case(1, fixed=False)
        with pytest.raises(UsageError, match=r"points but \d+ labels"):
            search(case._replace(labels=case.labels[:-1]))

    def test_negative_labels(self, tools, search):
        case = tools.make_case(1, fixed=False)
        with pytest.raises(UsageError, match="labels must be 0 or more"):
            search(case._replace(labels=case.labels - 1))

    def test_an_empty_cluster(self, tools, search):
        case = tools.make_case(1, fixed=False)
        with pytest.raises(UsageError, match="1 clusters that are too small"):
            search(case._replace(labels=case.labels + 1))

    def test_an_old_point_in_a_free_cluster(self, tools, search):
        case = tools.make_case(2, fixed=True)
        wanted = case.requirements._replace(required=np.zeros_like(case.requirements.required))
        with pytest.raises(UsageError, match="clusters of another signature"):
            search(case._replace(requirements=wanted))

    def test_requirements_of_another_number_of_clusters(self, tools, search):
        case = tools.make_case(2, fixed=True)
        wanted = case.requirements._replace(signature_of_cluster=np.array([-1]))
        with pytest.raises(UsageError, match="cluster signatures"):
            search(case._replace(requirements=wanted))


def test_searches_that_move_refuse_sizes_outside_their_range(tools):
    case = tools.make_case(1, fixed=False)._replace(max_size=99)
    for search in (anneal, descend):
        with pytest.raises(UsageError, match=r"m\.\.2m-1"):
            moving(search, **({"moves": 1, "seed": 1} if search is anneal else {}))(case)


@pytest.mark.parametrize("name", SIZES_KEPT)
def test_swaps_keep_the_sizes(tools, name):
    for seed in range(20):
        case = tools.make_case(seed, fixed=seed % 2 == 0)
        assert (np.bincount(SEARCHES[name](case)) == np.bincount(case.labels)).all()


def test_free_points_alone_behave_as_without_requirements(tools):
    """Requirements that require nothing change nothing."""
    for seed in range(20):
        case = tools.make_case(seed, fixed=False)
        nothing = Requirements(
            np.full(len(case.labels), -1), np.full(case.labels.max() + 1, -1), np.zeros((1, 7), dtype=bool)
        )
        for search in SEARCHES.values():
            assert (search(case) == search(case._replace(requirements=nothing))).all()


@given(seed=st.integers(0, 10**6), grid=st.sampled_from([0, 1, 3]))
def test_every_feasible_number_of_clusters_can_be_made(tools, seed, grid):
    case = tools.make_case(seed, fixed=False, grid=grid)
    largest = np.bincount(case.colours).max()
    for clusters in range(1, len(case.labels) + 1):
        possible = clusters >= largest and case.m * clusters <= len(case.labels) <= case.max_size * clusters
        arguments = case.points, case.colours, case.labels, clusters
        if not possible:
            with pytest.raises(UsageError, match=f"clusters, not {clusters}"):
                with_clusters(*arguments, m=case.m, max_size=case.max_size)
            continue
        labels = with_clusters(*arguments, m=case.m, max_size=case.max_size)
        assert labels.max() + 1 == clusters
        wanted = case._replace(labels=labels)
        assert tools.broken_rules(wanted, labels) == []


def test_the_present_number_of_clusters_changes_nothing(tools):
    case = tools.make_case(4, fixed=False)
    labels = with_clusters(
        case.points, case.colours, case.labels, case.labels.max() + 1, m=case.m, max_size=case.max_size
    )
    assert (labels == case.labels).all()
