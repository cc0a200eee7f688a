"""Quasi-identifiers are compared as they stand: nothing is equal because a float, a dtype or a format rounds it."""

import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from minv_verifiers import verify

BIG = 2**53

PAIRS: list[tuple[str, Any, Any]] = [
    ("integers beyond 2^53", BIG, BIG + 1),
    ("decimals", Decimal("0.10"), Decimal("0.1000000000000000000001")),
    ("decimals as text", "0.1", "0.10000000000000000000001"),
    ("integers as text", str(BIG), str(BIG + 1)),
    ("booleans and numbers", True, 1),
    ("booleans", True, False),
    ("dates", datetime.date(2024, 5, 1), datetime.date(2024, 5, 2)),
    ("times of one day", pd.Timestamp("2024-05-01"), pd.Timestamp("2024-05-01") + pd.Timedelta(1, "ns")),
    ("text and blanks", "a", "a "),
    ("codes", "01", "1"),
    ("missing and the empty text", None, ""),
]


def frame_of(values: Any, **columns: Any) -> pd.DataFrame:
    """Two people with each of two values."""
    return pd.DataFrame({"id": range(4), "q": values, "disease": list("abab"), **columns})


ROLES: dict[str, Any] = {"quasi_identifiers": ["q"], "sensitive": "disease", "person": "id"}


@pytest.mark.parametrize(("first", "second"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
@pytest.mark.parametrize("kind", ["", ":numeric", ":nominal"])
def test_values_that_differ_make_two_classes(first: Any, second: Any, kind: str) -> None:
    """Rows with different values are no class of four, and rows of one class may not carry both."""
    column = pd.Series([first, first, second, second], dtype=object)
    roles = {**ROLES, "quasi_identifiers": [f"q{kind}"]}
    report = verify(frame_of(column), **roles, m=4, model="k-anonymous")
    assert report.violated == ("k-anonymity",)
    assert report.measures[0].smallest_class == 2
    within = verify(frame_of(column, group=1), **roles, class_id="group", m=2, model="k-anonymous")
    assert within.violated == ("quasi-identifiers-equal",)
    assert within.outcome("quasi-identifiers-equal").witnesses[0].rows == (3, 4)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([BIG, BIG, BIG + 1, BIG + 1]),
        pd.Series([BIG, BIG, BIG + 1, BIG + 1], dtype="Int64"),
        pd.Series([BIG, BIG, BIG + 1, BIG + 1], dtype="int64[pyarrow]"),
        pd.Series([BIG, BIG, BIG + 1, BIG + 1], dtype="category"),
        pd.Series(np.array([2**64 - 2, 2**64 - 2, 2**64 - 1, 2**64 - 1], np.uint64)),
        pd.Series(pd.array([Decimal("1.1")] * 2 + [Decimal("1.10000000000000000001")] * 2, "object")),
        pd.Series(pa.array([Decimal("1.10")] * 2 + [Decimal("1.11")] * 2).to_pandas()),
    ],
    ids=["int64", "Int64", "arrow", "category", "uint64", "decimal", "arrow decimal"],
)
def test_no_dtype_rounds(column: pd.Series) -> None:
    """Nullable, Arrow, categorical and unsigned integers keep all their digits."""
    assert verify(frame_of(column), **ROLES, m=4, model="k-anonymous").violated == ("k-anonymity",)


@pytest.mark.parametrize(
    ("cell", "true"),
    [
        (str(BIG), BIG + 1),
        (f"[0, {BIG}]", BIG + 1),
        (f"({BIG}, {BIG + 5}]", BIG),
        ("0.1", "0.10000000000000000000001"),
    ],
)
def test_a_cell_does_not_contain_its_float_twin(cell: str, true: Any) -> None:
    """The true value next to a published end is outside, however a float rounds it."""
    published = frame_of([cell] * 4)
    original = frame_of(pd.Series([true] * 4, dtype=object))
    report = verify(published, **ROLES, m=2, model="k-anonymous", tables=[original])
    assert report.violated == ("cells-contain-truth",)
    assert len(report.outcome("cells-contain-truth").witnesses) == 4


def test_a_cell_contains_its_own_end_in_any_spelling() -> None:
    """Exactness rejects no true value."""
    published = frame_of([f"[0.5, {BIG + 1}]"] * 4)
    original = frame_of(["0.50", str(BIG), f"{BIG + 1}.0", "7"])
    assert verify(published, **ROLES, m=2, model="k-anonymous", tables=[original]).passed
