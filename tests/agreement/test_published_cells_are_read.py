"""What minv writes into a quasi-identifier's cell is what the judge reads there, in our format and as a stranger's."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.generalize import generalise
from minv.tables.microdata import Attribute
from minv.tables.roles import Kind
from minv_verifiers.cells.cell import Cell
from minv_verifiers.cells.dialects import parse_any, parse_categories
from minv_verifiers.cells.number import parse_number
from minv_verifiers.cells.published import OrderedParser, parse_nominal
from minv_verifiers.reading.roles import LevelParser

# Letters that are syntax in a cell, around ones that are not; a star or a tilde means something to strangers.
LETTERS = "ab7 \\{}[],'\"-N\u00e9"
VALUES = st.sets(st.text(LETTERS, max_size=5), min_size=2, max_size=6).map(sorted)


def published(kind: Kind, values: list[float], levels: tuple[str, ...] = ()) -> str:
    """The cell of one class."""
    attribute = Attribute("q", kind, np.array(values, np.float64), levels)
    return str(generalise(attribute, np.zeros(len(values), np.int64), 1)[0])


def admitted(cell: Cell, values: list[str]) -> list[str]:
    """The values that a cell admits as texts."""
    return [value for value in values if cell.admits(value, float("nan"))]


def alike(one: str, other: str) -> bool:
    """Whether a stranger's set would tell two values apart only by blanks, quotes or backslashes."""
    return one.strip(" '\"\\") == other.strip(" '\"\\")


@given(st.data())
def test_sets(data: st.DataObject) -> None:
    """A set admits its members and no other value, the empty text and escapes included."""
    levels = data.draw(VALUES)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(levels) - 1), min_size=2)))
    with_missing = data.draw(st.booleans())
    codes = [*map(float, chosen), *([float("nan")] if with_missing else [])]
    text = published(Kind.NOMINAL, codes, tuple(levels))
    members = [levels[code] for code in chosen]
    own = parse_nominal(text)
    assert admitted(own, levels) == members
    assert own.admits(None, float("nan")) is with_missing
    for read in (parse_any, parse_categories):
        cell = read(text)
        assert set(members) <= set(admitted(cell, levels))
        others = [value for value in levels if not any(alike(value, member) for member in members)]
        assert not admitted(cell, others)
        assert cell.admits(None, float("nan")) is with_missing


@given(st.text(LETTERS, max_size=6))
def test_single_values(value: str) -> None:
    """A single value is itself, whatever syntax it looks like."""
    text = published(Kind.NOMINAL, [0.0], (value,))
    assert admitted(parse_nominal(text), [value, value + "x", value + "\\", "\\" + value]) == [value]
    assert parse_categories(text).admits(value, float("nan"))
    assert not parse_categories(text).admits(value + "x", float("nan"))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4), st.booleans())
def test_intervals(values: list[float], with_missing: bool) -> None:
    """An interval ends at the least and the greatest number, and says whether values are missing."""
    values = [value + 0.0 for value in values]  # no -0, which is written 0
    text = published(Kind.NUMERIC, [*values, *([float("nan")] if with_missing else [])])
    for cell in (OrderedParser()(text), parse_any(text)):
        for value in values:
            spelled = published(Kind.NUMERIC, [value])
            assert cell.admits(spelled, float(spelled))
        for beyond in (math.nextafter(min(values), -math.inf), math.nextafter(max(values), math.inf)):
            assert not cell.admits(repr(beyond), beyond)
        assert cell.admits(None, float("nan")) is with_missing


@given(VALUES, st.data())
def test_levels(levels: list[str], data: st.DataObject) -> None:
    """Intervals of levels are read by rank, with levels that hold commas and brackets."""
    low, high = sorted(data.draw(st.tuples(*[st.integers(0, len(levels) - 1)] * 2)))
    text = published(Kind.ORDINAL, [float(low), float(high)], tuple(levels))
    ranks = {level: float(rank) for rank, level in enumerate(levels)}
    cell = OrderedParser(ranks)(text)
    assert [rank for level, rank in ranks.items() if cell.admits(level, rank)] == list(range(low, high + 1))
    if all(level == level.strip() for level in levels):
        foreign = LevelParser(ranks)(text)
        assert all(foreign.admits(levels[rank], float(rank)) for rank in (low, high))


NUMERALS = st.one_of(
    st.integers(-(2**70), 2**70).map(str),
    st.tuples(st.integers(2**53 - 3, 2**53 + 3), st.sampled_from(["", ".0", ".5", ".25"])).map(
        lambda parts: f"{parts[0]}{parts[1]}"
    ),
    st.decimals(allow_nan=False, allow_infinity=False, places=20, min_value=-2, max_value=2).map(
        lambda number: format(number, "f")
    ),
)


@given(NUMERALS, NUMERALS, NUMERALS)
@pytest.mark.filterwarnings("error")
def test_numbers_are_compared_as_they_are_written(low: str, high: str, value: str) -> None:
    """An interval admits exactly the numbers between its ends, where floats would round them together."""
    number = parse_number(value)
    assert number is not None
    truth = Fraction(value)
    if Fraction(low) <= Fraction(high):
        inside = Fraction(low) <= truth <= Fraction(high)
        assert parse_any(f"[{low}, {high}]").admits(value, number) is inside
        assert parse_any(f"[{low}, {high})").admits(value, number) is (inside and truth < Fraction(high))
    assert parse_any(low).admits(value, number) is (Fraction(low) == truth)
    same = Fraction(low) == Fraction(high)
    assert (parse_any(f">={low}").normal == parse_any(f">={high}").normal) is same
