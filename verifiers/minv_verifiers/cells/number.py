"""Numbers as others write them, told apart exactly: a 64-bit float would take 2^53 and 2^53 + 1 for one number."""

import math
from decimal import Context, Decimal, InvalidOperation
from typing import NamedTuple

_TOLD_BY_FLOAT = 15  # significant digits that every float keeps apart
_WIDEST = Context(prec=1, Emax=999_999_999_999, Emin=-999_999_999_999)


class Number(NamedTuple):
    """A number that a text denotes.

    Attributes
    ----------
    value
        The nearest float.
    exact
        The number itself, where it is not the one that the float's shortest text denotes; None where it is.
    """

    value: float
    exact: Decimal | None = None

    def compare(self, other: "Number") -> int:
        """Return -1, 0 or 1 where this number is less than, equal to or greater than the other."""
        # Rounding keeps the order, so that floats which differ decide.
        if self.value != other.value:
            return -1 if self.value < other.value else 1
        if self.exact is None and other.exact is None:
            return 0
        own, theirs = self.decimal, other.decimal
        return (own > theirs) - (own < theirs)

    @property
    def decimal(self) -> Decimal:
        """The number in decimal notation."""
        return Decimal(repr(self.value)) if self.exact is None else self.exact

    @property
    def normal(self) -> str:
        """One text for all spellings of the number."""
        return repr(self.value) if self.exact is None else str(self.exact)


def parse_number(text: str) -> float | None:
    """Return the finite or infinite number that a text denotes in decimal notation, else None."""
    if not text or text[0].isspace() or text[-1].isspace() or "_" in text:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def read_number(text: str) -> Number | None:
    """Return the number that a text denotes, exactly; None where it denotes none."""
    value = parse_number(text)
    return None if value is None else Number(value, beyond_float(text, value))


def beyond_float(text: str, value: float) -> Decimal | None:
    """Return the number that a text denotes where the float `value`, the nearest one, does not tell it; else None."""
    if len(text) <= _TOLD_BY_FLOAT and "e" not in text and "E" not in text:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if number.is_infinite() or number == Decimal(repr(value)):
        return None
    context = _WIDEST.copy()
    context.prec = len(number.as_tuple().digits)
    return context.normalize(number)
