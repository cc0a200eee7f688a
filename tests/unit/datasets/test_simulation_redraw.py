"""Another value than the present one, with the frequencies of the table."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from minv_datasets.simulation.redraw import Redraw


def test_frequencies_among_the_other_values():
    """From a: b and c as 1 to 3. Within five standard deviations over 4,000 draws."""
    frame = pd.DataFrame({"x": ["a"] * 5 + ["b"] + ["c"] * 3})
    drawn = Redraw(frame, ["x"]).draw(np.zeros(4000, np.int64), np.random.default_rng(1))
    counts = Counter(frame["x"].to_numpy()[drawn])
    assert set(counts) == {"b", "c"}
    assert abs(counts["b"] - 1000) < 5 * np.sqrt(4000 * 0.25 * 0.75)


@pytest.mark.parametrize(
    "values", [["a", "b", "a", "c"], [1, 2, 2, 3], [1.0, None, 2.0, None], ["b", "a", None, "b"]]
)
def test_never_the_same_value(values):
    """Missing is a value like any other."""
    frame = pd.DataFrame({"x": values})
    rows = np.tile(np.arange(4), 200)
    drawn = Redraw(frame, ["x"]).draw(rows, np.random.default_rng(2))
    codes = pd.factorize(frame["x"], use_na_sentinel=False)[0]
    assert (codes[rows] != codes[drawn]).all()
    for row in range(4):
        assert set(codes[drawn[rows == row]]) == set(codes) - {codes[row]}


def test_a_group_is_one_value():
    """Rows that differ in one column of the group differ."""
    frame = pd.DataFrame({"x": [1, 1, 2], "y": [1, 2, 2]})
    drawn = Redraw(frame, ["x", "y"]).draw(np.zeros(500, np.int64), np.random.default_rng(3))
    assert set(drawn) == {1, 2}


@pytest.mark.parametrize(("values", "possible"), [([1, 1], False), ([1, 2], True), ([None, None], False)])
def test_possible_means_two_different_values(values, possible):
    assert Redraw(pd.DataFrame({"x": values}), ["x"]).possible is possible


def test_categories_that_do_not_occur_are_not_drawn():
    frame = pd.DataFrame({"x": pd.Categorical(["a", "b"], categories=["a", "unused", "b"])})
    redraw = Redraw(frame, ["x"])
    assert set(redraw.draw(np.zeros(100, np.int64), np.random.default_rng(4))) == {1}
