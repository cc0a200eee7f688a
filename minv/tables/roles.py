"""Which column plays which part, and how a user says so."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from minv.errors import UsageError
from minv.hierarchy import Hierarchy, Intervals


class Kind(StrEnum):
    """How the values of a quasi-identifier compare."""

    NUMERIC = "numeric"  # numbers
    ORDINAL = "ordinal"  # numbers, or texts in the order of a file
    NOMINAL = "nominal"  # texts, equal or different, perhaps with a hierarchy


NO_COLUMN = ""  # no table can have a column of this name that is to be published

_SPECIFICATION = re.compile(rf"(?P<name>.*?):(?P<kind>{'|'.join(Kind)})(=(?P<source>.+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class QuasiIdentifier:
    """A column that an attacker may know.

    Attributes
    ----------
    source
        Path of the order file of an ordinal column, or of the hierarchy file of another; see
        `minv.tables.levels.resolve`, which reads it.
    levels
        The values of an ordinal column of texts, in ascending order.
    hierarchy
        Tree over the values of a nominal column, or over numbers (see `minv.hierarchy.number_tree`).
    intervals
        Levels of intervals of a numeric column.
    weight
        Factor of the squared distances of this column.

    Raises
    ------
    UsageError
        Levels, a hierarchy or intervals for the wrong kind; a weight that is not positive.
    """

    name: str
    kind: Kind = Kind.NUMERIC
    source: str | None = None
    levels: tuple[str, ...] = ()
    hierarchy: Hierarchy | None = None
    intervals: Intervals | None = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.levels and self.kind is not Kind.ORDINAL:
            raise UsageError(f"column {self.name!r}: only an ordinal column has levels in an order")
        if self.hierarchy and self.kind is Kind.ORDINAL:
            raise UsageError(f"column {self.name!r}: an ordinal column has no hierarchy")
        if self.intervals and (self.kind is not Kind.NUMERIC or self.hierarchy):
            raise UsageError(
                f"column {self.name!r}: only a numeric column has intervals, and no hierarchy beside them"
            )
        if not 0 < self.weight < float("inf"):
            raise UsageError(f"column {self.name!r}: the weight must be a positive number")


@dataclass(frozen=True, slots=True)
class Roles:
    """The parts that columns play in one table.

    Attributes
    ----------
    sensitive
        The column to protect; NO_COLUMN where k-anonymity alone is asked for.
    other
        Columns to publish unchanged; each must be constant within every class.

    Raises
    ------
    UsageError
        No quasi-identifier, or a column with two parts.
    """

    quasi_identifiers: tuple[QuasiIdentifier, ...]
    sensitive: str
    id: str | None = None
    other: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.quasi_identifiers:
            raise UsageError("name at least one quasi-identifier (--qi COLUMN)")
        seen: set[str] = set()
        for name in self.columns:
            if name in seen:
                raise UsageError(f"column {name!r} is given two roles; a column has one")
            seen.add(name)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are needed: the id, the quasi-identifiers, the sensitive one, others."""
        identifier = () if self.id is None else (self.id,)
        quasi_identifiers = tuple(column.name for column in self.quasi_identifiers)
        sensitive = () if self.sensitive == NO_COLUMN else (self.sensitive,)
        return (*identifier, *quasi_identifiers, *sensitive, *self.other)


def parse_quasi_identifier(text: str) -> QuasiIdentifier:
    """Read `NAME`, `NAME:KIND` or `NAME:KIND=FILE`; a colon without a kind after it belongs to the name.

    Raises
    ------
    UsageError
        No name.
    """
    match = _SPECIFICATION.fullmatch(text)
    if match is None:
        return _quasi_identifier(text, Kind.NUMERIC, None)
    return _quasi_identifier(match["name"], Kind(match["kind"]), match["source"])


def _quasi_identifier(name: str, kind: Kind, source: str | None) -> QuasiIdentifier:
    if not name:
        raise UsageError("--qi needs the name of a column")
    return QuasiIdentifier(name, kind, source)


def quasi_identifiers(
    columns: Iterable[str | QuasiIdentifier] | Mapping[str, str],
    weights: Mapping[str, float] | None = None,
) -> tuple[QuasiIdentifier, ...]:
    """Return quasi-identifiers from texts like `sex:nominal`, from {name: kind}, or from records.

    Parameters
    ----------
    weights
        Weights that differ from 1, by column.

    Raises
    ------
    UsageError
        A text that cannot be read, an unknown kind, or a weight for a column that is none of these.
    """
    if isinstance(columns, str):
        columns = [columns]
    if isinstance(columns, Mapping):
        read = [_quasi_identifier(name, _kind(kind), None) for name, kind in columns.items()]
    else:
        read = [parse_quasi_identifier(c) if isinstance(c, str) else c for c in columns]
    weights = dict(weights or {})
    weighted = tuple(
        replace(column, weight=float(weights.pop(column.name, column.weight))) for column in read
    )
    if weights:
        raise UsageError(
            f"a weight is given for {', '.join(map(repr, weights))}, which is no quasi-identifier"
        )
    return weighted


def _kind(text: str) -> Kind:
    try:
        return Kind(text)
    except ValueError:
        raise UsageError(f"unknown kind {text!r}; the kinds are {', '.join(Kind)}") from None
