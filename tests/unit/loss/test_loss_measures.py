"""Losses of partitions small enough to be worked out by hand."""

import numpy as np
import pytest

from minv.loss import AverageClassSize, Discernibility, Loss, SquaredErrors

LABELS = np.array([0, 0, 3, 3, 3])  # classes of 2 and 3; 1 and 2 are empty


def test_squared_errors_are_shares_of_the_single_class():
    loss: Loss = SquaredErrors(np.array([[0.0], [2.0], [10.0], [11.0], [12.0]]))
    assert loss.total(LABELS) == pytest.approx(2 + 2)
    assert loss.total(np.zeros(5, np.int64)) == pytest.approx(49 + 25 + 9 + 16 + 25)
    assert loss.normalised(LABELS) == pytest.approx(4 / 124)


def test_discernibility_adds_squared_sizes():
    loss: Loss = Discernibility()
    assert loss.total(LABELS) == 4 + 9
    assert loss.normalised(LABELS) == pytest.approx(13 / 25)


def test_average_class_size_ignores_empty_labels():
    loss: Loss = AverageClassSize()
    assert loss.total(LABELS) == 2.5
    assert loss.normalised(LABELS) == 0.5


@pytest.mark.parametrize("loss", [SquaredErrors(np.zeros((0, 2))), Discernibility(), AverageClassSize()])
def test_an_empty_table_loses_nothing(loss):
    nothing = np.zeros(0, np.int64)
    assert loss.total(nothing) == loss.normalised(nothing) == 0
