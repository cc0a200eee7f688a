"""Published cells say exactly what is in a class, and the order of classes depends on nothing else."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.generalize import generalise, quasi_identifier_text, rank_classes, sensitive_cell, unescape
from minv.tables.microdata import Attribute
from minv.tables.roles import Kind

texts = st.text(alphabet=st.sampled_from("ab\\{}[],N é\n"), max_size=4)


def numeric(values: Sequence[float], kind: Kind = Kind.NUMERIC) -> Attribute:
    return Attribute("number", kind, np.array(values, dtype=np.float64))


def nominal(values: Sequence[str | None]) -> Attribute:
    levels = tuple(sorted({value for value in values if value is not None}))
    codes = [np.nan if value is None else levels.index(value) for value in values]
    return Attribute("name", Kind.NOMINAL, np.array(codes, dtype=np.float64), levels)


def cells(attribute: Attribute, labels: Sequence[int]) -> list[str]:
    return list(generalise(attribute, np.array(labels), max(labels) + 1))


def test_examples_of_the_format() -> None:
    nan = float("nan")
    assert cells(numeric([30, 25, 25, 41.5, nan, nan, 2, 1]), [0, 0, 1, 2, 2, 3, 4, 4]) == [
        "[25, 30]",
        "25",
        r"41.5 or \N",
        r"\N",
        "[1, 2]",
    ]
    assert cells(nominal(["b", "a", "a", None, "c", None, "b"]), [0, 0, 1, 2, 2, 3, 0]) == [
        "{a,b}",
        "a",
        r"{\N,c}",
        r"\N",
    ]


def test_missing_beside_an_interval() -> None:
    assert cells(numeric([1, float("nan"), 3]), [0, 0, 0]) == [r"[1, 3] or \N"]


def test_ordered_levels_span_intervals_in_their_own_order() -> None:
    grades = Attribute("grade", Kind.ORDINAL, np.array([2.0, 0, 1, 1]), ("low", "mid, or so", "high"))
    assert cells(grades, [0, 0, 1, 1]) == ["[low, high]", r"mid\, or so"]


def test_negative_numbers_and_exponents() -> None:
    assert cells(numeric([-5, -1, -0.0, 1e-7, 1e22, 2**53]), [0, 0, 1, 2, 3, 4]) == [
        "[-5, -1]",
        "0",
        "1e-07",
        "1e+22",
        "9007199254740992.0",
    ]


@pytest.mark.parametrize(
    ("value", "inside", "alone"),
    [
        (r"a\b", r"a\\b", r"a\\b"),
        (r"\N", r"\\N", r"\\N"),
        ("{a,b}", r"\{a\,b\}", "{a,b}"),
        ("[1, 2]", r"\[1\, 2\]", "[1, 2]"),
        ("", "", ""),
        (None, r"\N", r"\N"),
    ],
)
def test_escapes(value: str | None, inside: str, alone: str) -> None:
    assert quasi_identifier_text(value) == inside
    assert sensitive_cell(value) == alone
    assert unescape(inside) == value


@given(st.one_of(st.none(), texts))
def test_unescape_undoes_both_escapes(value: str | None) -> None:
    assert unescape(sensitive_cell(value)) == value
    assert unescape(quasi_identifier_text(value)) == value


def read_set(cell: str) -> list[str | None]:
    """Read a nominal cell by the grammar of the format, one character at a time."""
    inner = cell[1:-1] if cell.startswith("{") else cell
    return [unescape(part) for part in re.findall(r"(?:^|,)((?:\\.|[^\\,])*)", inner, re.DOTALL)]


@given(st.lists(st.tuples(st.integers(0, 3), st.one_of(st.none(), texts)), min_size=1, max_size=20))
def test_sets_read_back_as_the_values_of_the_class(rows: list[tuple[int, str | None]]) -> None:
    used = sorted({label for label, _ in rows})
    labels = [used.index(label) for label, _ in rows]
    values = [value for _, value in rows]
    for place, cell in enumerate(cells(nominal(values), labels)):
        inside = {value for label, value in zip(labels, values, strict=True) if label == place}
        assert read_set(cell) == sorted(inside, key=lambda value: (value is not None, value or ""))
        assert cell.startswith("{") == (len(inside) > 1)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(allow_nan=False, allow_infinity=False)), min_size=1))
def test_intervals_read_back_as_the_extremes_of_the_class(rows: list[tuple[int, float]]) -> None:
    used = sorted({label for label, _ in rows})
    labels = [used.index(label) for label, _ in rows]
    for place, cell in enumerate(cells(numeric([value for _, value in rows]), labels)):
        inside = [value for label, (_, value) in zip(labels, rows, strict=True) if label == place]
        ends = [float(end) for end in cell.strip("[]").split(", ")]
        assert ends == ([min(inside), max(inside)] if min(inside) < max(inside) else [min(inside)])


def test_classes_rank_by_cells_then_sensitive_values_then_counterfeits() -> None:
    first = np.array(["[2, 3]", "[10, 12]", "[2, 3]", "[2, 3]", "[2, 3]"], dtype=object)
    second = np.array(["b", "a", "a", "b", "b"], dtype=object)
    sensitive = [["y", "x"], ["x", "y"], ["x", "y"], ["x", "y"], ["w", "z"]]
    ranks = rank_classes([first, second], sensitive, np.array([1, 0, 0, 0, 0]))
    assert ranks.tolist() == [5, 1, 2, 4, 3]


@given(st.permutations(range(6)))
def test_rank_does_not_depend_on_the_order_of_classes(order: list[int]) -> None:
    column = np.array(["a", "a", "b", "b", "c", "c"], dtype=object)
    sensitive = [["x"], ["y"], ["x"], ["z"], ["x", "y"], ["x"]]
    plain = rank_classes([column], sensitive, np.zeros(6, np.int64))
    moved = rank_classes([column[order]], [sensitive[place] for place in order], np.zeros(6, np.int64))
    assert moved.tolist() == [plain[place] for place in order]
