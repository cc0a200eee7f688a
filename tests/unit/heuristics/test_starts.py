"""Every start is feasible, deterministic, leaves its input alone and says clearly why it cannot."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import InfeasibleError, UsageError
from minv.heuristics import classic, random_bucket, sorted_start, tau
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares

BASELINES = [classic, random_bucket, tau]


def is_partition(colours, labels, least, most):
    sizes = np.bincount(labels)
    pairs = set(zip(labels.tolist(), colours.tolist(), strict=True))
    return len(pairs) == len(colours) and sizes.min() >= least and sizes.max() <= most


@st.composite
def eligible_points(draw):
    m = draw(st.integers(1, 5))
    clusters = draw(st.integers(1, 9))
    size = draw(st.integers(m * clusters, (2 * m - 1) * clusters))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    colours = np.empty(0, dtype=np.int64)
    colour = 0
    while len(colours) < size:
        count = min(int(rng.integers(1, clusters + 1)), size - len(colours))
        colours = np.append(colours, np.full(count, colour))
        colour += 1
    grid = draw(st.sampled_from([1, 3, 1000]))
    points = rng.integers(0, grid, size=(size, draw(st.integers(0, 3)))).astype(float)
    return points, rng.permutation(colours), m, clusters


@pytest.mark.parametrize("start", BASELINES)
@given(case=eligible_points(), seed=st.integers(0, 9))
def test_baselines_make_m_unique_partitions(start, case, seed):
    points, colours, m, _ = case
    labels = start(points, colours, m, seed)
    assert is_partition(colours, labels, m, 2 * m - 1)
    assert (labels == start(points, colours, m, seed)).all()


@given(case=eligible_points(), data=st.data())
def test_sorted_start_makes_any_feasible_number_of_clusters(case, data):
    """All of (clusters, size cap) that the counts allow, and a refusal for those they do not."""
    points, colours, m, clusters = case
    cap = data.draw(st.integers(max(m, -(-len(colours) // clusters)), 2 * m - 1))
    labels = sorted_start(points, colours, m, max_size=cap, clusters=clusters)
    assert labels.max() + 1 == clusters
    assert is_partition(colours, labels, m, cap)


def test_sorted_start_refuses_a_number_of_clusters_that_cannot_be():
    points, colours = np.zeros((6, 1)), np.array([0, 0, 1, 1, 2, 2])
    for clusters in (1, 4):
        with pytest.raises(UsageError, match="has 2 to 3 clusters, not"):
            sorted_start(points, colours, 2, clusters=clusters)
    assert sorted_start(points, colours, 2, clusters=2).max() == 1


def test_sorted_start_finds_separate_groups():
    """Three groups far apart, each with every colour once, are the classes."""
    rng = np.random.default_rng(0)
    group = rng.permutation(np.repeat([0, 1, 2], 4))
    colours = np.zeros(12, dtype=np.int64)
    for each in range(3):
        colours[group == each] = rng.permutation(4)
    points = np.column_stack([100.0 * group, rng.normal(size=12)])
    labels = sorted_start(points, colours, 4)
    assert len(set(zip(group.tolist(), labels.tolist(), strict=True))) == 3


def test_sorted_start_beats_every_baseline():
    rng = np.random.default_rng(1)
    points, colours = rng.normal(size=(600, 3)), rng.integers(0, 12, size=600)
    sst = total_sum_of_squares(points)

    def loss(labels):
        return information_loss(sum_of_squared_errors(points, labels), sst)

    assert loss(sorted_start(points, colours, 4)) < 0.5 * min(
        loss(start(points, colours, 4, 0)) for start in BASELINES
    )


@pytest.mark.parametrize(
    "start", [*BASELINES, lambda points, colours, m, _: sorted_start(points, colours, m)]
)
class TestEveryStart:
    def test_a_too_frequent_colour_is_infeasible(self, start):
        with pytest.raises(InfeasibleError, match="occurs 3 times"):
            start(np.zeros((5, 1)), np.array([0, 0, 0, 1, 2]), 2, 0)

    def test_arrays_of_unequal_length_are_refused(self, start):
        with pytest.raises(UsageError, match="4 points but 3 colours"):
            start(np.zeros((4, 1)), np.array([0, 1, 2]), 2, 0)

    def test_no_points_make_no_classes(self, start):
        assert start(np.zeros((0, 2)), np.zeros(0, dtype=np.int64), 3, 0).shape == (0,)

    def test_fewest_points_make_one_class(self, start):
        assert start(np.arange(3.0)[:, None], np.arange(3), 3, 0).tolist() == [0, 0, 0]

    def test_the_input_stays_as_it_was(self, start):
        points, colours = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 6
        before = points.copy(), colours.copy()
        start(points, colours, 3, 0)
        assert (points == before[0]).all()
        assert (colours == before[1]).all()
