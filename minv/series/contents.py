"""What a release consists of: its public and its private table."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pyarrow as pa

from minv.compiled import BoolArray, IntArray
from minv.errors import DataError
from minv.generalize import generalise, quasi_identifier_text, rank_classes, sensitive_cell
from minv.numerals import ObjectArray
from minv.series.columns import Column, to_table
from minv.series.history import Signature, sorted_signature
from minv.series.settings import Settings
from minv.tables.microdata import Microdata
from minv.wording import counted

NO_CLASS = -1


class Status(StrEnum):
    """What became of an input row that was not dropped for a missing value."""

    PUBLISHED = "published"
    SUPPRESSED = "suppressed"  # an update outside the signature
    DELETED = "deleted"  # left out so that the rest has a partition


@dataclass(frozen=True, eq=False)
class Assignment:
    """Who is in which class.

    Attributes
    ----------
    microdata
        n rows with ids.
    labels
        (n,) class 0..K-1, or NO_CLASS for a row that is not published; every class has a row.
    unpublished
        The status of each row without a class, by row.
    counterfeit_labels, counterfeit_values
        (c,) class and sensitive value of each counterfeit.
    """

    microdata: Microdata
    labels: IntArray
    unpublished: Mapping[int, Status]
    counterfeit_labels: IntArray
    counterfeit_values: tuple[str | None, ...] = ()

    @property
    def classes(self) -> int:
        """Number of classes, K."""
        return int(self.labels.max(initial=NO_CLASS)) + 1


@dataclass(frozen=True, eq=False)
class Contents:
    """The tables of a release.

    Attributes
    ----------
    counterfeits
        Number of counterfeits of each published class id that has some.
    signatures
        The signature of each published person.
    """

    public: pa.Table
    private: pa.Table
    counterfeits: Mapping[int, int]
    signatures: Mapping[str, Signature]


def make_contents(settings: Settings, assignment: Assignment) -> Contents:
    """Return the tables of a release, ordered by published content alone.

    Raises
    ------
    DataError
        A column to be published unchanged varies within a class.
    """
    microdata, labels, classes = assignment.microdata, assignment.labels, assignment.classes
    rows = np.flatnonzero(labels != NO_CLASS)
    real = microdata.take(rows)
    cells = {a.name: generalise(a, labels[rows], classes) for a in real.attributes}
    other = {name: _constant(name, texts, labels[rows], classes) for name, texts in real.other.items()}
    members = _Members.of(assignment, real, rows)
    counts = np.bincount(assignment.counterfeit_labels, minlength=classes)
    ranks = rank_classes(list(cells.values()), members.by_class(members.cells, classes), counts)
    order = np.array(
        sorted(range(len(members.labels)), key=lambda i: (ranks[members.labels[i]], members.cells[i])),
        dtype=np.int64,
    )
    sorted_labels = members.labels[order]
    public: dict[str, Column] = {"class": ranks[sorted_labels]}
    public |= {name: column[sorted_labels] for name, column in cells.items()}
    public[settings.roles.sensitive] = members.cells[order]
    public |= {name: column[sorted_labels] for name, column in other.items()}
    return Contents(
        public=to_table(public, nullable=False),
        private=_private_table(settings, assignment, members, order, ranks),
        counterfeits={int(ranks[label]): int(counts[label]) for label in np.flatnonzero(counts)},
        signatures=_signatures(real, labels[rows], members, classes),
    )


@dataclass(frozen=True, eq=False)
class _Members:
    """Everything that is published: real rows, then counterfeits (row NO_CLASS)."""

    rows: IntArray
    labels: IntArray
    values: ObjectArray
    cells: ObjectArray

    @classmethod
    def of(cls, assignment: Assignment, real: Microdata, rows: IntArray) -> "_Members":
        """Join the real rows and the counterfeits of an assignment."""
        added = np.empty(len(assignment.counterfeit_values), dtype=object)
        added[:] = assignment.counterfeit_values
        values = np.concatenate([real.sensitive_texts(), added])
        return cls(
            rows=np.concatenate([rows, np.full(len(added), NO_CLASS)]),
            labels=np.concatenate([assignment.labels[rows], assignment.counterfeit_labels]),
            values=values,
            cells=_mapped(sensitive_cell, values),
        )

    def by_class(self, column: ObjectArray, classes: int) -> list[list[str]]:
        """Return the entries of a column, class by class."""
        grouped: list[list[str]] = [[] for _ in range(classes)]
        for label, entry in zip(self.labels.tolist(), column.tolist(), strict=True):
            grouped[label].append(entry)
        return grouped


def _constant(name: str, texts: ObjectArray, labels: IntArray, classes: int) -> ObjectArray:
    """Return the one cell of each class of a column that is published unchanged."""
    found: defaultdict[int, set[str | None]] = defaultdict(set)
    for label, text in zip(labels.tolist(), texts.tolist(), strict=True):
        found[label].add(text)
    varying = sum(len(values) > 1 for values in found.values())
    if varying:
        raise DataError(
            f"column {name!r} varies within {varying} of {counted(classes, 'class', 'classes')}; "
            "declare it a quasi-identifier or "
            "leave it out"
        )
    return np.array([sensitive_cell(next(iter(found[label]))) for label in range(classes)], dtype=object)


def _signatures(real: Microdata, labels: IntArray, members: _Members, classes: int) -> dict[str, Signature]:
    signatures = [sorted_signature(values) for values in members.by_class(members.values, classes)]
    assert real.ids is not None
    return {
        person: signatures[label] for person, label in zip(real.ids.tolist(), labels.tolist(), strict=True)
    }


def _private_table(
    settings: Settings, assignment: Assignment, members: _Members, order: IntArray, ranks: IntArray
) -> pa.Table:
    """Return who is where: the published members in published order, then the others by id."""
    microdata = assignment.microdata
    assert microdata.ids is not None
    absent = sorted(assignment.unpublished, key=microdata.ids.__getitem__)
    rows = np.concatenate([members.rows[order], np.array(absent, dtype=np.int64)])
    classes = np.concatenate([ranks[members.labels[order]], np.full(len(absent), NO_CLASS)])
    statuses = [str(Status.PUBLISHED)] * len(order) + [str(assignment.unpublished[row]) for row in absent]
    unpublished_cells = [
        sensitive_cell(text) for text in microdata.take(rows[len(order) :]).sensitive_texts()
    ]
    counterfeit = rows == NO_CLASS
    columns: dict[str, Column] = {
        "id": _pick(microdata.ids, rows, counterfeit),
        "class": np.ma.MaskedArray(classes, mask=classes == NO_CLASS),
        "counterfeit": counterfeit,
        "status": np.array(statuses, dtype=object),
    }
    for attribute in microdata.attributes:
        columns[attribute.name] = _pick(_mapped(quasi_identifier_text, attribute.texts()), rows, counterfeit)
    sensitive = [*members.cells[order].tolist(), *unpublished_cells]
    columns[settings.roles.sensitive] = np.array(sensitive, dtype=object)
    return to_table(columns, nullable=True)


def _mapped(text_of: Callable[[str | None], str], values: ObjectArray) -> ObjectArray:
    """Return the text of each value; each different value is written once only."""
    listed = values.tolist()
    texts = {value: text_of(value) for value in set(listed)}
    return np.array([texts[value] for value in listed], dtype=object)


def _pick(texts: ObjectArray, rows: IntArray, counterfeit: BoolArray) -> ObjectArray:
    picked: ObjectArray = texts[rows]
    picked[counterfeit] = None
    return picked
