"""Rules that compare a release with the tuples behind it."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray
from minv_verifiers.cells.published import unescape_sensitive
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Original, Release, Truth
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.counterfeits import declared_by_class
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.rules.shape import require_cells
from minv_verifiers.rules.uniqueness import repeated_rows
from minv_verifiers.wording import counted

_SOURCE = "docs/format.md, section 3"


@rule("nobody-lost", Group.CUSTODIAN, source=_SOURCE)
def nobody_lost(dossier: Dossier) -> Iterator[Witness]:
    """Every tuple of the table is published exactly once, or recorded as suppressed, deleted or dropped."""
    for release, truth in _truths(dossier):
        published = truth.published.copy()
        published[truth.link[truth.linked]] = False
        yield from _rows_of(
            truth.source, np.flatnonzero(published), release, dossier, truth.persons, "is not published"
        )
        yield from _twice(release, truth, dossier)
    for release, _, original in _originals(dossier):
        absent = ~original.droppable
        absent[original.link[original.link >= 0]] = False
        yield from _rows_of(
            original.source,
            np.flatnonzero(absent),
            release,
            dossier,
            original.persons,
            "is not in the private part",
        )


def _twice(release: Release, truth: Truth, dossier: Dossier) -> Iterator[Witness]:
    """People recorded both as published and as left out; being published twice is another rule's affair."""
    people = np.flatnonzero(truth.persons >= 0)
    for rows in repeated_rows(truth.persons[people]):
        if not truth.published[people[rows]].all():
            yield Witness(
                message=f"one id on {len(rows)} rows of {truth.source}, not all of them published",
                size=len(rows) - 1,
                release=release.number,
                raw={"id": dossier.person(int(truth.persons[people[rows[0]]]))},
            )


@rule("nobody-invented", Group.CUSTODIAN, source=_SOURCE)
def nobody_invented(dossier: Dossier) -> Iterator[Witness]:
    """Every published row has a tuple of the table behind it, or is one of the counterfeits declared."""
    for release, truth in _truths(dossier):
        yield from _invented(release, truth)
    for release, truth, original in _originals(dossier):
        extra = np.flatnonzero((original.link < 0) & ~truth.counterfeit)
        yield from _rows_of(truth.source, extra, release, dossier, truth.persons, "is not in the table")


def _invented(release: Release, truth: Truth) -> Iterator[Witness]:
    unknown = truth.link < 0
    if release.counterfeit is not None:
        unknown &= ~release.counterfeit
        allowed = np.zeros(len(release.class_ids), dtype=np.int64)
    elif release.declared_counterfeits is not None:
        allowed = declared_by_class(release)
    else:
        allowed = np.zeros(len(release.class_ids), dtype=np.int64)
    counts = np.bincount(release.class_of_row[unknown], minlength=len(release.class_ids))
    for class_index in np.flatnonzero(counts > allowed):
        rows = release.groups.rows(class_index)
        yield Witness(
            message=f"{counted(counts[class_index], 'row')} without a tuple behind, {allowed[class_index]} allowed",
            size=int(counts[class_index] - allowed[class_index]),
            release=release.number,
            class_id=release.class_ids.text(class_index),
            rows=release.file_rows(rows[unknown[rows]]),
        )


@rule("sensitive-truthful", Group.CUSTODIAN, source=_SOURCE)
def sensitive_truthful(dossier: Dossier) -> Iterator[Witness]:
    """Every published sensitive value is the true value of the tuple behind the row."""
    for release, truth in _truths(dossier):
        if release.sensitive is None:
            raise NotCheckable("no sensitive column was named (--sensitive)")
        shown, true = release.sensitive[truth.linked], truth.sensitive[truth.link[truth.linked]]
        for place in np.flatnonzero(_misstated(dossier, shown, true)):
            row = truth.linked[place]
            yield Witness(
                message="the sensitive value is not the true one",
                release=release.number,
                class_id=release.class_ids.text(release.class_of_row[row]),
                rows=release.file_rows(np.array([row])),
                raw={"published": dossier.value(shown[place]), "true": dossier.value(true[place])},
            )
    for release, truth, original in _originals(dossier):
        found = np.flatnonzero(original.link >= 0)
        wrong = found[truth.sensitive[found] != original.sensitive[original.link[found]]]
        yield from _rows_of(
            truth.source, wrong, release, dossier, truth.persons, "has another sensitive value than the table"
        )


def _misstated(dossier: Dossier, shown: IntArray, true: IntArray) -> BoolArray:
    r"""Whether each published value is another than the true one.

    Those of a series were unescaped when they were read. A stranger's file is compared as it stands, or as our own
    format writes it (``a\\b`` for ``a\b``, ``\N`` for a missing value), but only where that makes every value with
    a backslash true: one file has one way of writing.
    """
    differs: BoolArray = shown != true
    values = dossier.evidence.sensitive_values
    if values is None or dossier.evidence.folder is not None or not differs.any():
        return differs
    texts = values.all
    escaped = np.array(["\\" in (text or "") for text in texts], dtype=np.bool_)[shown]
    pairs = set(zip(shown[escaped].tolist(), true[escaped].tolist(), strict=True))
    if all(_stands_for(texts[said], texts[meant]) for said, meant in pairs):
        differs &= ~escaped
    return differs


def _stands_for(cell: str | None, value: str | None) -> bool:
    try:
        return unescape_sensitive(cell or "") == (value or None)
    except ValueError:
        return False


@rule("cells-contain-truth", Group.CUSTODIAN, source="docs/format.md, section 1")
def cells_contain_truth(dossier: Dossier) -> Iterator[Witness]:
    """Every published cell that can be read contains the true value of every real tuple of its class."""
    for release, truth in _truths(dossier):
        require_cells(release)
        for name, cells in release.cells.items():
            values = truth.values[name]
            readable = truth.real[cells.readable[cells.codes[truth.real]]]
            outside = readable[~cells.admits(readable, values, truth.link[readable])]
            for row in outside:
                yield Witness(
                    message="the cell does not contain the true value",
                    release=release.number,
                    class_id=release.class_ids.text(release.class_of_row[row]),
                    rows=release.file_rows(np.array([row])),
                    column=name,
                    raw={
                        "published": cells.vocabulary.text(cells.codes[row]),
                        "true": values.vocabulary.text(values.codes[truth.link[row]]),
                    },
                )
    for release, truth, original in _originals(dossier):
        found = np.flatnonzero(original.link >= 0)
        for name, kept in truth.values.items():
            wrong = found[kept.differs(found, original.values[name], original.link[found])]
            yield from _rows_of(
                truth.source,
                wrong,
                release,
                dossier,
                truth.persons,
                f"has another value of {name} than the table",
            )


def _truths(dossier: Dossier) -> Iterator[tuple[Release, Truth]]:
    for release in dossier.releases:
        yield release, dossier.truth(release)


def _originals(dossier: Dossier) -> Iterator[tuple[Release, Truth, Original]]:
    for release, original in zip(dossier.releases, dossier.evidence.originals, strict=False):
        if original is not None and release.truth is not None:
            yield release, release.truth, original


def _rows_of(
    source: str, rows: IntArray, release: Release, dossier: Dossier, persons: IntArray, what: str
) -> Iterator[Witness]:
    """One witness for each row of a table that is not the release's own file."""
    for row in rows:
        yield Witness(
            message=f"row {row + 1} of {source} {what}",
            release=release.number,
            raw={"id": dossier.person(persons[row])} if persons[row] >= 0 else {},
        )
