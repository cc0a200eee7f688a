"""l-diversity of the least diverse class."""

import numpy as np
import pytest

from minv.publish.diversity import diversity


def test_the_least_diverse_class_counts():
    labels = np.array([0, 0, 0, 0, 1, 1, 1])
    colours = np.array([0, 1, 2, 3, 0, 0, 2])
    found = diversity(labels, colours)
    assert found.distinct == 2
    entropy = -(2 / 3 * np.log(2 / 3) + 1 / 3 * np.log(1 / 3))
    assert found.entropy == pytest.approx(np.exp(entropy))


def test_one_value_has_diversity_1():
    assert diversity(np.zeros(3, np.int64), np.zeros(3, np.int64)) == (1, pytest.approx(1.0))


def test_equally_frequent_values_count_as_their_number():
    assert diversity(np.zeros(5, np.int64), np.arange(5)) == (5, pytest.approx(5.0))
