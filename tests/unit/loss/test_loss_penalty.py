"""NCP against the paper's worked figures and against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import DataError
from minv.hierarchy import flat_hierarchy
from minv.hierarchy.building import Path, tree_from_paths
from minv.loss import Categories, CertaintyPenalty, Leaves, Loss, MixedRecords, Numbers
from minv.loss.records import span_penalties, span_penalty

ALL = np.zeros(2, np.int64)  # both records in one class


def diseases():
    """Eight leaves, two of them under `acquired`."""
    return tree_from_paths(
        [
            *(Path((f"d{i}", "acquired", "*"), f"{i}") for i in range(2)),
            *(Path((f"d{i}", "innate", "*"), f"{i}") for i in range(2, 8)),
        ],
        "test",
    )


def random_tree(generator: np.random.Generator, leaves: int):
    first = generator.integers(0, 3, leaves)
    second = generator.integers(0, 3, leaves)
    return tree_from_paths(
        (Path((f"v{i}", f"b{first[i]}{second[i]}", f"a{first[i]}", "*"), f"{i}") for i in range(leaves)),
        "test",
    )


def penalty_by_definition(attribute: Numbers | Leaves | Categories, members: np.ndarray) -> float:
    """Recompute the loss of one cell of the class of `members`, straight from the definition."""
    if isinstance(attribute, Numbers):
        inside = attribute.values[members]
        return float((inside.max() - inside.min()) / (attribute.values.max() - attribute.values.min()))
    codes = set(attribute.codes[members].tolist())
    if len(codes) == 1:
        return 0.0
    if isinstance(attribute, Categories):
        return len(codes) / attribute.count
    tree = attribute.hierarchy

    def leaves_below(node: int) -> set[int]:
        below = [child for child in range(len(tree.labels)) if tree.parents[child] == node]
        return {node} if not below else set().union(*(leaves_below(child) for child in below))

    covers = [leaves_below(node) for node in range(len(tree.labels))]
    return min(len(cover) for cover in covers if codes <= cover) / tree.leaves


def test_an_age_of_forty_published_as_forty_to_fifty_loses_a_tenth():
    records = MixedRecords([Numbers(np.array([40.0, 50.0]), low=0, high=100)])
    assert CertaintyPenalty(records).per_record(ALL) == pytest.approx([0.1, 0.1])


def test_a_value_published_as_a_node_of_two_of_eight_leaves_loses_a_quarter():
    tree = diseases()
    records = MixedRecords([Leaves(tree.codes(["d0", "d1"]), tree)])
    assert CertaintyPenalty(records).per_record(ALL) == pytest.approx([0.25, 0.25])
    assert CertaintyPenalty(records).total(np.array([0, 1])) == 0


def test_one_class_of_everything_loses_everything():
    tree = diseases()
    codes = np.arange(8)
    records = MixedRecords([Leaves(codes, tree), Numbers(codes.astype(float))])
    loss: Loss = CertaintyPenalty(records)
    assert loss.normalised(np.zeros(8, np.int64)) == pytest.approx(1)
    assert loss.normalised(np.arange(8)) == 0


def test_a_set_of_two_of_five_values_loses_two_fifths():
    records = MixedRecords([Categories(np.array([0, 4]), 5)])
    assert CertaintyPenalty(records).per_record(ALL) == pytest.approx([0.4, 0.4])


@given(st.integers(1, 200), st.integers(0, 10**6))
def test_range_maxima_of_huge_domains_agree_with_whole_tables(leaves, seed):
    generator = np.random.default_rng(seed)
    tree = random_tree(generator, leaves)
    joins = tree.penalties[tree.neighbour_ancestors]
    low, high = np.sort(generator.integers(0, leaves, (2, 50)), axis=0)
    small, large = span_penalties([joins]), span_penalties([joins], largest_table=0)
    for first, last in zip(low, high, strict=True):
        expected = span_penalty(float(first), float(last), 0, *small)
        assert span_penalty(float(first), float(last), 0, *large) == expected


@given(st.integers(0, 10**6))
def test_every_cell_follows_the_definition(seed):
    generator = np.random.default_rng(seed)
    n, leaves = int(generator.integers(1, 30)), int(generator.integers(1, 40))
    attributes = [
        Numbers(np.append(generator.normal(size=n), [-5.0, 5.0])[: n + 2]),
        Leaves(generator.integers(0, leaves, n + 2), random_tree(generator, leaves)),
        Leaves(generator.integers(0, 3, n + 2), flat_hierarchy(["x", "y", "z"])),
        Categories(generator.integers(0, 52, n + 2), 52),
    ]
    labels = generator.integers(0, max(1, n // 3), n + 2)
    expected = np.empty((n + 2, 4))
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        expected[members] = [penalty_by_definition(attribute, members) for attribute in attributes]
    loss = CertaintyPenalty(MixedRecords(attributes))
    assert loss.cells(labels) == pytest.approx(expected)
    assert loss.per_record(labels) == pytest.approx(expected.sum(axis=1))
    assert loss.per_attribute(labels) == pytest.approx(expected.sum(axis=0))
    assert loss.total(labels) == pytest.approx(expected.sum())
    assert 0 <= loss.normalised(labels) <= 1


def test_a_constant_number_and_gaps_in_the_labels_cost_nothing():
    records = MixedRecords([Numbers(np.array([3.0, 3.0, 3.0]))])
    assert CertaintyPenalty(records).total(np.array([0, 4, 4])) == 0


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ([], "at least one"),
        ([Numbers(np.zeros(2)), Numbers(np.zeros(3))], "differ in length"),
        ([Numbers(np.array([1.0, np.nan, np.inf]))], "2 numbers are missing or not finite"),
        ([Numbers(np.array([1.0, 7.0]), low=0, high=5)], "1 of 2 numbers lies outside"),
        ([Leaves(np.array([0, 3]), flat_hierarchy(["a", "b"]))], "some codes are no values"),
        ([Categories(np.array([-1, 0]), 2)], "some codes are no values"),
        ([Categories(np.array([0, 1]), 53)], "53 categories are too many"),
    ],
)
def test_unusable_attributes_are_refused(attributes, message):
    with pytest.raises(DataError, match=message):
        MixedRecords(attributes)
