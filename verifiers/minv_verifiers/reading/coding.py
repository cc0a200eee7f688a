"""From the tables of a series folder to releases in integer codes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray, match
from minv_verifiers.cells.column import CellColumn, Parser, ValueColumn
from minv_verifiers.cells.published import (
    OrderedParser,
    parse_nominal,
    parse_sensitive,
    unescape_sensitive,
    unescape_value,
)
from minv_verifiers.folder import Folder
from minv_verifiers.model import PUBLISHED, SUPPRESSED, Claims, Evidence, QuasiIdentifier, Release, Truth
from minv_verifiers.reading.manifest import quasi_identifiers_of
from minv_verifiers.reading.originals import OriginalTables, code_original
from minv_verifiers.reading.scales import level_ranks, scale_of
from minv_verifiers.reading.tables import Table
from minv_verifiers.text import Texts, among, contains, translate
from minv_verifiers.vocabulary import Vocabulary, encode, encode_persons, missing_code
from minv_verifiers.wording import counted


@dataclass(frozen=True, slots=True)
class SeriesTables:
    """The tables of a series, one a release in each list (none of a kind that is not there)."""

    public: Sequence[Table]
    private: Sequence[Table | None]
    original: Sequence[Table]


def code_series(folder: Folder, claims: Claims, tables: SeriesTables) -> Evidence:
    """Code the releases of a series folder."""
    columns = quasi_identifiers_of(dict(folder.manifest))
    sensitive_name = folder.manifest["minv"]["sensitive"]["name"]
    private = [table if _complete(table, columns, sensitive_name) else None for table in tables.private]
    settings = (folder.private.settings if folder.private is not None else None) or {}
    originals = OriginalTables(tables.original, settings, columns, sensitive_name)

    sensitive, values = encode(
        [
            *(
                translate(table.column(sensitive_name), unescape_sensitive_leniently)
                for table in tables.public
            ),
            *(unescaped(table.column(sensitive_name)) for table in private if table is not None),
            *originals.sensitive,
        ]
    )
    persons, people = encode_persons(
        [
            *(unescaped(table.column("id")) for table in private if table is not None),
            *originals.ids,
        ]
    )
    shown = iter(sensitive[: len(tables.public)])
    known = iter(sensitive[len(tables.public) : len(sensitive) - len(originals.tables)])
    who = iter(persons[: len(persons) - len(originals.tables)])
    # The format lets `\\N` stand only where missing values were declared a value, which the settings tell.
    undeclared = bool(settings) and settings.get("missing", {}).get(sensitive_name) != "category"
    unknown = missing_code(values) if undeclared else -1
    releases = []
    for number, public in enumerate(tables.public, start=1):
        behind = private[number - 1] if private else None
        coder = _ReleaseCoder(folder, columns, number, public, next(shown), unknown)
        releases.append(coder.public() if behind is None else coder.custodian(behind, next(known), next(who)))
    compared = [
        None
        if release.truth is None
        else code_original(
            originals,
            index,
            release.truth,
            sensitive[index - len(originals.tables)],
            persons[index - len(originals.tables)],
        )
        for index, release in enumerate(releases)
        if originals.tables
    ]
    return Evidence(
        claims=claims,
        quasi_identifiers=columns,
        tables=tuple(releases),
        sensitive_values=values,
        persons=people if any(table is not None for table in private) else None,
        folder=folder,
        originals=tuple(compared),
        notes=tuple(_notes(releases, missing_code(values), declared=bool(settings))),
    )


def _notes(releases: Sequence[Release], missing: int, *, declared: bool) -> Iterator[str]:
    """Say what nobody but the custodian can tell: whether missing sensitive values were declared a value."""
    for release in releases:
        count = 0 if release.sensitive is None or missing < 0 else int((release.sensitive == missing).sum())
        if count and not declared:
            yield (
                f"{release.name}: "
                f"{counted(count, 'sensitive value is', 'sensitive values are')} missing,"
                " which counts as a value, as the format"
                " allows only where that was declared, which the private part tells"
            )


def _complete(table: Table | None, columns: Iterable[QuasiIdentifier], sensitive: str) -> bool:
    return table is not None and {sensitive, *(column.name for column in columns)} <= set(table.columns)


def unescaped(texts: Texts) -> Texts:
    """Return the values behind private texts."""
    return translate(texts, unescape_value) if contains(texts, "\\") else texts


def unescape_sensitive_leniently(text: str) -> str | None:
    """Return the value behind a sensitive cell; a cell with a stray backslash stands for itself (`cells-canonical`)."""
    try:
        return unescape_sensitive(text)
    except ValueError:
        return text


def parser_of(column: QuasiIdentifier) -> Parser:
    """Return the strict reader of a column's cells."""
    return parse_nominal if column.kind == "nominal" else OrderedParser(level_ranks(column))


