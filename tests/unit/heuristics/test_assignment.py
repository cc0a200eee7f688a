"""The assignment rule of Xiao and Tao: alpha and beta by definition, eligibility kept, buckets balanced."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.heuristics.assignment import assign, step_size
from minv.heuristics.buckets import Bucket, Buckets, label_classes


def is_eligible(counts, m):
    return m * max(counts, default=0) <= sum(counts)


def step_by_definition(counts, m):
    """The least beta, then the greatest alpha, by trying all of them."""
    for beta in range(m, len(counts) + 1):
        for alpha in range(counts[beta - 1], 0, -1):
            rest = [count - alpha for count in counts[:beta]] + list(counts[beta:])
            if is_eligible(rest, m):
                return alpha, beta
    raise AssertionError


@st.composite
def eligible_counts(draw):
    m = draw(st.integers(1, 5))
    counts = draw(st.lists(st.integers(1, 12), min_size=m, max_size=9))
    most = max(counts)
    while not is_eligible(counts, m):
        counts.append(min(most, m * most - sum(counts)))
    return sorted(counts, reverse=True), m


@given(eligible_counts())
def test_step_size_is_the_definition(case):
    counts, m = case
    assert step_size(np.array(counts), m) == step_by_definition(counts, m)


@given(eligible_counts(), st.integers(0, 99))
def test_buckets_are_balanced_and_hold_every_point_once(case, seed):
    counts, m = case
    colours = np.repeat(np.arange(len(counts)), counts)
    buckets: Buckets = {}
    assign(colours, np.arange(len(colours)), m, buckets, np.random.default_rng(seed))
    for signature, bucket in buckets.items():
        assert m <= len(signature) <= 2 * m - 1
        for colour, row in zip(signature, bucket.table(), strict=True):
            assert (colours[row] == colour).all()
    held = np.concatenate([bucket.table().ravel() for bucket in buckets.values()])
    assert sorted(held) == list(range(len(colours)))


def test_an_open_bucket_is_reused_beside_its_counterfeits():
    """Balancing of a later release leaves buckets with counterfeits; assignment adds to them."""
    bucket = Bucket((0, 1))
    bucket.members[0] = [0]
    bucket.counterfeits[1] = 1
    buckets = {(0, 1): bucket}
    colours = np.array([0, 0, 1])
    assign(colours, np.array([1, 2]), 2, buckets, np.random.default_rng(0))
    assert list(buckets) == [(0, 1)]
    assert bucket.table().tolist() == [[0, 1], [2, -1]]


def test_an_unbalanced_bucket_has_no_table():
    bucket = Bucket((0, 1))
    bucket.members[0] = [0]
    with pytest.raises(Exception, match="balanced"):
        bucket.table()


def test_labels_skip_counterfeits_and_count_through_tables():
    tables = [np.array([[0, 1], [2, -1]]), np.array([[3], [4]])]
    assert label_classes(tables, 5).tolist() == [0, 1, 0, 2, 2]
