"""Different texts that a reader would take for the same."""

import re
import unicodedata
from decimal import Decimal

_DECIMAL = re.compile(r"([+-]?)(\d+)(?:\.(\d*))?", re.ASCII)
_SCIENTIFIC = re.compile(r"[+-]?\d+(?:\.\d*)?[eE][+-]?\d{1,3}", re.ASCII)


def plain_spelling(text: str) -> str:
    """Return one text for all spellings of a value.

    Blanks, invisible characters and Unicode form count for nothing, nor do leading zeros, a plus sign and trailing
    zeros of a number. Digits are compared as text: ids longer than a float can tell apart stay apart.
    """
    if text.isascii() and text.isdecimal() and text[0] != "0":
        return text
    composed = unicodedata.normalize("NFKC", text)
    seen = " ".join("".join(sign for sign in composed if unicodedata.category(sign) != "Cf").split())
    if _SCIENTIFIC.fullmatch(seen):
        seen = format(Decimal(seen), "f")
    number = _DECIMAL.fullmatch(seen)
    if number is None:
        return seen
    sign, whole, fraction = number.groups(default="")
    digits = whole.lstrip("0") or "0"
    decimals = fraction.rstrip("0")
    minus = "-" if sign == "-" and (digits, decimals) != ("0", "") else ""
    return f"{minus}{digits}.{decimals}" if decimals else f"{minus}{digits}"
