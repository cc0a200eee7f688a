"""Interval trees nest, whatever the numbers."""

from itertools import pairwise

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
    tree = Intervals.of_widths(0, 100, (5, 10, 20)).hierarchy(np.array([37.0, 40.0, 100.0, 99.5, 37.0]))
    assert ancestors(tree, 37) == ["37", "[35, 40)", "[30, 40)", "[20, 40)", "*"]
    assert ancestors(tree, 40) == ["40", "[40, 45)", "[40, 50)", "[40, 60)", "*"]
    assert ancestors(tree, 100) == ["100", "[95, 100]", "[90, 100]", "[80, 100]", "*"]
    assert tree.labels[: tree.leaves] == ("37", "40", "99.5", "100")


def test_a_level_that_spans_the_domain_is_the_root():
    tree = Intervals.of_widths(0, 8, (4, 8)).hierarchy(np.array([1.0, 7.0]))
    assert ancestors(tree, 1) == ["1", "[0, 4)", "*"]


def test_numbers_outside_the_domain_are_counted():
    with pytest.raises(DataError, match="2 of 3 numbers lie outside"):
        Intervals.of_widths(0, 10, (5,)).hierarchy(np.array([5.0, 11.0, np.nan]))


def test_levels_of_bounds_and_their_shares():
    tree = Intervals(((0, 18, 65, 120), (0, 18, 120))).hierarchy(np.array([17.5, 18, 64, 65, 120]))
    assert ancestors(tree, 17.5) == ["17.5", "[0, 18)", "*"]
    assert ancestors(tree, 64) == ["64", "[18, 65)", "[18, 120]", "*"]
    assert ancestors(tree, 120) == ["120", "[65, 120]", "[18, 120]", "*"]
    shares = dict(zip(tree.labels, tree.penalties, strict=True))
    assert shares["[18, 65)"] == pytest.approx(47 / 120)
    assert shares["[18, 120]"] == pytest.approx(102 / 120)
    assert (shares["*"], shares["64"]) == (1, 0)


def test_a_last_interval_may_be_shorter():
    levels = Intervals.of_widths(0, 93, (10, 40))
    assert levels.bounds == ((0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 93), (0, 40, 80, 93))


def test_a_bound_next_to_the_upper_end_is_that_end():
    assert Intervals.of_widths(0, 1, (1 / 3,)).bounds == ((0, 1 / 3, 2 / 3, 1),)
    assert Intervals.of_widths(0, 9.95, (1,)).bounds[0] == (*range(10), 9.95)


def test_bounds_add_up_as_decimals():
    """As floats, three times 0.1 lies above 0.3, which would then be published below its interval."""
    tree = Intervals.of_widths(0, 1, (0.1,)).hierarchy(np.array([0.3, 0.7, 1.0]))
    assert ancestors(tree, 0.3) == ["0.3", "[0.3, 0.4)", "*"]
    assert ancestors(tree, 0.7) == ["0.7", "[0.7, 0.8)", "*"]
    assert ancestors(tree, 1) == ["1", "[0.9, 1]", "*"]


def test_bounds_that_floats_do_not_tell_are_one():
    assert Intervals.of_widths(2.0**53, 2.0**53 + 4, (0.5, 1)).bounds[0] == tuple(
        2.0**53 + offset for offset in (0, 2, 4)
    )


@given(
    cuts=st.lists(st.integers(-20, 20), min_size=2, max_size=9, unique=True),
    drops=st.lists(st.sets(st.integers(1, 7)), max_size=3),
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=8),
)
def test_the_common_node_is_the_smallest_interval_around_all_numbers(cuts, drops, shares):
    """Against a look at every interval of every level; open and closed ends decide."""
    levels = [sorted(cuts)]
    for drop in drops:
        last = len(levels[-1]) - 1
        levels.append([bound for place, bound in enumerate(levels[-1]) if place not in drop or place == last])
    low, high = levels[0][0], levels[0][-1]
    numbers = np.array([round(low + (high - low) * share, 1) for share in shares])
    tree = Intervals(tuple(map(tuple, levels))).hierarchy(numbers)
    candidates = [
        (last - first, f"[{first}, {last}{']' if last == high else ')'}")
        for ends in levels
        for first, last in pairwise(ends)
        if ((first <= numbers) & ((numbers < last) | ((numbers == last) & (last == high)))).all()
    ]
    width, label = min(candidates, default=(high - low, "*"))
    if width == high - low:
        label = "*"
    if len(set(numbers.tolist())) == 1:
        width, label = 0, number_text(numbers[0])
    node = tree.common_ancestors(np.array([0]), np.array([tree.leaves - 1]))[0]
    assert tree.labels[node] == label
    assert tree.penalties[node] == pytest.approx(width / (high - low))


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
    tree = Intervals.of_widths(low, high, tuple(widths)).hierarchy(numbers)
    leaves = np.array([float(text) for text in tree.labels[: tree.leaves]])
    assert leaves.tolist() == np.unique(numbers).tolist()
    assert tree.height <= len(widths) + 1
