"""The meanings a published cell can have, and which true values each admits."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from minv_verifiers.cells.number import Number, beyond_float


class Cell(Protocol):
    """A set of values that a published cell stands for."""

    def admits(self, text: str | None, number: float) -> bool:
        """Whether a true value lies in it.

        Parameters
        ----------
        text
            Canonical text of the value; None if it is missing.
        number
            The value on the column's numeric scale; NaN where it has none.
        """
        ...

    @property
    def normal(self) -> str:
        """One text for all spellings of the same set."""
        ...


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `low` to `high`, each end included or not, and a missing value if so said.

    `exact_low` and `exact_high` are the ends themselves where a float does not tell them.
    """

    low: float
    high: float
    low_closed: bool = True
    high_closed: bool = True
    missing: bool = False
    exact_low: Decimal | None = None
    exact_high: Decimal | None = None

    def admits(self, text: str | None, number: float) -> bool:
        """Whether the value is missing and may be, or lies between the ends."""
        if text is None:
            return self.missing
        if math.isnan(number):
            return False
        value = Number(number, beyond_float(text, number))
        above = value.compare(Number(self.low, self.exact_low))
        below = value.compare(Number(self.high, self.exact_high))
        return (above > 0 or (above == 0 and self.low_closed)) and (
            below < 0 or (below == 0 and self.high_closed)
        )

    @property
    def beyond_float(self) -> bool:
        """Whether floats do not tell an end."""
        return self.exact_low is not None or self.exact_high is not None

    @property
    def normal(self) -> str:
        """Mathematical notation."""
        opening = "[" if self.low_closed else "("
        closing = "]" if self.high_closed else ")"
        ends = f"{Number(self.low, self.exact_low).normal}, {Number(self.high, self.exact_high).normal}"
        return f"interval {opening}{ends}{closing}{' or missing' * self.missing}"


@dataclass(frozen=True, slots=True)
class ValueSet:
    """A set of values given one by one; None stands for a missing value.

    `numbers` holds those that read as numbers, so that ``7.0`` admits ``7``.
    """

    values: frozenset[str | None]
    numbers: frozenset[Number] = frozenset()

    def admits(self, text: str | None, number: float) -> bool:
        """Whether the value is one of them, as text or as a number."""
        if text in self.values:
            return True
        if text is None or math.isnan(number) or not self.numbers:
            return False
        return Number(number, beyond_float(text, number)) in self.numbers

    @property
    def normal(self) -> str:
        """The sorted values."""
        known = sorted(value for value in self.values if value is not None)
        return f"values {None in self.values} {known!r}"


@dataclass(frozen=True, slots=True)
class Masked:
    """A text whose last characters are masked, such as a postcode ``81***``."""

    prefix: str
    masked: int

    def admits(self, text: str | None, number: float) -> bool:
        """Whether the text starts so and has that length."""
        return (
            text is not None and len(text) == len(self.prefix) + self.masked and text.startswith(self.prefix)
        )

    @property
    def normal(self) -> str:
        """The prefix and the number of masked characters."""
        return f"masked {self.masked} {self.prefix!r}"


@dataclass(frozen=True, slots=True)
class Anything:
    """A suppressed cell: any value."""

    def admits(self, text: str | None, number: float) -> bool:
        """Yes."""
        return True

    @property
    def normal(self) -> str:
        """A constant."""
        return "anything"
