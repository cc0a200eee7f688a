"""Published cells: our own grammar, read strictly, and the dialects of others."""

import math

import pytest

from minv_verifiers.cells.cell import Anything, Interval, Masked, ValueSet
from minv_verifiers.cells.dialects import parse_any, parse_categories
from minv_verifiers.cells.published import OrderedParser, parse_nominal, parse_sensitive
from minv_verifiers.reading.roles import LevelParser


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("[20, 30]", [20, 25, 30], [19.9, 30.1]),
        ("[20, 30)", [20, 29], [30]),
        ("[20, 30[", [20, 29], [30]),
        ("(20, 30]", [21, 30], [20]),
        ("]20; 30]", [21, 30], [20]),
        ("[20,30]", [20, 30], [31]),
        ("19-33", [19, 33], [18, 34]),
        ("19 - 33", [19, 33], [34]),
        ("19\u201333", [19, 33], [18]),
        ("-5--1", [-5, -1], [-6, 0, 5]),
        ("-5-1", [-5, 1], [2]),
        ("17~24", [17, 24], [25]),
        ("1..4", [1, 4], [5]),
        ("20 to 30", [20, 30], [31]),
        ("1,000-2,000", [1000, 2000], [999, 1]),
        ("[1,000, 2,000]", [1000, 2000], [999]),
        ("[1,000,2,000]", [1000, 2000], [999]),
        ("[1,200]", [1, 200], [1200]),
        ("1.5-2.5", [1.5, 2.5], [1.4]),
        ("1e3-2e3", [1000, 2000], [2001]),
        ("<30", [29, -1000], [30]),
        ("<=30", [30], [31]),
        (">= 30", [30, 1e9], [29]),
        ("\u226530", [30], [29]),
        ("7", [7], [8]),
        ("7.0", [7], [8]),
    ],
)
def test_numeric_dialects(text: str, inside: list[float], outside: list[float]) -> None:
    """Each dialect admits what it means and nothing else."""
    cell = parse_any(text)
    assert all(cell.admits(repr(number), number) for number in inside)
    assert not any(cell.admits(repr(number), number) for number in outside)


@pytest.mark.parametrize(
    "text", ["United-States", "10-5", "a-b", "2020-01-02", "[x, y]", "", "-", "3-", "(5)"]
)
def test_what_is_no_range_is_a_value(text: str) -> None:
    """A hyphen makes no range by itself."""
    cell = parse_any(text)
    assert isinstance(cell, ValueSet)
    assert cell.admits(text, math.nan)
    assert not cell.admits("something else", math.nan)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("{a,b}", ["a", "b"], ["c", "a,b"]),
        ("{a, b}", ["a", "b"], [" b"]),
        ("{'a', \"b\"}", ["a", "b"], ["'a'"]),
        ("Bachelors~Masters", ["Bachelors", "Masters", "Bachelors~Masters"], ["Bachelors~"]),
        ("81***", ["81234", "81abc"], ["8123", "812345", "82123"]),
        ("8*", ["81"], ["8", "812"]),
        ("*", ["anything", ""], []),
        ("a", ["a"], ["A"]),
    ],
)
def test_categorical_dialects(text: str, inside: list[str], outside: list[str]) -> None:
    """Sets, masks and suppression mean the values that they stand for."""
    for cell in (parse_any(text), *([parse_categories(text)])):
        assert all(cell.admits(value, math.nan) for value in inside)
        assert not any(cell.admits(value, math.nan) for value in outside)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("{a\\,b,c}", ["a,b", "c"], ["a\\", "b", "a"]),
        ("{\\{x\\},y}", ["{x}", "y"], ["x"]),
        ("{a\\\\,b}", ["a\\", "b"], ["a", "a\\,b"]),
        ("{ a,b}", [" a", "a", "b"], [" b"]),
        ("{\\N,a}", [None, "a"], ["\\N"]),
        ("\\{a\\,b\\}", ["{a,b}"], ["a", "b"]),
        ("a\\\\b", ["a\\b", "a\\\\b"], ["ab"]),
        ("\\N", [None, "\\N"], ["N", ""]),
        ("C:\\dir", ["C:\\dir"], ["C:dir"]),
    ],
)
def test_escapes_of_our_format_are_undone(
    text: str, inside: list[str | None], outside: list[str | None]
) -> None:
    """A published set of ours that is read as a stranger's holds the values themselves."""
    for cell in (parse_any(text), parse_categories(text)):
        assert all(cell.admits(value, math.nan) for value in inside)
        assert not any(cell.admits(value, math.nan) for value in outside)


