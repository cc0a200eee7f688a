"""What a rule finds: passed, violated with every witness, a warning, or not checkable with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """The four answers of a rule."""

    PASSED = "passed"
    VIOLATED = "violated"
    WARNING = "warning"
    NOT_CHECKABLE = "not checkable"


class NotCheckable(Exception):  # noqa: N818 - an answer, not an error
    """Raised by a rule that lacks what it needs; the text says what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """One place where a rule is broken.

    Attributes
    ----------
    message
        What is wrong there, without any raw data value.
    size
        How much is wrong, in the unit that the message names (rows, values, percent).
    release
        Number of the release, from 1; None if it concerns the series.
    class_id
        The class, by its published id.
    rows
        Rows of the release's file, counted from 1 without the header.
    column, file
        The column or file concerned.
    raw
        Raw values (ids, sensitive values, cells): only ever shown on request.
    """

    message: str
    size: float = 1
    release: int | None = None
    class_id: str | None = None
    rows: tuple[int, ...] = ()
    column: str | None = None
    file: str | None = None
    raw: Mapping[str, object] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where it is, as one phrase without raw values."""
        parts = []
        if self.release is not None:
            parts.append(f"release {self.release}")
        if self.class_id is not None:
            parts.append(f"class {self.class_id}")
        if self.column is not None:
            parts.append(f"column {self.column}")
        if self.file is not None:
            parts.append(f"file {self.file}")
        if self.rows:
            shown = ", ".join(map(str, self.rows[:5])) + (", ..." if len(self.rows) > 5 else "")
            parts.append(f"row {shown}" if len(self.rows) == 1 else f"rows {shown}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOutcome:
    """The answer of one rule.

    Attributes
    ----------
    rule
        The rule's stable name.
    status
        The answer.
    reason
        Why it was not checkable, or not to the end; empty otherwise.
    witnesses
        Every place where the rule is broken, in the order of releases.
    """

    rule: str
    status: Status
    reason: str = ""
    witnesses: tuple[Witness, ...] = ()
