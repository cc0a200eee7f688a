"""The ways to partition a bucket, against what their rules say on small tables."""

import itertools

import numpy as np
import pytest

from minv.heuristics.halving import split_by_halving
from minv.heuristics.ordering import unit_domain
from minv.heuristics.perimeter import split_by_perimeter
from minv.heuristics.shuffle import split_at_random

SPLITS = [split_by_perimeter, split_by_halving, split_at_random]


def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_keeps_every_slot_in_the_row_of_its_colour(split):
    points = rng().normal(size=(12, 2))
    table = np.arange(12).reshape(3, 4)
    table[1, 3] = -1
    arranged = split(points, table, rng())
    assert (np.sort(arranged, axis=1) == np.sort(table, axis=1)).all()
    assert table[0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("split", SPLITS)
def test_no_attributes_or_equal_points_are_no_difficulty(split):
    for points in (np.zeros((6, 0)), np.ones((6, 2))):
        arranged = split(points, np.arange(6).reshape(2, 3), rng())
        assert sorted(arranged.ravel()) == list(range(6))


def perimeter(points, slots):
    real = points[slots[slots >= 0]]
    extents = real.max(axis=0) - real.min(axis=0) if len(real) else np.zeros(points.shape[1])
    return slots.shape[1] * extents.sum()


def best_first_cut(points, table):
    """The least cost over all attributes and cuts, each colour sorted by the attribute (any tie order)."""
    costs = []
    for attribute, cut in itertools.product(range(points.shape[1]), range(1, table.shape[1])):
        keys = np.where(table >= 0, points[table, attribute], np.inf)
        ordered = np.take_along_axis(table, np.argsort(keys, axis=1, kind="stable"), axis=1)
        costs.append(perimeter(points, ordered[:, :cut]) + perimeter(points, ordered[:, cut:]))
    return min(costs)


def test_the_perimeter_split_takes_the_cheapest_cut_first():
    """A first cut separates columns: some cut of the result costs the least of all."""
    for seed in range(30):
        points = np.random.default_rng(seed).normal(size=(15, 2)) * [1, 30]
        table = np.arange(15).reshape(3, 5)
        if seed % 2:
            table[2, 1:3] = -1
        arranged = split_by_perimeter(points, table, rng())
        scaled = unit_domain(points)
        costs = [
            perimeter(scaled, arranged[:, :cut]) + perimeter(scaled, arranged[:, cut:]) for cut in range(1, 5)
        ]
        assert min(costs) == pytest.approx(best_first_cut(scaled, table))


def test_halving_cuts_the_wider_attribute_in_the_middle():
    # In units of the domain the bucket extends further along the second attribute.
    points = np.array([[0, 0], [1, 9], [2, 1], [3, 8], [1, 1], [2, 9], [0, 8], [3, 0], [9, 0]], dtype=float)
    arranged = split_by_halving(points, np.arange(8).reshape(2, 4), rng())
    assert set(arranged[:, :2].ravel()) == {0, 2, 4, 7}


def test_counterfeits_come_last_and_have_no_extent():
    points = np.array([[0.0], [10.0], [0.0], [11.0], [11.0]])
    arranged = split_by_perimeter(points, np.array([[0, 1, 4], [2, 3, -1]]), rng())
    assert arranged.T.tolist() == [[0, 2], [1, 3], [4, -1]]


def test_random_classes_depend_on_the_source_alone():
    table = np.arange(40).reshape(2, 20)
    points = np.zeros((40, 1))
    assert (split_at_random(points, table, rng()) == split_at_random(points + 1, table, rng())).all()
    assert (
        split_at_random(points, table, rng()) != split_at_random(points, table, np.random.default_rng(6))
    ).any()
