"""Rules on the make-up of a single release."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import dense, pair_codes
from minv_verifiers.careers import persons_of
from minv_verifiers.cells.column import CellColumn
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.rules.uniqueness import DIFFER, by_class, repeated_rows
from minv_verifiers.spelling import plain_spelling
from minv_verifiers.wording import counted


@rule("ids-unique", Group.SHAPE, source="m-invariance paper, section 2: one tuple a user")
def ids_unique(dossier: Dossier) -> Iterator[Witness]:
    """Nobody is published twice in one release."""
    for release in dossier.releases:
        persons = persons_of(release)
        known = np.flatnonzero(persons >= 0)
        for rows in repeated_rows(persons[known]):
            yield Witness(
                message=f"one id on {len(rows)} rows",
                size=len(rows) - 1,
                release=release.number,
                rows=release.file_rows(known[rows]),
                raw={"id": dossier.person(persons[known[rows[0]]])},
            )


@rule(
    "quasi-identifiers-equal", Group.SHAPE, source="docs/format.md, section 1; m-invariance paper, section 2"
)
def quasi_identifiers_equal(dossier: Dossier) -> Iterator[Witness]:
    """All rows of a class carry the same quasi-identifiers (where classes have ids of their own)."""
    for release in dossier.releases:
        require_cells(release)
        for name, column in release.cells.items():
            meanings = column.meanings[column.codes]
            first = meanings[release.groups.order[release.groups.starts[:-1]]]
            odd = np.flatnonzero(meanings != first[release.class_of_row])
            yield from by_class(release, odd, DIFFER, name)


def require_cells(release: Release) -> None:
    """Raise NotCheckable where no quasi-identifier is known."""
    if not release.cells:
        raise NotCheckable("no quasi-identifier was named (--qi)")


@rule("class-cells-distinct", Group.SHAPE, source="docs/format.md, section 2", advisory=True)
def class_cells_distinct(dossier: Dossier) -> Iterator[Witness]:
    """No two classes have equal quasi-identifiers: only the class id tells such classes apart."""
    for release in dossier.releases:
        require_cells(release)
        cells = np.zeros(len(release.class_ids), dtype=np.int64)
        firsts = release.groups.order[release.groups.starts[:-1]]
        for column in release.cells.values():
            cells, _ = dense(pair_codes(cells, column.meanings[column.codes[firsts]]))
        for classes in repeated_rows(cells):
            yield Witness(
                message=f"{len(classes)} classes have equal quasi-identifiers",
                size=len(classes) - 1,
                release=release.number,
                class_id=release.class_ids.text(classes[0]),
            )


@rule("suppressed-rows", Group.SHAPE, source="Samarati 2001: suppression", advisory=True)
def suppressed_rows(dossier: Dossier) -> Iterator[Witness]:
    """No row has all its quasi-identifiers suppressed; such rows are judged as one class like any other."""
    for release in dossier.releases:
        require_cells(release)
        starred = np.logical_and.reduce([_starred(column) for column in release.cells.values()])
        if starred.any():
            rows = np.flatnonzero(starred)
            yield Witness(
                message=f"{counted(len(rows), 'row has', 'rows have')} nothing but suppressed quasi-identifiers",
                size=len(rows),
                release=release.number,
                rows=release.file_rows(rows),
            )


def _starred(column: CellColumn) -> np.ndarray:
    return np.array([cell.normal == "anything" for cell in column.cells], dtype=np.bool_)[column.codes]


@rule("columns-without-role", Group.SHAPE, source="docs/format.md, section 2: other columns", advisory=True)
def columns_without_role(dossier: Dossier) -> Iterator[Witness]:
    """No published column without a role tells the rows of a class apart: it would be a quasi-identifier."""
    for release in dossier.releases:
        for name, codes in release.unassigned.items():
            first = codes[release.groups.order[release.groups.starts[:-1]]]
            odd = np.flatnonzero(codes != first[release.class_of_row])
            if len(odd):
                yield Witness(
                    message=f"{counted(len(odd), *DIFFER)}, and the column has no role",
                    size=len(odd),
                    release=release.number,
                    rows=release.file_rows(odd),
                    column=name,
                )


@rule("near-synonyms", Group.SHAPE, source="the limits of the guarantee, in the guide", advisory=True)
def near_synonyms(dossier: Dossier) -> Iterator[Witness]:
    """No two sensitive values differ only in case, blanks, Unicode form or the spelling of a number.

    They would count as different.
    """
    values = dossier.evidence.sensitive_values
    if values is None or dossier.evidence.defect:
        raise NotCheckable(dossier.evidence.defect or "no sensitive column was named (--sensitive)")
    spellings = defaultdict(list)
    for text in values.all:
        if text is not None:
            spellings[plain_spelling(text).casefold()].append(text)
    for alike in spellings.values():
        if len(alike) > 1:
            yield Witness(
                message=f"one sensitive value in {len(alike)} spellings",
                size=len(alike) - 1,
                raw={"sensitive": tuple(sorted(alike))},
            )
