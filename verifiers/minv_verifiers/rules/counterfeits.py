"""Rules on counterfeits: how many a class is said to have, and which they are."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import IntArray
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.wording import counted, form

_FORMAT = "docs/format.md, section 2"


@rule("counterfeit-counts", Group.SHAPE, source=f"Xiao and Tao 2007, section 4; {_FORMAT}")
def counterfeit_counts(dossier: Dossier) -> Iterator[Witness]:
    """Every published number of counterfeits belongs to a class of the release, and is at least 1."""
    for release in dossier.releases:
        known = set(release.class_ids.all)
        for class_id, count in _declared(release).items():
            if class_id not in known:
                message = "counterfeits are declared for a class that the release does not have"
            elif count < 1:
                message = f"{counted(count, 'counterfeit is', 'counterfeits are')} declared; a class without is omitted"
            else:
                continue
            yield Witness(message=message, release=release.number, class_id=class_id)


@rule("real-tuple", Group.SHAPE, source="the core model, in the guide")
def real_tuple(dossier: Dossier) -> Iterator[Witness]:
    """Every class has at least one tuple that is not a counterfeit."""
    for release in dossier.releases:
        made_up = flagged(release) if release.counterfeit is not None else declared_by_class(release)
        for class_index in np.flatnonzero(made_up >= release.groups.sizes):
            yield Witness(
                message=f"{counted(made_up[class_index], 'counterfeit')} in a class of "
                f"{release.groups.sizes[class_index]}",
                release=release.number,
                class_id=release.class_ids.text(class_index),
            )


@rule("counterfeit-flags", Group.CUSTODIAN, source=f"{_FORMAT} and 3")
def counterfeit_flags(dossier: Dossier) -> Iterator[Witness]:
    """In every class as many rows are marked as counterfeits as the public side declares."""
    for release in dossier.releases:
        if release.counterfeit is None:
            dossier.truth(release)
            raise NotCheckable("no column marks the counterfeits (--counterfeit)")
        marked, declared = flagged(release), declared_by_class(release)
        for class_index in np.flatnonzero(marked != declared):
            yield Witness(
                message=f"{marked[class_index]} marked as "
                f"{form(marked[class_index], 'a counterfeit', 'counterfeits')}, {declared[class_index]} declared",
                size=abs(int(marked[class_index] - declared[class_index])),
                release=release.number,
                class_id=release.class_ids.text(class_index),
            )


def _declared(release: Release) -> dict[str, int]:
    if release.declared_counterfeits is None:
        raise NotCheckable("nothing is published about the number of counterfeits")
    return dict(release.declared_counterfeits)


def declared_by_class(release: Release) -> IntArray:
    """Return number of counterfeits declared for each class; raises NotCheckable where nothing is declared."""
    declared = _declared(release)
    if not declared:
        return np.zeros(len(release.class_ids), dtype=np.int64)
    return np.array([declared.get(text or "", 0) for text in release.class_ids.all], dtype=np.int64)


def flagged(release: Release) -> IntArray:
    """Return number of rows of each class that are marked as counterfeits."""
    marked = (
        release.class_of_row[release.counterfeit] if release.counterfeit is not None else np.zeros(0, int)
    )
    return np.bincount(marked, minlength=len(release.class_ids)).astype(np.int64)
