"""The arrays of a tree against their definitions, on a tree drawn by hand and on random ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.hierarchy import Hierarchy, flat_hierarchy
from minv.hierarchy.building import Path, tree_from_paths
from minv.hierarchy.tree import ABSENT

EUROPE = [
    ("Bern", "CH", "Europe", "*"),
    ("Lima", "Peru", "America", "*"),
    ("Basel", "CH", "Europe", "*"),
    ("Oslo", "Europe", "Europe", "*"),
    ("Cusco", "Peru", "America", "*"),
]


def tree(paths) -> Hierarchy:
    return tree_from_paths((Path(path, f"line {i}") for i, path in enumerate(paths, 1)), "test")


@st.composite
def random_paths(draw):
    """Paths of a random tree with up to 12 leaves and 4 levels, unequal in depth."""
    leaves = draw(st.integers(1, 12))
    parts = [[0] * leaves]
    for _ in range(draw(st.integers(0, 3))):  # refine: split every part by a random label
        extra = draw(st.lists(st.integers(0, 2), min_size=leaves, max_size=leaves))
        parts.append([hash((above, own)) for above, own in zip(parts[-1], extra, strict=True)])
    cut = draw(st.lists(st.integers(1, len(parts)), min_size=leaves, max_size=leaves))
    return [
        (f"leaf{i}", *(f"node{depth}:{parts[depth][i]}" for depth in range(cut[i] - 1, -1, -1)))
        for i in draw(st.permutations(range(leaves)))
    ]


def ancestors(hierarchy: Hierarchy, node: int) -> list[int]:
    found = [node]
    while hierarchy.parents[found[-1]] != ABSENT:
        found.append(int(hierarchy.parents[found[-1]]))
    return found


def test_leaves_of_a_node_have_consecutive_codes():
    europe = tree(EUROPE)
    assert europe.labels[: europe.leaves] == ("Bern", "Basel", "Oslo", "Lima", "Cusco")
    node = europe.labels.index("CH")
    assert (europe.first_leaves[node], europe.leaf_counts[node]) == (0, 2)
    assert europe.labels[europe.root] == "*"


def test_depths_penalties_and_codes_of_the_drawn_tree():
    europe = tree(EUROPE)
    by_label = {label: node for node, label in enumerate(europe.labels)}
    assert europe.depths[by_label["Oslo"]] == 2  # the repeated label is padding
    assert europe.depths[by_label["Bern"]] == europe.height == 3
    assert europe.penalties[by_label["Europe"]] == pytest.approx(3 / 5)
    assert europe.penalties[by_label["Bern"]] == 0
    assert europe.penalties[europe.root] == 1
    assert europe.codes(["Cusco", "Rome", "Bern"]).tolist() == [4, ABSENT, 0]


@given(random_paths())
def test_arrays_of_random_trees_follow_the_definitions(paths):
    """Every array is recomputed from the parents alone."""
    hierarchy = tree(paths)
    table = hierarchy.common_ancestor_table()
    below = [
        [leaf for leaf in range(hierarchy.leaves) if node in ancestors(hierarchy, leaf)]
        for node in range(len(hierarchy.labels))
    ]
    for node, leaves in enumerate(below):
        assert leaves == list(range(leaves[0], leaves[-1] + 1))
        assert hierarchy.first_leaves[node] == leaves[0]
        assert hierarchy.leaf_counts[node] == len(leaves)
        assert hierarchy.depths[node] == len(ancestors(hierarchy, node)) - 1
    for first in range(hierarchy.leaves):
        for second in range(hierarchy.leaves):
            above = set(ancestors(hierarchy, second))
            expected = next(node for node in ancestors(hierarchy, first) if node in above)
            assert table[first, second] == expected


@given(random_paths(), st.data())
def test_the_ancestor_of_a_run_is_its_largest_neighbour_ancestor(paths, data):
    hierarchy = tree(paths)
    low = data.draw(st.integers(0, hierarchy.leaves - 1))
    high = data.draw(st.integers(low, hierarchy.leaves - 1))
    node = int(hierarchy.common_ancestors(np.array([low]), np.array([high]))[0])
    if low < high:
        run = hierarchy.neighbour_ancestors[low:high]
        assert hierarchy.leaf_counts[node] == hierarchy.leaf_counts[run].max()
        assert node in run
    else:
        assert node == low


@given(random_paths())
def test_labels_and_paths_are_recovered(paths):
    hierarchy = tree(paths)
    for path in paths:
        code = int(hierarchy.codes([path[0]])[0])
        assert [hierarchy.labels[node] for node in ancestors(hierarchy, code)] == list(path)


def test_flat_hierarchy_keeps_its_root_apart_from_a_value_called_like_it():
    flat = flat_hierarchy(["b", "*", "b", "a"])
    assert flat.labels == ("b", "*", "a", "**")
    assert flat.height == 1
    assert flat.penalties.tolist() == [0, 0, 0, 1]


@given(random_paths())
def test_path_leads_from_a_node_to_the_root(paths):
    hierarchy = tree(paths)
    for node in range(hierarchy.root + 1):
        assert hierarchy.path(node) == ancestors(hierarchy, node)
