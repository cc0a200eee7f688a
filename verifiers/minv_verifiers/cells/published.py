"""The cells of docs/format.md, section 1: read strictly."""

import re
from collections.abc import Mapping

from minv_verifiers.cells.cell import Cell, Interval, ValueSet
from minv_verifiers.cells.number import parse_number
from minv_verifiers.text import number_text

MISSING = "\\N"
_SPECIAL = "\\{}[],"
_ESCAPED = re.compile(r"\\([\\{}\[\],])")


def unescape(text: str) -> str | None:
    r"""Return the value behind an escaped text, None for ``\N``.

    Raises
    ------
    ValueError
        A backslash at the end, or before a character that needs none.
    """
    if text == MISSING:
        return None
    result = []
    position = 0
    while position < len(text):
        if text[position] == "\\":
            position += 1
            if position == len(text) or text[position] not in _SPECIAL:
                raise ValueError("a backslash that escapes nothing")
        elif text[position] in _SPECIAL:
            raise ValueError("a special character without a backslash")
        result.append(text[position])
        position += 1
    return "".join(result)


def unescape_value(text: str) -> str | None:
    r"""Return the value behind a private text, whether or not its special characters are escaped; None for ``\N``."""
    return None if text == MISSING else _ESCAPED.sub(r"\1", text)


def unescape_sensitive(text: str) -> str | None:
    """Return the value behind a sensitive cell, where only the backslash is escaped.

    Raises
    ------
    ValueError
        A single backslash.
    """
    if text == MISSING:
        return None
    if "\\" in text.replace("\\\\", ""):
        raise ValueError("a single backslash")
    return text.replace("\\\\", "\\")


def parse_sensitive(text: str) -> Cell:
    """Read a sensitive cell.

    Raises
    ------
    ValueError
        A single backslash.
    """
    return ValueSet(frozenset([unescape_sensitive(text)]))


def parse_nominal(text: str) -> ValueSet:
    """Read a cell of a nominal column: one value or a set ``{a,b}``.

    Raises
    ------
    ValueError
        The text does not follow the format, or is not the one canonical spelling.
    """
    if not text.startswith("{"):
        return ValueSet(frozenset([unescape(text)]))
    if not text.endswith("}"):
        raise ValueError("a set without its closing brace")
    values = [unescape(part) for part in split_members(text[1:-1])]
    ordered = sorted(set(values), key=lambda value: (value is not None, value or ""))
    if len(values) < 2 or values != ordered:
        raise ValueError("a set that is not sorted, repeats a value or has fewer than two")
    return ValueSet(frozenset(values))


def split_members(inside: str) -> list[str]:
    """Cut the inside of a set at its commas, those behind a backslash left alone."""
    parts = [""]
    escaped = False
    for character in inside:
        if character == "," and not escaped:
            parts.append("")
            continue
        parts[-1] += character
        escaped = character == "\\" and not escaped
    return parts


class OrderedParser:
    r"""Reads cells of a numeric or ordinal column: one value, ``[low, high]``, either with `` or \N``.

    Parameters
    ----------
    ranks
        The rank of each level of an ordinal column of text; None where the values are numbers.
    """

    def __init__(self, ranks: Mapping[str, float] | None = None) -> None:
        self._ranks = ranks

    def number(self, text: str) -> float:
        """Return the place of one value on the column's scale.

        Raises
        ------
        ValueError
            Not a level, or not a number in its canonical text.
        """
        if self._ranks is not None:
            if text not in self._ranks:
                raise ValueError("not one of the levels")
            return self._ranks[text]
        number = parse_number(text)
        if number is None or number_text(number) != text:
            raise ValueError("not a number in canonical text")
        return number

    def __call__(self, text: str) -> Cell:
        """Read one cell.

        Raises
        ------
        ValueError
            The text does not follow the format, or is not the one canonical spelling.
        """
        if text == MISSING:
            return ValueSet(frozenset([None]))
        bare = text.removesuffix(f" or {MISSING}")
        missing = bare != text
        if not bare.startswith("["):
            number = self.number(self._level(bare))
            return Interval(number, number, missing=missing)
        if not bare.endswith("]"):
            raise ValueError("an interval without its closing bracket")
        low, separator, high = _split_interval(bare[1:-1])
        first, last = self.number(self._level(low)), self.number(self._level(high))
        # `[7, 7] or \\N` is a class of 7s and missing values; without the latter it is the single value 7.
        if not separator or first > last or (first == last and not missing):
            raise ValueError("an interval needs two ascending ends")
        return Interval(first, last, missing=missing)

    def _level(self, text: str) -> str:
        value = unescape(text)
        if value is None:
            raise ValueError("a missing value inside an interval")
        return value


def _split_interval(inside: str) -> tuple[str, str, str]:
    """Cut at the one unescaped comma, which a blank follows."""
    parts = split_members(inside)
    if len(parts) != 2 or not parts[1].startswith(" "):
        return inside, "", ""
    return parts[0], ", ", parts[1][1:]
