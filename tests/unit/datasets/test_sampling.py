"""Samples are drawn without replacement, by seed alone, from frames with any index."""

import numpy as np
import pandas as pd
import pytest

from minv_datasets import (
    DataError,
    UsageError,
    complete_rows,
    eligible_samples,
    is_eligible,
    load_adult,
    sample,
)


def table(n=60):
    return pd.DataFrame({"x": np.arange(n), "colour": [f"c{i % 5}" for i in range(n)]})


def test_sample_draws_without_replacement():
    drawn = sample(table(), 40, seed=3)
    assert drawn["x"].is_unique
    assert drawn.index.equals(pd.RangeIndex(40))
    joined = drawn.merge(table(), on="x")
    assert (joined["colour_x"] == joined["colour_y"]).all()


def test_sample_depends_on_the_seed_and_on_positions_only():
    """The same seed draws the same rows whatever the index says; another seed draws others."""
    shuffled_index = table().set_index(np.random.default_rng(0).permutation(60) // 2)
    pd.testing.assert_frame_equal(sample(table(), 30, 7), sample(shuffled_index, 30, 7))
    assert sample(table(), 30, 7)["x"].tolist() != sample(table(), 30, 8)["x"].tolist()


def test_every_row_is_equally_likely():
    """Over 600 seeds each of 60 rows is drawn 100 times, give or take five standard deviations."""
    hits = np.zeros(60)
    for seed in range(600):
        hits[sample(table(), 10, seed)["x"]] += 1
    assert np.abs(hits - 100).max() < 5 * np.sqrt(600 * (1 / 6) * (5 / 6))


@pytest.mark.parametrize("n", [-1, 61])
def test_impossible_sizes(n):
    with pytest.raises(UsageError, match="cannot be drawn from 60"):
        sample(table(), n, 1)


def test_complete_rows_of_adult():
    """30,162 rows have no question mark (the repository's own count)."""
    adult = load_adult()
    assert len(complete_rows(adult)) == 30_162
    assert len(complete_rows(adult, ["age", "occupation"])) == 32_561 - 1_843


@pytest.mark.parametrize("backend", ["numpy", "nullable", "arrow"])
def test_complete_rows_knows_all_kinds_of_missing(backend):
    frame = pd.DataFrame({"a": [1.0, None, 3.0, 4.0], "b": ["x", "y", "?", "z"]}, index=[5, 5, 1, 0])
    if backend == "nullable":
        frame = frame.convert_dtypes()
    elif backend == "arrow":
        frame = frame.convert_dtypes(dtype_backend="pyarrow")
    kept = complete_rows(frame)
    assert kept["b"].tolist() == ["x", "z"]
    assert kept.index.equals(pd.RangeIndex(2))


def test_eligible_means_no_value_above_one_mth():
    values = pd.Series(["a"] * 2 + ["b", "c"])
    assert is_eligible(values, 2)
    assert not is_eligible(values, 3)
    assert not is_eligible(pd.Series(["a", None, None]), 2)


def test_eligible_samples_are_those_seeds_in_order():
    """Exactly the seeds 1, 2, ... that pass, none skipped, and their samples unchanged."""
    frame = pd.DataFrame({"x": range(300), "colour": ["big"] * 75 + [f"c{i}" for i in range(225)]})
    found = dict(eligible_samples(frame, "colour", n=60, m=4, count=10))
    expected = [
        seed for seed in range(1, max(found) + 1) if is_eligible(sample(frame, 60, seed)["colour"], 4)
    ]
    assert list(found) == expected
    assert len(found) == 10
    assert max(found) > 10, "some sample should have been refused"
    pd.testing.assert_frame_equal(found[expected[0]], sample(frame, 60, expected[0]))


def test_eligible_samples_gives_up_on_a_hopeless_table():
    frame = pd.DataFrame({"colour": ["a"] * 9 + ["b"]})
    with pytest.raises(DataError, match="5-eligible"):
        list(eligible_samples(frame, "colour", n=10, m=5, count=1))
    with pytest.raises(UsageError, match="no column"):
        eligible_samples(frame, "color", n=10, m=5, count=1)
