"""Which column of a third party's file is what."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from minv_verifiers.cells.cell import Cell, Interval
from minv_verifiers.cells.column import Kind, Parser
from minv_verifiers.cells.dialects import parse_any, parse_categories
from minv_verifiers.cells.published import MISSING, split_members, unescape_value
from minv_verifiers.errors import UsageError
from minv_verifiers.model import QuasiIdentifier
from minv_verifiers.reading.number_trees import read_number_tree
from minv_verifiers.reading.scales import level_ranks
from minv_verifiers.reading.tree_files import read_tree

_KINDS: dict[str, Kind] = {"numeric": "numeric", "ordinal": "ordinal", "nominal": "nominal", "any": "any"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The columns of a release file.

    Attributes
    ----------
    quasi_identifiers
        With their scales.
    sensitive
        The sensitive column.
    person
        The column of ids.
    class_id
        The column of class ids; without it rows with equal quasi-identifiers are one class.
    counterfeit
        The column that marks counterfeits by `true`, `1` or `yes`.
    count
        The column that tells how many tuples a row stands for.
    missing_is_value
        Whether a missing, empty or suppressed sensitive value is a value like any other.
    """

    quasi_identifiers: tuple[QuasiIdentifier, ...] = ()
    sensitive: str | None = None
    person: str | None = None
    class_id: str | None = None
    counterfeit: str | None = None
    count: str | None = None
    missing_is_value: bool = False

    def __post_init__(self) -> None:
        if not self.quasi_identifiers and self.class_id is None:
            raise UsageError(
                "name the quasi-identifiers (--qi) or a class column (--class): nothing else makes classes"
            )
        names = self.columns
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise UsageError(f"column {repeated[0]} has two roles")

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        others = (self.sensitive, self.person, self.class_id, self.counterfeit, self.count)
        return (*(column.name for column in self.quasi_identifiers), *(name for name in others if name))


def parse_quasi_identifier(text: str) -> QuasiIdentifier:
    """Read `NAME`, `NAME:KIND`, `NAME:ordinal=a,b,c`, `NAME:nominal=FILE` or `NAME:numeric=FILE`.

    Raises
    ------
    UsageError
        The kind is unknown, or something is given for a kind that takes nothing.
    InputError
        The file of a hierarchy or of intervals cannot be used.
    """
    name, separator, kind = text.rpartition(":")
    bare, has_levels, levels = kind.partition("=")
    if not separator or bare not in _KINDS:
        if separator and has_levels:
            raise UsageError(f"--qi {text}: the kind is one of {', '.join(_KINDS)}")
        return QuasiIdentifier(text)
    if has_levels and bare == "nominal":
        return QuasiIdentifier(name, "nominal", tree=read_tree(Path(levels)))
    if has_levels and bare == "numeric":
        return QuasiIdentifier(name, "numeric", intervals=read_number_tree(Path(levels)))
    if has_levels and bare != "ordinal":
        raise UsageError(
            f"--qi {text}: only an ordinal column has levels, a nominal one a hierarchy, and a numeric one intervals"
        )
    ordered = tuple(levels.split(",")) if has_levels else ()
    return QuasiIdentifier(name, _KINDS[bare], ordered)


def parser_of(column: QuasiIdentifier) -> Parser:
    """Return the reader of a column's cells in whatever dialect they are written."""
    if column.tree is not None:
        return column.tree.parse
    if column.intervals is not None:
        return column.intervals.parse
    if column.kind == "nominal":
        return parse_categories
    ranks = level_ranks(column)
    if ranks is None:
        return parse_any
    return LevelParser(ranks)


class LevelParser:
    r"""Reads ranges of levels, such as ``low-high`` or ``[low, high]``, also with `` or \N`` behind.

    Parameters
    ----------
    ranks
        The rank of each level.
    """

    def __init__(self, ranks: Mapping[str, float]) -> None:
        self._ranks = ranks

    def __call__(self, text: str) -> Cell:
        """Read one cell."""
        stripped = text.strip()
        if stripped == MISSING:
            return parse_categories(text)  # a missing value, or that text, even where it is a level
        bare = stripped.removesuffix(f" or {MISSING}")
        for low, high in _level_pairs(bare):
            first, last = self._rank(low), self._rank(high)
            if first is not None and last is not None and first <= last:
                return Interval(first, last, missing=bare != stripped)
        return parse_categories(text)

    def _rank(self, text: str) -> float | None:
        stripped = text.strip()
        return self._ranks.get(stripped, self._ranks.get(unescape_value(stripped) or ""))


def _level_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the two ends that a text may mean: a single level, and what stands around a separator."""
    yield text, text
    inside = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    parts = split_members(inside)
    if len(parts) == 2:
        yield parts[0], parts[1]
    for separator in (",", "~", "-", "\u2013"):
        low, found, high = inside.partition(separator)
        if found:
            yield low, high