def test_an_escaped_text_and_a_plain_one_are_two_classes() -> None:
    """A stranger's backslash may be meant: undoing escapes makes no class larger."""
    assert parse_categories("a\\\\b").normal != parse_categories("a\\b").normal


@pytest.mark.parametrize("text", ["[1, 5] or \\N", "1-5 or \\N", "1 or \\N"])
def test_intervals_with_missing_values(text: str) -> None:
    """What our format writes behind an interval admits a missing value."""
    cell = parse_any(text)
    assert cell.admits(None, math.nan)
    assert cell.admits("1", 1.0)
    assert not cell.admits("6", 6.0)
    assert not parse_any(text.removesuffix(" or \\N")).admits(None, math.nan)


def test_a_nominal_column_has_no_ranges() -> None:
    """A code that looks like a range is a value where the column is nominal."""
    assert parse_categories("19-33").admits("19-33", math.nan)
    assert not parse_categories("19-33").admits("20", 20.0)


@pytest.mark.parametrize(
    ("one", "other"), [("[20, 30)", "[20,30["), ("19-33", "[19, 33]"), ("{a,b}", "{b, a}"), ("7", "7 ")]
)
def test_spellings_of_one_meaning_are_one_class(one: str, other: str) -> None:
    """Classes are made by meaning, not by blanks (a value with blanks is another value)."""
    assert (parse_any(one).normal == parse_any(other).normal) is (one != "7")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("7", Interval(7, 7)),
        ("-0.5", Interval(-0.5, -0.5)),
        ("[1, 2.5]", Interval(1, 2.5)),
        ("[-3, -1]", Interval(-3, -1)),
        ("[1, 2] or \\N", Interval(1, 2, missing=True)),
        ("[7, 7] or \\N", Interval(7, 7, missing=True)),
        ("7 or \\N", Interval(7, 7, missing=True)),
        ("\\N", ValueSet(frozenset([None]))),
    ],
)
def test_own_numeric_cells(text: str, cell: object) -> None:
    """The grammar of docs/format.md, section 1, for numbers."""
    assert OrderedParser()(text) == cell


@pytest.mark.parametrize(
    "text",
    [
        *("7.0", "07", "+7", " 7", "7 ", "1,000", "nan", "-0", "x", "", "1_0", "7 or"),
        *("[1,2]", "[1, 2", "[2, 1]", "[1, 1]", "[1, 2, 3]", "[1.0, 2]", "[1;2]", "(1, 2]", "[\\N, 2]"),
        *("[1, 2]or \\N", "\\N or \\N", "{1,2}", "1e3", "0.10"),
    ],
)
def test_own_numeric_cells_refused(text: str) -> None:
    """Whatever is not the one canonical spelling is refused."""
    with pytest.raises(ValueError, match=r".+"):
        OrderedParser()(text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a", ["a"]),
        ("a b", ["a b"]),
        ("", [""]),
        ("\\N", [None]),
        ("\\\\N", ["\\N"]),
        ("{a,b}", ["a", "b"]),
        ("{,a}", ["", "a"]),
        ("{\\N,a}", [None, "a"]),
        ("{a\\,b,c}", ["a,b", "c"]),
        ("\\{a\\}", ["{a}"]),
        ("\\[1\\, 2\\]", ["[1, 2]"]),
        ("{a\\\\,b}", ["a\\", "b"]),
        ("\u00e9", ["\u00e9"]),
    ],
)
def test_own_nominal_cells(text: str, values: list[str | None]) -> None:
    """The grammar of docs/format.md, section 1, for nominal columns, escapes included."""
    assert parse_nominal(text) == ValueSet(frozenset(values))


