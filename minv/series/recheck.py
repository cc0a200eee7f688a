"""The last look: a release read back from its written bytes, before it is published."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minv.compiled import IntArray
from minv.errors import MinvError
from minv.generalize import generalise, rank_classes, unescape
from minv.numerals import ObjectArray
from minv.series.checksum import checksum
from minv.series.columns import read_csv, read_parquet
from minv.series.history import History, Signature, sorted_signature
from minv.series.manifest import Entry
from minv.series.settings import OnUpdate, Settings
from minv.tables.microdata import Attribute
from minv.tables.roles import Kind, QuasiIdentifier


@dataclass(frozen=True, slots=True)
class Written:
    """Where the files of a release are before they are renamed into place."""

    public: Path
    private: Path
    history: Path


def recheck(settings: Settings, entry: Entry, written: Written, before: History) -> None:
    """Compare the written files of a release with each other and with what was remembered.

    Parameters
    ----------
    before
        The history before this release.

    Raises
    ------
    MinvError
        A file is not what it should be: a fault of the program, the disk or the memory.
    """
    _require(checksum(written.public) == (entry.bytes, entry.sha256), "the public file changed")
    public = read_csv(written.public) if entry.file_format == "csv" else read_parquet(written.public)
    _require(tuple(public.column_names) == entry.columns, "the public file has other columns than it should")
    labels = _column(public, "class").astype(np.int64)
    starts = np.flatnonzero(np.diff(labels, prepend=0))
    _require(
        labels[starts].tolist() == list(range(1, len(starts) + 1)), "the classes are not numbered in order"
    )
    sensitive = np.split(_column(public, settings.roles.sensitive), starts[1:])
    _check_unique(settings.m, sensitive)
    cells = {
        name: _column(public, name)
        for name in entry.columns
        if name not in ("class", settings.roles.sensitive)
    }
    for name, column in cells.items():
        _require(bool((column[starts][labels - 1] == column).all()), f"{name!r} varies within a class")
    members = _Members.read(settings, written.private)
    same = (
        members.labels.tolist() == labels.tolist()
        and members.sensitive.tolist() == np.concatenate(sensitive).tolist()
    )
    _require(same, "the public and the private file have different rows")
    _check_counterfeits(entry, members)
    class_cells = {name: column[starts] for name, column in cells.items()}
    _check_generalisation(settings, members, class_cells)
    _check_order(settings, entry, class_cells, sensitive)
    signatures = [sorted_signature([unescape(cell) for cell in group]) for group in sensitive]
    _check_signatures(settings, members, signatures, History.read(written.history), before)


@dataclass(frozen=True, eq=False)
class _Members:
    """The published rows of the private file."""

    ids: ObjectArray
    labels: IntArray
    real: ObjectArray
    sensitive: ObjectArray
    quasi_identifiers: Mapping[str, ObjectArray]

    @classmethod
    def read(cls, settings: Settings, path: Path) -> "_Members":
        table = read_parquet(path)
        published = _column(table, "status") == "published"
        return cls(
            ids=_column(table, "id")[published],
            labels=_column(table, "class")[published].astype(np.int64),
            real=~_column(table, "counterfeit")[published].astype(np.bool_),
            sensitive=_column(table, settings.roles.sensitive)[published],
            quasi_identifiers={
                column.name: _column(table, column.name)[published]
                for column in settings.roles.quasi_identifiers
            },
        )


def _column(table: Any, name: str) -> ObjectArray:
    values = np.empty(table.num_rows, dtype=object)
    values[:] = table.column(name).to_pylist()
    return values


def _check_unique(m: int, sensitive: Sequence[ObjectArray]) -> None:
    for group in sensitive:
        _require(len(set(group)) == len(group) >= m, f"a class is not {m}-unique")


def _check_counterfeits(entry: Entry, members: _Members) -> None:
    counterfeit = ~members.real.astype(np.bool_)
    counts = Counter(members.labels[counterfeit].tolist())
    _require(counts == Counter(entry.counterfeits), "the counterfeits are not those of the manifest")
    persons = set(members.labels[~counterfeit].tolist())
    _require(persons == set(members.labels.tolist()), "a class is without a person")


def _check_generalisation(settings: Settings, members: _Members, cells: Mapping[str, ObjectArray]) -> None:
    """Generalise the true values of the private file once more."""
    real = members.real.astype(np.bool_)
    labels = members.labels[real] - 1
    for column in settings.roles.quasi_identifiers:
        expected = cells[column.name]
        attribute = _attribute(column, members.quasi_identifiers[column.name][real].tolist())
        same = generalise(attribute, labels, len(expected)).tolist() == expected.tolist()
        _require(same, f"the cells of {column.name!r} are not tight around the true values")


def _attribute(column: QuasiIdentifier, cells: Sequence[str]) -> Attribute:
    """Return the attribute that private cells stand for."""
    distinct = {cell: unescape(cell) for cell in set(cells)}
    values = [distinct[cell] for cell in cells]
    if column.kind is not Kind.NOMINAL and not column.levels:
        numbers = np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
        return Attribute(column.name, column.kind, numbers)
    levels = column.levels or tuple(sorted({value for value in values if value is not None}))
    rank: dict[str | None, float] = {level: float(place) for place, level in enumerate(levels)}
    rank[None] = np.nan
    return Attribute(column.name, column.kind, np.array([rank[value] for value in values]), levels)


def _check_order(
    settings: Settings, entry: Entry, cells: Mapping[str, ObjectArray], sensitive: Sequence[ObjectArray]
) -> None:
    counts = np.array(
        [entry.counterfeits.get(label, 0) for label in range(1, len(sensitive) + 1)], dtype=np.int64
    )
    ordered = [cells[column.name] for column in settings.roles.quasi_identifiers]
    ranks = rank_classes(ordered, [group.tolist() for group in sensitive], counts)
    sorted_rows = all(group.tolist() == sorted(group) for group in sensitive)
    _require(
        sorted_rows and bool((np.diff(ranks) > 0).all()), "the order of the rows is not that of their content"
    )


def _check_signatures(
    settings: Settings, members: _Members, signatures: Sequence[Signature], after: History, before: History
) -> None:
    """Every person's signature is remembered, and is an old one or shares no value with the old ones."""
    persons = [person for person in members.ids.tolist() if person is not None]
    old = before.signatures_of(persons)
    new = after.signatures_of(persons)
    allow_disjoint = settings.on_update is OnUpdate.DISJOINT
    for person, label in zip(members.ids.tolist(), members.labels.tolist(), strict=True):
        if person is None:
            continue
        signature = signatures[label - 1]
        _require(signature in new.get(person, ()), "a signature is not in the history")
        earlier = old.get(person)
        if earlier and signature not in earlier:
            disjoint = allow_disjoint and not any(set(signature) & set(other) for other in earlier)
            _require(disjoint, "a class does not have a remembered signature")


def _require(holds: bool, fault: str) -> None:
    if not holds:
        raise MinvError(f"the release was not published, since its written files failed the check: {fault}")
