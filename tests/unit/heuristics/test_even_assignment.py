"""Classes whose sizes differ by at most one, and the published starts under a size cap."""

import numpy as np
import pytest
from coloured_clusters import assert_feasible
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import InfeasibleError
from minv.heuristics import classic, random_bucket, tau
from minv.heuristics.buckets import Buckets, label_classes
from minv.heuristics.even_assignment import assign_evenly


@given(st.lists(st.integers(0, 6), min_size=1, max_size=7), st.integers(0, 5), st.integers(0, 100))
def test_sizes_differ_by_at_most_one(counts: list[int], more: int, seed: int) -> None:
    """Whatever the frequencies, with any number of classes from the largest of them to the number of points."""
    colours = np.repeat(np.arange(len(counts)), counts)
    classes = min(max(counts) + more, len(colours))
    if not len(colours):
        return
    buckets: Buckets = {}
    assign_evenly(colours, np.arange(len(colours)), classes, buckets, np.random.default_rng(seed))
    labels = label_classes([bucket.table() for bucket in buckets.values()], len(colours))
    sizes = np.bincount(labels)
    assert len(sizes) == classes
    assert sizes.max() - sizes.min() <= 1
    assert len(set(zip(labels.tolist(), colours.tolist(), strict=True))) == len(colours)


@pytest.mark.parametrize("start", [classic, random_bucket, tau])
@pytest.mark.parametrize(("m", "max_size"), [(2, 2), (3, 3), (3, 4), (4, 5), (4, 7)])
def test_published_starts_keep_to_a_size_cap(start, m, max_size) -> None:
    rng = np.random.default_rng(m)
    colours = np.arange(120) % 9
    labels = start(rng.normal(size=(120, 2)), colours, m, 1, max_size=max_size)
    assert_feasible(labels, colours, m, max_size)


def test_a_cap_that_no_partition_keeps() -> None:
    with pytest.raises(InfeasibleError, match="into classes of 3 to 3"):
        tau(np.zeros((7, 1)), np.arange(7), 3, 0, max_size=3)
