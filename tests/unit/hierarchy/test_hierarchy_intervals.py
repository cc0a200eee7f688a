"""Interval trees nest, whatever the numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import DataError
from minv.hierarchy import Intervals
from minv.numerals import number_text


def ancestors(hierarchy, number):
    node, labels = int(hierarchy.codes([number_text(number)])[0]), []
    while node >= 0:
        labels.append(hierarchy.labels[node])
        node = int(hierarchy.parents[node])
    return labels


def test_levels_and_ends():
    tree = Intervals(0, 100, (5, 10, 20)).hierarchy(np.array([37.0, 40.0, 100.0, 99.5, 37.0]))
    assert ancestors(tree, 37) == ["37", "[35, 40)", "[30, 40)", "[20, 40)", "*"]
    assert ancestors(tree, 40) == ["40", "[40, 45)", "[40, 50)", "[40, 60)", "*"]
    assert ancestors(tree, 100) == ["100", "[95, 100]", "[90, 100]", "[80, 100]", "*"]
    assert tree.labels[: tree.leaves] == ("37", "40", "99.5", "100")


def test_a_level_that_spans_the_domain_is_the_root():
    tree = Intervals(0, 8, (4, 8)).hierarchy(np.array([1.0, 7.0]))
    assert ancestors(tree, 1) == ["1", "[0, 4)", "*"]


def test_numbers_outside_the_domain_are_counted():
    with pytest.raises(DataError, match="2 of 3 numbers lie outside"):
        Intervals(0, 10, (5,)).hierarchy(np.array([5.0, 11.0, np.nan]))


@given(
    low=st.floats(-1e3, 1e3),
    finest=st.floats(1e-2, 10),
    fan_out=st.lists(st.integers(2, 5), max_size=3),
    count=st.floats(1, 50),
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=30),
)
def test_random_interval_trees_are_trees_in_number_order(low, finest, fan_out, count, shares):
    """`tree_from_paths` refuses what is no tree; leaves under a node are consecutive numbers."""
    widths = [finest]
    for factor in fan_out:
        widths.append(widths[-1] * factor)
    high = low + finest * count
    numbers = np.clip(low + (high - low) * np.array(shares), low, high)
    tree = Intervals(low, high, tuple(widths)).hierarchy(numbers)
    leaves = np.array([float(text) for text in tree.labels[: tree.leaves]])
    assert leaves.tolist() == np.unique(numbers).tolist()
    assert tree.height <= len(widths) + 1