@pytest.mark.parametrize(
    "text", ["{a}", "{b,a}", "{a,a}", "{a,b", "a,b", "a}", "[a", "a\\", "\\x", "{}", "{a,\\N}"]
)
def test_own_nominal_cells_refused(text: str) -> None:
    """Unsorted, repeated or single sets and stray special characters are refused."""
    with pytest.raises(ValueError, match=r".+"):
        parse_nominal(text)


def test_own_ordinal_cells_follow_the_levels() -> None:
    """The interval of an ordinal column of text runs over its levels."""
    parse = OrderedParser({"low": 0.0, "mid, or so": 1.0, "high": 2.0})
    assert parse("[low, high]") == Interval(0, 2)
    assert parse("[low, mid\\, or so]") == Interval(0, 1)
    for wrong in ("[high, low]", "[low, top]", "top"):
        with pytest.raises(ValueError, match=r".+"):
            parse(wrong)


def test_sensitive_cells_escape_the_backslash_only() -> None:
    """Braces and commas stay as they are; a single backslash is refused."""
    assert parse_sensitive("{a,b}") == ValueSet(frozenset(["{a,b}"]))
    assert parse_sensitive("a\\\\b") == ValueSet(frozenset(["a\\b"]))
    with pytest.raises(ValueError, match="backslash"):
        parse_sensitive("a\\b")


def test_levels_of_others() -> None:
    """Ranges of levels are read in the usual notations, and unknown texts as values."""
    parse = LevelParser({"low": 0.0, "mid": 1.0, "high": 2.0})
    assert parse("low-mid") == parse("[low, mid]") == Interval(0, 1)
    assert parse("mid") == Interval(1, 1)
    assert parse("*") == Anything()
    assert parse("hi***") == Masked("hi", 3)
    assert parse("top").admits("top", math.nan)
    escaped = LevelParser({"low": 0.0, "mid, or so": 1.0})
    assert escaped("[low, mid\\, or so]") == escaped("[low, mid, or so]") == Interval(0, 1)
    assert escaped("mid\\, or so") == Interval(1, 1)
    assert escaped("[low, mid\\, or so] or \\N") == Interval(0, 1, missing=True)


TWIN = 2**53  # 2^53 and 2^53 + 1 are one float


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"[{TWIN}, {TWIN}]", f"[{TWIN}, {TWIN + 1}]"),
        (f"<{TWIN}", f"<{TWIN + 1}"),
        (str(TWIN), str(TWIN + 1)),
        ("[0.1, 1]", "[0.10000000000000000001, 1]"),
        ("[1e400, 1e402]", "[1e401, 1e402]"),
        ("2024-05-01", "2024-05-02"),
        ("true", "1"),
        ("01", "1"),
    ],
)
def test_cells_that_floats_take_for_one_stay_apart(one: str, other: str) -> None:
    """Two meanings never make one class because a float rounds them."""
    assert parse_any(one).normal != parse_any(other).normal


def test_spellings_of_a_long_number_are_one() -> None:
    """Exactness is about numbers, not about their spelling."""
    assert parse_any(f"[0, {TWIN + 1}]").normal == parse_any(f"[0, {TWIN + 1}.00]").normal
    assert parse_any("[0.1, 1]").normal == parse_any("[0.1000000000000000000, 1]").normal
    assert parse_any(f"{TWIN + 1}-{TWIN}").normal == f"values False ['{TWIN + 1}-{TWIN}']"
