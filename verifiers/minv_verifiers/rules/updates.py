"""Rules on people who are left out because their new sensitive value does not fit their signature."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from minv_verifiers.arrays import IntArray
from minv_verifiers.dossier import Dossier
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.vocabulary import name_of
from minv_verifiers.wording import counted

_SOURCE = "docs/format.md, section 3; the update policies of the guide"


class Suppression(NamedTuple):
    """Someone who takes part in a release but is left out of it; places are places in the careers."""

    release: int  # its index
    person: int
    value: int
    earlier: IntArray
    later: IntArray


def suppressions(dossier: Dossier) -> Iterator[Suppression]:
    """Yield every suppression that the custodian's side tells of, by release."""
    careers = dossier.careers
    for index, release in enumerate(dossier.releases):
        truth = dossier.truth(release)
        for row in np.flatnonzero(truth.suppressed & (truth.persons >= 0)):
            person = int(truth.persons[row])
            start, end = np.searchsorted(careers.persons, [person, person + 1])
            cut = start + np.searchsorted(careers.releases[start:end], index)
            yield Suppression(
                index, person, int(truth.sensitive[row]), np.arange(start, cut), np.arange(cut, end)
            )


@rule("suppressed-justified", Group.PRIVATE, source=_SOURCE)
def suppressed_justified(dossier: Dossier) -> Iterator[Witness]:
    """Someone is suppressed only when an earlier signature exists and lacks the person's new sensitive value."""
    careers = dossier.careers
    for case in suppressions(dossier):
        if not len(case.earlier):
            message = "one person is suppressed without an earlier signature"
        elif case.value in dossier.signatures.members(careers.signatures[case.earlier[-1]]):
            message = "one person is suppressed although the signature holds the new value"
        else:
            continue
        yield Witness(
            message=message,
            release=dossier.releases[case.release].number,
            raw={"id": dossier.person(case.person), "sensitive": dossier.value(case.value)},
        )


@rule("suppressed-resume", Group.PRIVATE, source=_SOURCE)
def suppressed_resume(dossier: Dossier) -> Iterator[Witness]:
    """Someone who was suppressed is next published under the signature from before."""
    if not dossier.claims.resumes_suppressed:
        raise NotCheckable("the series publishes updates under disjoint signatures instead")
    careers = dossier.careers
    for case in suppressions(dossier):
        if not len(case.earlier) or not len(case.later):
            continue
        before, after = careers.signatures[case.earlier[-1]], careers.signatures[case.later[0]]
        if before != after:
            yield Witness(
                message="one person resumes under another signature than before the suppression",
                release=dossier.releases[careers.releases[case.later[0]]].number,
                raw={
                    "id": dossier.person(case.person),
                    "before": dossier.signature(before),
                    "after": dossier.signature(after),
                },
            )


@rule("absence-uninformative", Group.PRIVATE, source=_SOURCE)
def absence_uninformative(dossier: Dossier) -> Iterator[Witness]:
    """When someone is suppressed, at least m values of the domain lie outside all earlier signatures of the person.

    The absence itself says that the new value is one of them.
    """
    for case in suppressions(dossier):
        signatures = np.unique(dossier.careers.signatures[case.earlier])
        told = {value for signature in signatures for value in dossier.signature(signature)}
        left = len(domain_at(dossier, case.release) - told)
        if left < dossier.claims.m:
            yield Witness(
                message=f"a suppression leaves {counted(left, 'possible value')}, fewer than m = {dossier.claims.m}",
                size=dossier.claims.m - left,
                release=dossier.releases[case.release].number,
                raw={"id": dossier.person(case.person)},
            )


def domain_at(dossier: Dossier, release: int) -> set[str]:
    """Return the domain in force at a release (its index), by names: what was declared or published until then."""
    settings = dossier.folder.custodian().settings
    if settings is None:
        raise NotCheckable("settings.json cannot be read")
    declared = set(map(name_of, settings.get("domain", [])))
    seen = [table.sensitive for table in dossier.releases[: release + 1] if table.sensitive is not None]
    told = declared | {dossier.value(code) for code in np.unique(np.concatenate(seen))}
    unknown = dossier.releases[release].unknown_value
    return told if unknown < 0 else told - {dossier.value(unknown)}
