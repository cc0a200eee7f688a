"""Columns in compressed form: taken, joined, costed, kept apart, and turned into labels."""

import numpy as np
import pytest
from coloured_clusters import squared_error

from minv.colgen.pool import (
    ColumnPool,
    columns_of_partition,
    costed,
    take,
)
from minv.colgen.rounding import labels_of_columns
from minv.instance import Instance
from minv.pricing.protocol import Columns, joined, no_columns
from minv.pricing.reduced_costs import reduced_costs, sums_over_members


def members_of(columns: Columns) -> list[list[int]]:
    """The members of each column, in their order."""
    return [part.tolist() for part in np.split(columns.members, columns.starts[1:-1])]


def random_columns(seed: int, rows: int, number: int) -> Columns:
    """Columns of two to four rows with random costs."""
    rng = np.random.default_rng(seed)
    parts = [rng.choice(rows, rng.integers(2, 5), replace=False) for _ in range(number)]
    starts = np.cumsum([0, *map(len, parts)])
    return Columns(starts, np.concatenate(parts), rng.random(number))


def test_take_returns_columns_in_the_order_asked_for() -> None:
    """With their members and costs."""
    columns = random_columns(1, 9, 6)
    taken = take(columns, np.array([4, 0, 4]))
    everything = members_of(columns)
    assert members_of(taken) == [everything[4], everything[0], everything[4]]
    assert taken.costs.tolist() == columns.costs[[4, 0, 4]].tolist()


def test_joined_columns_are_those_of_all_parts_even_with_nothing() -> None:
    """In order."""
    first, second = random_columns(1, 9, 3), random_columns(2, 9, 2)
    assert members_of(joined([first, second])) == members_of(first) + members_of(second)
    assert members_of(joined([no_columns(), second])) == members_of(second)
    assert joined([first, no_columns()]).number == 3


def test_costs_are_squared_errors_of_the_members() -> None:
    """Whatever the number of coordinates."""
    rng = np.random.default_rng(3)
    for dimension in (0, 1, 4):
        points = 1e3 + rng.normal(size=(9, dimension))
        columns = random_columns(4, 9, 5)
        expected = [squared_error(points, tuple(part)) for part in members_of(columns)]
        assert costed(points, columns.starts, columns.members).costs == pytest.approx(expected)


def test_reduced_costs_subtract_the_duals_of_the_members() -> None:
    """By the definition; and of no columns there are none."""
    columns = random_columns(5, 9, 4)
    duals = np.random.default_rng(6).normal(size=9)
    expected = [
        cost - sum(duals[part]) for part, cost in zip(members_of(columns), columns.costs, strict=True)
    ]
    assert reduced_costs(columns, duals) == pytest.approx(expected)
    assert len(sums_over_members(no_columns(), duals)) == 0


def test_the_pool_knows_a_column_whatever_the_order_of_its_members() -> None:
    """And takes it again once it has been forgotten."""
    pool = ColumnPool(6)
    first = Columns(np.array([0, 2, 5]), np.array([0, 1, 2, 3, 4]), np.array([1.0, 2.0]))
    turned = Columns(np.array([0, 3, 5]), np.array([4, 2, 3, 5, 0]), np.array([2.0, 7.0]))
    assert pool.add(first) == 2
    assert pool.add(first) == 0
    assert pool.add(turned) == 1
    assert pool.add(no_columns()) == 0
    assert members_of(pool.columns) == [[0, 1], [2, 3, 4], [5, 0]]
    pool.keep(np.array([0, 2]))
    assert members_of(pool.columns) == [[0, 1], [5, 0]]
    assert pool.add(first) == 1
    assert pool.columns.costs.tolist() == [1.0, 7.0, 2.0]


def test_a_column_that_occurs_twice_in_one_batch_is_taken_once() -> None:
    """As pricers may list a column more than once."""
    pool = ColumnPool(4)
    assert pool.add(Columns(np.array([0, 2, 4]), np.array([0, 1, 1, 0]), np.array([1.0, 1.0]))) == 1


def test_a_partition_becomes_columns_and_labels_again() -> None:
    """The same clusters up to points of one row, so the same rows in each cluster."""
    rng = np.random.default_rng(8)
    instance = Instance(rng.integers(0, 2, (20, 1)).astype(float), np.arange(20) % 4, 2)
    rows = instance.rows
    labels = rng.permutation(np.arange(20) // 4)
    columns = columns_of_partition(rows.points, rows.row_of_point, labels)
    back = labels_of_columns(columns, np.arange(columns.number), rows.row_of_point)
    for cluster in range(5):
        assert sorted(rows.row_of_point[back == cluster]) == sorted(rows.row_of_point[labels == cluster])


def test_a_column_chosen_twice_becomes_two_clusters() -> None:
    """Four points of two rows."""
    columns = Columns(np.array([0, 2]), np.array([0, 1]), np.zeros(1))
    labels = labels_of_columns(columns, np.array([0, 0]), np.array([0, 1, 1, 0]))
    assert labels.tolist() == [0, 0, 1, 1]
