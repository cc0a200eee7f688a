"""Rules on the size of classes and the sensitive values in them."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray, pair_codes
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release
from minv_verifiers.outcome import Witness
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.signatures import sensitive_of
from minv_verifiers.wording import counted

TELLING = ("tuple with a sensitive value", "tuples with a sensitive value")
DIFFER = ("row differs from the first of its class", "rows differ from the first of their class")


@rule("m-unique", Group.MODEL, source="Xiao and Tao 2007, definition 2; m-invariance paper, definition 1")
def m_unique(dossier: Dossier) -> Iterator[Witness]:
    """Every class has at least m tuples, counterfeits included, and all their sensitive values are known and differ."""
    for release in dossier.releases:
        sensitive = sensitive_of(release)
        known = ~release.valueless
        yield from _small(release, dossier.claims.m, "m", TELLING, known)
        yield from _valueless(release)
        told = np.flatnonzero(known)
        for places in repeated_rows(pair_codes(release.class_of_row[told], sensitive[told])):
            rows = told[places]
            class_index = release.class_of_row[rows[0]]
            yield Witness(
                message=f"{len(rows)} tuples of one class share a sensitive value",
                size=len(rows) - 1,
                release=release.number,
                class_id=release.class_ids.text(class_index),
                rows=release.file_rows(rows),
                raw={"sensitive": dossier.value(sensitive[rows[0]])},
            )


@rule("k-anonymity", Group.MODEL, source="Samarati 2001; Sweeney 2002")
def k_anonymity(dossier: Dossier) -> Iterator[Witness]:
    """Every class has at least k rows; a missing or suppressed quasi-identifier is a value like any other."""
    for release in dossier.releases:
        everybody = np.ones(release.size, dtype=np.bool_)
        yield from _small(release, dossier.claims.m, "k", ("row", "rows"), everybody)


def _small(
    release: Release, least: int, letter: str, unit: tuple[str, str], judged: BoolArray
) -> Iterator[Witness]:
    sizes = np.bincount(release.class_of_row[judged], minlength=len(release.class_ids))
    for class_index in np.flatnonzero(sizes < least):
        size = int(sizes[class_index])
        yield Witness(
            message=f"{counted(size, *unit)}, fewer than {letter} = {least}",
            size=least - size,
            release=release.number,
            class_id=release.class_ids.text(class_index),
            rows=release.file_rows(release.groups.rows(class_index)),
        )


def _valueless(release: Release) -> Iterator[Witness]:
    """Classes with tuples whose value is not known: it may be that of another tuple of the class."""
    what = (
        "tuple has no sensitive value that would tell it from the others",
        "tuples have no sensitive value that would tell them from the others",
    )
    yield from by_class(release, np.flatnonzero(release.valueless), what)


def by_class(
    release: Release, rows: IntArray, what: tuple[str, str], column: str | None = None
) -> Iterator[Witness]:
    """Yield, for each class with some of these rows, how many and what is the matter with one, with several."""
    classes = release.class_of_row[rows]
    for class_index in np.unique(classes):
        own = rows[classes == class_index]
        yield Witness(
            message=counted(len(own), *what),
            size=len(own),
            release=release.number,
            class_id=release.class_ids.text(class_index),
            rows=release.file_rows(own),
            column=column,
        )


def repeated_rows(codes: IntArray) -> Iterator[IntArray]:
    """Return the rows of each code that occurs more than once, ascending."""
    order = np.argsort(codes, kind="stable")
    changes = np.flatnonzero(np.diff(codes[order])) + 1
    starts = np.concatenate([[0], changes])
    ends = np.append(changes, len(order))
    for position in np.flatnonzero(ends - starts > 1):
        yield order[starts[position] : ends[position]]
