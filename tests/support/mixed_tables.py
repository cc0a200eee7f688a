"""Random tables of mixed quasi-identifiers for the tests of this folder."""

import numpy as np
from hypothesis import strategies as st

from minv.hierarchy import Hierarchy, flat_hierarchy
from minv.hierarchy.building import Path, tree_from_paths
from minv.loss import Categories, Leaves, Numbers, QuasiIdentifier

SEEDS = st.integers(0, 10**6)


def random_tree(generator: np.random.Generator, leaves: int) -> Hierarchy:
    """A tree of height 3, some branches padded."""
    first, second = generator.integers(0, 3, (2, leaves))
    return tree_from_paths(
        (Path((f"v{i}", f"b{first[i]}{second[i]}", f"a{first[i]}", "*"), f"{i}") for i in range(leaves)),
        "test",
    )


def random_attributes(generator: np.random.Generator, n: int, *, ties: bool = True) -> list[QuasiIdentifier]:
    """A number, a tree, categories and a flat tree; few distinct values where ties are wanted."""
    numbers = generator.integers(0, 12, n).astype(float) if ties else generator.normal(size=n)
    leaves = int(generator.integers(2, 15))
    return [
        Numbers(numbers),
        Leaves(generator.integers(0, leaves, n), random_tree(generator, leaves)),
        Categories(generator.integers(0, 5, n), 5),
        Leaves(generator.integers(0, 3, n), flat_hierarchy(["x", "y", "z"])),
    ]


def assert_k_anonymous(labels: np.ndarray, n: int, k: int) -> None:
    """Every record has one class of at least k, numbered by first appearance."""
    assert labels.shape == (n,)
    assert labels.dtype == np.int64
    if n:
        assert np.bincount(labels).min() >= k
        _, first = np.unique(labels, return_index=True)
        assert (np.diff(first) > 0).all()
