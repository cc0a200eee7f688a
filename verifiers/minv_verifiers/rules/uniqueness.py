"""Rules on the size of classes and the sensitive values in them."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import IntArray, pair_codes
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release
from minv_verifiers.outcome import Witness
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.signatures import sensitive_of


@rule("m-unique", Group.MODEL, source="Xiao and Tao 2007, definition 2; m-invariance paper, definition 1")
def m_unique(dossier: Dossier) -> Iterator[Witness]:
    """Every class has at least m tuples, counterfeits included, and all their sensitive values differ."""
    for release in dossier.releases:
        sensitive = sensitive_of(release)
        yield from _small(release, dossier.claims.m, "m", "tuples")
        for rows in repeated_rows(pair_codes(release.class_of_row, sensitive)):
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
        yield from _small(release, dossier.claims.m, "k", "rows")


def _small(release: Release, least: int, letter: str, unit: str) -> Iterator[Witness]:
    for class_index in np.flatnonzero(release.groups.sizes < least):
        size = int(release.groups.sizes[class_index])
        yield Witness(
            message=f"{size} {unit}, fewer than {letter} = {least}",
            size=least - size,
            release=release.number,
            class_id=release.class_ids.text(class_index),
            rows=release.file_rows(release.groups.rows(class_index)),
        )


def repeated_rows(codes: IntArray) -> Iterator[IntArray]:
    """Return the rows of each code that occurs more than once, ascending."""
    order = np.argsort(codes, kind="stable")
    changes = np.flatnonzero(np.diff(codes[order])) + 1
    starts = np.concatenate([[0], changes])
    ends = np.append(changes, len(order))
    for position in np.flatnonzero(ends - starts > 1):
        yield order[starts[position] : ends[position]]
