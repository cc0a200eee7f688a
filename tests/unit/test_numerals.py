"""Numbers as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.numerals import number_text, number_texts, rewritten_numerals


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_text_reads_back_as_the_same_number(value: float) -> None:
    assert float(number_text(value)) == value


@given(st.integers(-(2**53) + 1, 2**53 - 1))
def test_whole_numbers_have_no_point_and_no_exponent(value: int) -> None:
    assert number_text(float(value)) == str(value)


@pytest.mark.parametrize(("value", "text"), [(-0.0, "0"), (0.1, "0.1"), (1e-7, "1e-07"), (1e22, "1e+22")])
def test_examples(value: float, text: str) -> None:
    assert number_text(value) == text


def test_texts_of_an_array() -> None:
    assert number_texts(np.array([1.5, 2.0, 1.5])).tolist() == ["1.5", "2", "1.5"]
    assert number_texts(np.zeros(0)).tolist() == []


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (["7", "007"], 1),
        (["007", "07"], 1),
        (["7", "7.0", " 7"], 1),
        (["007", "008"], 0),
        (["7", "8", "a7", "A7"], 0),
        (["1e3", "1000", "0x1"], 1),
        (["1_000", "1000"], 0),
        (["9007199254740993", "9007199254740992"], 0),
        (["009007199254740993", "9007199254740992"], 0),
        (["0", "00", "-0"], 1),
        (["", " "], 0),
    ],
)
def test_one_number_written_in_two_ways_is_counted(texts: list[str], count: int) -> None:
    assert len(rewritten_numerals(texts)) == count
