"""Numbers as text, the one way this project writes them, and texts that are numbers."""

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from minv.compiled import FloatArray

ObjectArray = np.ndarray[tuple[int], np.dtype[np.object_]]

# No thousands separators, no decimal comma, no NaN, no infinity.
NUMERAL = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
_NUMERAL = re.compile(NUMERAL)
_CANONICAL = re.compile(r"0|[1-9][0-9]*")


def number_text(value: float) -> str:
    """Return the shortest decimal text that reads back as the same 64-bit float; whole ones without a point.

    The text of numbers in published tables (docs/format.md, section 1).
    """
    if value == int(value) and abs(value) < 2.0**53:
        return str(int(value))
    return repr(float(value))


def number_texts(values: FloatArray) -> ObjectArray:
    """Return the texts of finite numbers; each distinct number is written once only."""
    distinct, inverse = np.unique(values, return_inverse=True)
    texts = np.array([number_text(value) for value in distinct.tolist()], dtype=object)
    return texts[inverse]


def rewritten_numerals(texts: Iterable[str]) -> list[str]:
    """Return the numbers that stand in more than one way of writing (`7`, `007`, `7.0`) among texts.

    Two canonical whole numbers are never the same number, so only the other numerals are looked at.
    """
    distinct = set(texts)
    odd = [text for text in distinct if not _CANONICAL.fullmatch(text) and _NUMERAL.fullmatch(text)]
    keys = Counter(_key(text) for text in odd)
    return [key for key, count in keys.items() if count > 1 or key in distinct]


def _key(text: str) -> str:
    """Return the canonical text of the number that a numeral means."""
    stripped = text.strip()
    digits = stripped.lstrip("0")
    return digits if digits.isdecimal() else number_text(float(stripped))
