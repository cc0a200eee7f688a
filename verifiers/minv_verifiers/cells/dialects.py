"""The ways in which other tools write a generalised cell, read without asking for more than the text."""

import math
import re

from minv_verifiers.cells.cell import Anything, Cell, Interval, Masked, ValueSet, parse_number

_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][+-]?\d+)?|[+-]?inf"
_BRACKETS = re.compile(r"([\[\]()])\s*(.*?)\s*([\[\]()])", re.DOTALL)
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|\u2013|\u2014|~|\.\.|\bto\b)\s*({_NUMBER})")
_BOUND = re.compile(rf"(<=|>=|≤|≥|<|>)\s*({_NUMBER})")
_MASK = re.compile(r"([^*]+)(\*+)", re.DOTALL)
_SEPARATORS = re.compile(r"[,;]")


def parse_any(text: str) -> Cell:
    """Read a cell of unknown dialect.

    Understood are ``*``; ``[20, 30]``, ``[20, 30)``, ``[20, 30[``, ``(20, 30]``, ``]20; 30]``; ``19-33``,
    ``-5--1``, ``17~24``, ``1,000-2,000``; ``<30``, ``>= 30``; ``{a,b}`` and ``a~b``; ``81***``; and a single value. A
    text that is none of these (``United-States``, ``10-5``) is a single value.
    """
    stripped = text.strip()
    if stripped == "*":
        return Anything()
    return (
        _bracketed(stripped)
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
    return _braces(stripped) or _masked(stripped) or ValueSet(frozenset([text]))


def parse_single(text: str) -> Cell:
    """Read a cell as one value."""
    number = _number(text.strip())
    return ValueSet(frozenset([text]), frozenset() if number is None else frozenset([number]))


def _number(text: str) -> float | None:
    if "," in text:
        if not re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", text):
            return None
        text = text.replace(",", "")
    return parse_number(text)


def _interval(low: float | None, high: float | None, low_closed: bool, high_closed: bool) -> Cell | None:
    if low is None or high is None or low > high:
        return None
    return Interval(low, high, low_closed, high_closed)


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
        return Interval(-math.inf, number, False, closed)
    return Interval(number, math.inf, closed, False)


def _braces(text: str) -> Cell | None:
    if text.startswith("{") and text.endswith("}"):
        parts = text[1:-1].split(",")
    elif "~" in text:
        parts = text.split("~")
    else:
        return None
    values = [part.strip().strip("'\"") for part in parts]
    numbers = [number for value in values if (number := _number(value)) is not None]
    return ValueSet(frozenset([*values, text]) if "~" in text else frozenset(values), frozenset(numbers))


def _masked(text: str) -> Cell | None:
    found = _MASK.fullmatch(text)
    return Masked(found[1], len(found[2])) if found else None
