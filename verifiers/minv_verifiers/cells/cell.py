"""The meanings a published cell can have, and which true values each admits."""

import math
from dataclasses import dataclass
from typing import Protocol


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
    """The numbers from `low` to `high`, each end included or not, and a missing value if so said."""

    low: float
    high: float
    low_closed: bool = True
    high_closed: bool = True
    missing: bool = False

    def admits(self, text: str | None, number: float) -> bool:
        """Whether the value is missing and may be, or lies between the ends."""
        if text is None:
            return self.missing
        above = number >= self.low if self.low_closed else number > self.low
        below = number <= self.high if self.high_closed else number < self.high
        return above and below

    @property
    def normal(self) -> str:
        """Mathematical notation."""
        opening = "[" if self.low_closed else "("
        closing = "]" if self.high_closed else ")"
        return f"interval {opening}{self.low!r}, {self.high!r}{closing}{' or missing' * self.missing}"


@dataclass(frozen=True, slots=True)
class ValueSet:
    """A set of values given one by one; None stands for a missing value.

    `numbers` holds those that read as numbers, so that ``7.0`` admits ``7``.
    """

    values: frozenset[str | None]
    numbers: frozenset[float] = frozenset()

    def admits(self, text: str | None, number: float) -> bool:
        """Whether the value is one of them, as text or as a number."""
        return text in self.values or number in self.numbers

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


def parse_number(text: str) -> float | None:
    """Return the finite or infinite number that a text denotes in decimal notation, else None."""
    if not text or text[0].isspace() or text[-1].isspace() or "_" in text:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number
