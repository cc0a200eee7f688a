"""The ways in which other tools write a generalised cell, read without asking for more than the text."""

import math
import re
from dataclasses import replace

from minv_verifiers.cells.cell import Anything, Cell, Interval, Masked, ValueSet
from minv_verifiers.cells.number import Number, read_number
from minv_verifiers.cells.published import MISSING, parse_nominal, split_members, unescape, unescape_value

_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][+-]?\d+)?|[+-]?inf"
_BRACKETS = re.compile(r"([\[\]()])\s*(.*?)\s*([\[\]()])", re.DOTALL)
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|\u2013|\u2014|~|\.\.|\bto\b)\s*({_NUMBER})")
_BOUND = re.compile(rf"(<=|>=|≤|≥|<|>)\s*({_NUMBER})")
_MASK = re.compile(r"([^*]+)(\*+)", re.DOTALL)
_SEPARATORS = re.compile(r"[,;]")
_OR_MISSING = f" or {MISSING}"


def parse_any(text: str) -> Cell:
    r"""Read a cell of unknown dialect.

    Understood are ``*``; ``[20, 30]``, ``[20, 30)``, ``[20, 30[``, ``(20, 30]``, ``]20; 30]``; ``19-33``,
    ``-5--1``, ``17~24``, ``1,000-2,000``; ``<30``, ``>= 30``; each of these with `` or \N`` behind; ``{a,b}`` and
    ``a~b``; ``81***``; and a single value. A text that is none of these (``United-States``, ``10-5``) is a single
    value. The escapes of our own format are undone (docs/format.md, section 1).
    """
    stripped = text.strip()
    if stripped == "*":
        return Anything()
    return (
        _interval_or_missing(stripped)
        or _bracketed(stripped)
        or _range(stripped)
        or _bound(stripped)
        or _braces(stripped)
        or _masked(stripped)
        or parse_single(text)
    )


def parse_categories(text: str) -> Cell:
    """Read a cell of a nominal column, where a hyphen or a digit never makes a range."""
    stripped = text.strip()
    if stripped == "*":
        return Anything()
    return _braces(stripped) or _masked(stripped) or ValueSet(_readings(text))


def parse_single(text: str) -> Cell:
    """Read a cell as one value."""
    number = _number(text.strip())
    return ValueSet(_readings(text), frozenset() if number is None else frozenset([number]))


def _readings(text: str) -> frozenset[str | None]:
    r"""Return the values that a single cell may mean: what it says, and what it says with escapes undone.

    Both, since a stranger's ``a\\b`` may be meant as it stands; so that two texts never become one class.
    """
    if "\\" not in text:
        return frozenset([text])
    try:
        return frozenset([text, unescape(text)])
    except ValueError:
        return frozenset([text])


def _number(text: str) -> Number | None:
    if "," in text:
        if not re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", text):
            return None
        text = text.replace(",", "")
    return read_number(text)


def _interval(low: Number | None, high: Number | None, low_closed: bool, high_closed: bool) -> Cell | None:
    if low is None or high is None or low.compare(high) > 0:
        return None
    return Interval(
        low.value, high.value, low_closed, high_closed, exact_low=low.exact, exact_high=high.exact
    )


def _interval_or_missing(text: str) -> Cell | None:
    """Read an interval or a number to which our format adds that values are missing."""
    bare = text.removesuffix(_OR_MISSING)
    if bare == text:
        return None
    number = _number(bare)
    found = _bracketed(bare) or _range(bare) or _bound(bare) or _interval(number, number, True, True)
    return replace(found, missing=True) if isinstance(found, Interval) else None


def _bracketed(text: str) -> Cell | None:
    """Read ``[a, b)`` and its kin; of several commas the one that leaves two numbers, if it is the only one."""
    found = _BRACKETS.fullmatch(text)
    if not found:
        return None
    opening, inside, closing = found.groups()
    readings = {
        (low, high)
        for comma in _SEPARATORS.finditer(inside)
        if (low := _number(inside[: comma.start()].strip())) is not None
        and (high := _number(inside[comma.end() :].strip())) is not None
    }
    if len(readings) != 1:
        return None
    low, high = readings.pop()
    return _interval(low, high, opening == "[", closing == "]")


def _range(text: str) -> Cell | None:
    found = _RANGE.fullmatch(text)
    if not found:
        return None
    return _interval(_number(found[1]), _number(found[2]), True, True)


def _bound(text: str) -> Cell | None:
    found = _BOUND.fullmatch(text)
    number = _number(found[2]) if found else None
    if not found or number is None:
        return None
    closed = found[1] in ("<=", ">=", "≤", "≥")
    if found[1][0] in "<≤":
        return _interval(Number(-math.inf), number, False, closed)
    return _interval(number, Number(math.inf), closed, False)


def _braces(text: str) -> Cell | None:
    if text.startswith("{") and text.endswith("}"):
        values, as_a_whole = _members(text), frozenset[str | None]()
    elif "~" in text:
        values, as_a_whole = frozenset(_bare(part) for part in text.split("~")), _readings(text)
    else:
        return None
    numbers = [number for value in values if value is not None and (number := _number(value)) is not None]
    return ValueSet(values | as_a_whole, frozenset(numbers))


def _members(text: str) -> frozenset[str | None]:
    """Return the values of a set: blanks and quotes around them belong to them only where our format says so."""
    values = frozenset(unescape_value(_bare(part)) for part in split_members(text[1:-1]))
    try:
        strict = parse_nominal(text)
    except ValueError:
        return values
    return values | strict.values


def _bare(part: str) -> str:
    return part.strip().strip("'\"")


def _masked(text: str) -> Cell | None:
    found = _MASK.fullmatch(text)
    return Masked(found[1], len(found[2])) if found else None
