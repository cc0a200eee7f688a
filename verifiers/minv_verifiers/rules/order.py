"""Rules that the published content alone decides its own spelling and order."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import IntArray
from minv_verifiers.cells.column import Unreadable
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.counterfeits import declared_by_class
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.wording import counted


@rule("cells-canonical", Group.FORMAT, source="docs/format.md, section 1")
def cells_canonical(dossier: Dossier) -> Iterator[Witness]:
    """Every cell follows the grammar of its column, in its one canonical spelling."""
    dossier.require_folder()
    for release in dossier.releases:
        columns = dict(release.cells)
        if release.sensitive_cells is not None:
            columns["the sensitive one"] = release.sensitive_cells
        for name, column in columns.items():
            for code, cell in enumerate(column.cells):
                if not isinstance(cell, Unreadable):
                    continue
                rows = np.flatnonzero(column.codes == code)
                if len(rows):
                    yield Witness(
                        message=f"the cell is {cell.reason}",
                        size=len(rows),
                        release=release.number,
                        rows=release.file_rows(rows),
                        column=name,
                        raw={"cell": cell.text},
                    )


@rule("class-order", Group.FORMAT, source="docs/format.md, section 2")
def class_order(dossier: Dossier) -> Iterator[Witness]:
    """Class ids are 1..K in the order of cells, sensitive values and number of counterfeits, as text by code points."""
    dossier.require_folder()
    for release in dossier.releases:
        ids = _numbers(release)
        if not np.array_equal(np.sort(ids), np.arange(1, len(ids) + 1)):
            yield Witness(message=f"the class ids are not 1..{len(ids)}", release=release.number)
            continue
        for place in _misplaced(release, np.argsort(ids)):
            yield Witness(
                message="the class belongs after the next one",
                release=release.number,
                class_id=release.class_ids.text(place),
            )


def _numbers(release: Release) -> IntArray:
    """Return the class ids as numbers; 0 for what is none."""
    texts = [text or "" for text in release.class_ids.all]
    whole = [text.isascii() and text.isdecimal() and len(text) < 19 for text in texts]
    return np.array(
        [int(text) if good else 0 for text, good in zip(texts, whole, strict=True)], dtype=np.int64
    )


def _misplaced(release: Release, order: IntArray) -> IntArray:
    """Return the classes that are greater than their successor in `order`."""
    firsts = release.groups.order[release.groups.starts[:-1]][order]
    verdict = np.zeros(len(order) - 1, dtype=np.int64)
    for column in release.cells.values():
        ranks = _ranks(column.vocabulary.all)[column.codes[firsts]]
        verdict = np.where(verdict == 0, np.sign(np.diff(ranks)), verdict)
    ranks = _sensitive_ranks(release)
    declared = declared_by_class(release)
    for place in np.flatnonzero(verdict == 0):
        this, following = (
            (sorted(ranks[release.groups.rows(index)].tolist()), int(declared[index]))
            for index in order[place : place + 2]
        )
        verdict[place] = -1 if this > following else 1
    return order[:-1][verdict < 0]


def _sensitive_ranks(release: Release) -> IntArray:
    column = release.sensitive_cells
    if column is None:
        raise NotCheckable("the sensitive cells are not there as published text")
    return _ranks(column.vocabulary.all)[column.codes]


def _ranks(texts: list[str | None]) -> IntArray:
    """Return the rank of each text by code points."""
    order = sorted(range(len(texts)), key=lambda code: "\\N" if (text := texts[code]) is None else text)
    ranks = np.empty(len(texts), dtype=np.int64)
    ranks[order] = np.arange(len(texts))
    return ranks


@rule("row-order", Group.FORMAT, source="docs/format.md, section 2")
def row_order(dossier: Dossier) -> Iterator[Witness]:
    """Rows are sorted by class, then by the sensitive cell."""
    dossier.require_folder()
    for release in dossier.releases:
        ranks = _sensitive_ranks(release)
        numbers = _numbers(release)
        if not numbers.all():
            raise NotCheckable("the class ids are no positive numbers")
        ids = numbers[release.class_of_row]
        wrong = np.flatnonzero((ids[:-1] > ids[1:]) | ((ids[:-1] == ids[1:]) & (ranks[:-1] > ranks[1:])))
        if len(wrong):
            yield Witness(
                message=f"{counted(len(wrong), 'row belongs', 'rows belong')} after the next one",
                size=len(wrong),
                release=release.number,
                rows=release.file_rows(wrong),
            )