class _ReleaseCoder:
    """Codes one release of a series folder."""

    def __init__(
        self,
        folder: Folder,
        columns: tuple[QuasiIdentifier, ...],
        number: int,
        table: Table,
        sensitive: IntArray,
        unknown: int,
    ) -> None:
        self._folder = folder
        self._columns = columns
        self._number = number
        self._table = table
        self._sensitive = sensitive
        self._unknown = unknown

    def public(self) -> Release:
        """Return the release without anything behind it."""
        (classes,), class_ids = encode([self._table.column("class")])
        return self._release(classes, class_ids, None, None, None)

    def custodian(self, private: Table, sensitive: IntArray, persons: IntArray) -> Release:
        """Return the release with the private file behind it: rows correspond by class and sensitive value."""
        (classes, private_classes), both = encode([self._table.column("class"), private.column("class")])
        # The public classes come first in the vocabulary; what follows is a class of the private file alone.
        count = int(classes.max(initial=-1)) + 1
        published = among(private.column("status"), [PUBLISHED])
        link = _link(classes, self._sensitive, private_classes, sensitive, published)
        truth = Truth(
            source=f"private/{private.name}",
            persons=persons,
            sensitive=sensitive,
            values={column.name: _values(column, private) for column in self._columns},
            published=published,
            suppressed=among(private.column("status"), [SUPPRESSED]),
            counterfeit=among(private.column("counterfeit"), ["true"]),
            link=link,
        )
        found = link >= 0
        who = np.where(found, persons[link], -1)
        made_up = found & truth.counterfeit[link] if len(truth.counterfeit) else found
        return self._release(classes, Vocabulary(both.array.slice(0, count)), who, made_up, truth)

    def _release(
        self,
        classes: IntArray,
        class_ids: Vocabulary,
        persons: IntArray | None,
        counterfeit: BoolArray | None,
        truth: Truth | None,
    ) -> Release:
        return Release(
            number=self._number,
            name=self._table.name,
            class_of_row=classes,
            class_ids=class_ids,
            sensitive=self._sensitive,
            cells={column.name: _cells(column, self._table) for column in self._columns},
            persons=persons,
            counterfeit=counterfeit,
            declared_counterfeits=self._folder.files[self._number - 1].counterfeits,
            truth=truth,
            sensitive_cells=self._sensitive_cells(),
            unknown_value=self._unknown,
            others={
                name: encode([self._table.column(name)])[0][0]
                for name in self._folder.manifest["minv"].get("other", [])
            },
        )

    def _sensitive_cells(self) -> CellColumn:
        (codes,), vocabulary = encode(
            [self._table.column(self._folder.manifest["minv"]["sensitive"]["name"])]
        )
        return CellColumn(codes, vocabulary, parse_sensitive)


def _cells(column: QuasiIdentifier, table: Table) -> CellColumn:
    (codes,), vocabulary = encode([table.column(column.name)])
    return CellColumn(codes, vocabulary, parser_of(column))


def _values(column: QuasiIdentifier, table: Table) -> ValueColumn:
    (codes,), vocabulary = encode([unescaped(table.column(column.name))])
    return ValueColumn(codes, vocabulary, scale_of(column))


def _link(
    classes: IntArray,
    sensitive: IntArray,
    private_classes: IntArray,
    private_sensitive: IntArray,
    published: BoolArray,
) -> IntArray:
    """Return the private row behind each public row: same class and value, then the rest of each class as it comes."""
    candidates = np.flatnonzero(published)
    width = max(int(sensitive.max(initial=0)), int(private_sensitive.max(initial=0))) + 1
    link = match(
        classes * width + sensitive, private_classes[candidates] * width + private_sensitive[candidates]
    )
    rest = np.flatnonzero(link < 0)
    unused = np.setdiff1d(np.arange(len(candidates)), link[link >= 0])
    partner = match(classes[rest], private_classes[candidates[unused]])
    link[rest[partner >= 0]] = unused[partner[partner >= 0]]
    return np.where(link >= 0, candidates[link], -1) if len(candidates) else link
