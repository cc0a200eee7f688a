"""Samples of the paper's sizes."""

import numpy as np
import pandas as pd
import pytest

from minv.errors import DataError
from minv.reproduce.samples import DESIGNS, Design, draw_samples
from minv.tables.frame import FrameSource
from minv.tables.roles import QuasiIdentifier

DESIGN = Design((QuasiIdentifier("age"),), ("occupation", "occ"), rows=20, most_m=3)


def table(rows: int = 200, sensitive: str = "occ") -> pd.DataFrame:
    """A table in which some samples of 20 rows are 3-eligible and some are not."""
    rng = np.random.default_rng(5)
    values = rng.choice(["a", "b", "c", "d"], size=rows, p=[0.3, 0.3, 0.2, 0.2])
    return pd.DataFrame({"age": rng.integers(18, 80, rows), sensitive: values})


def test_samples_are_those_of_the_first_eligible_seeds() -> None:
    """The definition, applied by hand to the same draws."""
    frame = table()
    expected = []
    for seed in range(1, 100):
        rows = np.random.default_rng(seed).permutation(len(frame))[:20]
        if frame["occ"].iloc[rows].value_counts().max() <= 20 / 3:
            expected.append(seed)
    drawn = draw_samples(FrameSource(frame), DESIGN, 5)
    assert expected[:5] != [1, 2, 3, 4, 5]
    assert [sample.seed for sample in drawn] == expected[:5]
    assert all(np.bincount(sample.colours).max() * 3 <= 20 for sample in drawn)


def test_points_are_z_scored_within_the_sample() -> None:
    """As in the paper: mean 0, population variance 1."""
    (sample,) = draw_samples(FrameSource(table()), DESIGN, 1)
    assert sample.points.shape == (20, 1)
    assert sample.points.mean() == pytest.approx(0, abs=1e-12)
    assert (sample.points**2).mean() == pytest.approx(1)


def test_either_name_of_the_sensitive_column_will_do() -> None:
    """IPUMS extracts call it occupation, ACS files occ."""
    first = draw_samples(FrameSource(table(sensitive="occ")), DESIGN, 1)[0]
    second = draw_samples(FrameSource(table(sensitive="occupation")), DESIGN, 1)[0]
    np.testing.assert_array_equal(first.colours, second.colours)


def test_rows_with_a_missing_value_are_left_out() -> None:
    """A question mark or an empty cell in a column with a role."""
    frame = table(40)
    frame.loc[:9, "occ"] = "?"
    frame["age"] = frame["age"].astype("Int64").mask(frame.index == 10)
    complete = frame.iloc[11:].assign(age=lambda f: f["age"].astype("int64"))
    first = draw_samples(FrameSource(frame), DESIGN, 1)[0]
    second = draw_samples(FrameSource(complete), DESIGN, 1)[0]
    assert first.seed == second.seed
    np.testing.assert_array_equal(first.points, second.points)


def test_too_few_rows_are_refused() -> None:
    """With both counts."""
    with pytest.raises(DataError, match="15 complete rows, but a sample has 20"):
        draw_samples(FrameSource(table(15)), DESIGN, 1)


def test_a_table_without_eligible_samples_is_refused() -> None:
    """Not searched for ever."""
    frame = table().assign(occ="a")
    with pytest.raises(DataError, match="3-eligible"):
        draw_samples(FrameSource(frame), DESIGN, 1)


def test_the_designs_are_the_papers() -> None:
    """Section 6: 1500 users of Adult, 1000 of IPUMS."""
    assert {name: design.rows for name, design in DESIGNS.items()} == {"adult": 1500, "ipums": 1000}
