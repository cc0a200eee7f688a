"""Coordinates: their squared distances are the loss that docs/format.md defines."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.compiled import FloatArray
from minv.encoding import encode
from minv.errors import DataError
from minv.hierarchy import Hierarchy, flat_hierarchy
from minv.hierarchy.building import Path, tree_from_paths
from minv.tables.microdata import Attribute
from minv.tables.roles import Kind

TREE = tree_from_paths(
    [
        Path(("baker", "food", "craft", "*"), "1"),
        Path(("cook", "food", "craft", "*"), "2"),
        Path(("mason", "craft", "*"), "3"),
        Path(("clerk", "office", "*"), "4"),
        Path(("judge", "office", "*"), "5"),
    ],
    "the test",
)


def numeric(values: Sequence[float], weight: float = 1.0) -> Attribute:
    return Attribute("number", Kind.NUMERIC, np.array(values, dtype=np.float64), weight=weight)


def nominal(
    values: Sequence[str | None], hierarchy: Hierarchy | None = None, weight: float = 1.0
) -> Attribute:
    levels = tuple(sorted({value for value in values if value is not None}))
    codes = [np.nan if value is None else levels.index(value) for value in values]
    return Attribute("name", Kind.NOMINAL, np.array(codes, dtype=np.float64), levels, hierarchy, weight)


def squared_distances(points: FloatArray) -> FloatArray:
    differences = points[:, None, :] - points[None, :, :]
    return np.asarray((differences**2).sum(axis=2))


def total_variance(points: FloatArray) -> float:
    return float(points.var(axis=0).sum())


def test_numbers_are_z_scored_with_the_population_deviation() -> None:
    values = np.array([1.0, 2.0, 4.0, 9.0])
    expected = (values - values.mean()) / values.std(ddof=0)
    np.testing.assert_allclose(encode([numeric(values.tolist())])[:, 0], expected, rtol=1e-12)


def test_two_values_are_one_column() -> None:
    points = encode([nominal(["m", "f", "f", "m", "f"])])
    zero_one = np.array([1.0, 0, 0, 1, 0])
    np.testing.assert_allclose(points[:, 0], (zero_one - zero_one.mean()) / zero_one.std(), rtol=1e-12)
    assert points.shape == (5, 1)


@given(
    st.lists(st.sampled_from("abcde"), min_size=2, max_size=30).filter(lambda values: len(set(values)) > 1)
)
def test_different_values_are_at_one_common_distance(values: list[str]) -> None:
    points = encode([nominal(values)])
    distances = squared_distances(points)
    differ = np.array(values)[:, None] != np.array(values)[None, :]
    np.testing.assert_allclose(distances[~differ], 0, atol=1e-12)
    np.testing.assert_allclose(distances[differ], distances[differ][0], rtol=1e-9)
    assert total_variance(points) == pytest.approx(1)
    assert points.shape[1] == len(set(values)) - 1


def tree_distance(first: str | None, second: str | None, hierarchy: Hierarchy, extra: int) -> float:
    """Leaves under the lowest common ancestor over all leaves, straight from the definition."""
    if first == second:
        return 0.0
    total = hierarchy.leaves + extra
    if first is None or second is None:
        return 1.0
    codes = sorted(hierarchy.code_of_leaf[value] for value in (first, second))
    node = int(hierarchy.common_ancestors(np.array(codes[:1]), np.array(codes[1:]))[0])
    return float(total if node == hierarchy.root else hierarchy.leaf_counts[node]) / total


@pytest.mark.parametrize("with_missing", [False, True])
def test_hierarchy_gives_its_own_dissimilarity_as_squared_distance(with_missing: bool) -> None:
    values: list[str | None] = ["baker", "cook", "mason", "clerk", "judge", "cook", "judge"]
    values += [None] * with_missing
    points = encode([nominal(values, TREE)])
    found = squared_distances(points)
    expected = np.array([[tree_distance(a, b, TREE, with_missing) for a in values] for b in values])
    scale = found[0, 3] / expected[0, 3]
    np.testing.assert_allclose(found, scale * expected, atol=1e-12)
    assert total_variance(points) == pytest.approx(1)


def test_flat_hierarchy_is_the_same_as_none() -> None:
    values = ["a", "b", "c", "a", "c", "c"]
    with_tree = encode([nominal(values, flat_hierarchy(["a", "b", "c", "d"]))])
    np.testing.assert_allclose(
        squared_distances(with_tree), squared_distances(encode([nominal(values)])), atol=1e-12
    )


def test_missing_numbers_are_the_mean_and_a_nominal_coordinate() -> None:
    values = np.array([1.0, np.nan, 5.0, np.nan, 3.0])
    points = encode([numeric(values.tolist())])
    filled = np.array([1.0, 3.0, 5.0, 3.0, 3.0])
    flag = np.isnan(values).astype(float)
    np.testing.assert_allclose(points[:, 0], (filled - 3) / filled.std(), atol=1e-12)
    np.testing.assert_allclose(points[:, 1], (flag - flag.mean()) / flag.std(), rtol=1e-12)


def test_missing_nominal_values_are_one_value_more() -> None:
    with_missing = encode([nominal(["a", None, "b", None])])
    with_value = encode([nominal(["a", "", "b", ""])])
    np.testing.assert_allclose(squared_distances(with_missing), squared_distances(with_value), atol=1e-12)


def test_weight_multiplies_squared_distances() -> None:
    values = [1.0, 2.0, 4.0]
    light = squared_distances(encode([numeric(values)]))
    heavy = squared_distances(encode([numeric(values, weight=3.0)]))
    np.testing.assert_allclose(heavy, 3 * light, rtol=1e-12)


def test_constant_columns_contribute_nothing() -> None:
    values = [1.0, 2.0, 4.0]
    alone = encode([numeric(values)])
    among = encode([numeric([0.1] * 3), numeric(values), nominal(["x"] * 3), nominal([None] * 3)])
    np.testing.assert_array_equal(among, alone)


@pytest.mark.parametrize(
    "attributes",
    [
        [numeric([5, 5, 5])],
        [nominal(["a", "a", "a"]), numeric([1, 1, 1])],
        [numeric([np.nan] * 3)],
        [numeric([7])],
    ],
)
def test_everything_constant_is_one_column_of_zeros(attributes: list[Attribute]) -> None:
    points = encode(attributes)
    assert points.shape == (len(attributes[0].values), 1)
    assert not points.any()


def test_no_rows_are_no_points() -> None:
    assert encode([numeric([]), nominal([])]).shape == (0, 1)


@pytest.mark.parametrize(
    ("offset", "scale"),
    [(0, 1e-300), (0, 1e-9), (0, 1e250), (0, 1e306), (1e9, 1), (-1e15, 1), (2.0**52, 1), (-1e6, 2.0**-20)],
)
def test_huge_offsets_and_tiny_or_huge_scales_lose_nothing(offset: float, scale: float) -> None:
    steps = np.array([0.0, 1, 3, 7, 100])
    expected = (steps - steps.mean()) / steps.std()
    np.testing.assert_allclose(
        encode([numeric((offset + steps * scale).tolist())])[:, 0], expected, rtol=1e-9
    )


def test_opposite_ends_of_the_range_do_not_overflow() -> None:
    big = np.finfo(np.float64).max
    np.testing.assert_allclose(encode([numeric([-big, big, 0.0])])[:, 0], np.array([-1, 1, 0]) * np.sqrt(1.5))


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), st.integers(0, 3))
def test_all_pairs_of_columns_add_up(values: list[float], kinds: int) -> None:
    texts = [str(i % (kinds + 1)) for i in range(len(values))]
    together = squared_distances(encode([numeric(values), nominal(texts)]))
    apart = squared_distances(encode([numeric(values)])) + squared_distances(encode([nominal(texts)]))
    np.testing.assert_allclose(together, apart, atol=1e-9)


def test_input_is_not_changed() -> None:
    values = np.array([1.0, np.nan, 3.0])
    encode([Attribute("number", Kind.NUMERIC, values)])
    np.testing.assert_array_equal(values, [1.0, np.nan, 3.0])


def test_too_many_values_are_refused_before_memory_runs_out() -> None:
    rows = 20_000
    many = Attribute("zip", Kind.NOMINAL, np.arange(rows, dtype=np.float64), tuple(map(str, range(rows))))
    with pytest.raises(DataError, match=r"'zip' has 20000 different values"):
        encode([many])


def test_pairs_of_the_tree_cover_every_level() -> None:
    """The tree of these tests has pairs with four different ancestors, so that the test above means something."""
    ancestors = {tree_distance(a, b, TREE, 0) for a, b in combinations(TREE.code_of_leaf, 2)}
    assert ancestors == {2 / 5, 3 / 5, 1.0}
