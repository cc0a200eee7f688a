"""Rules on the signatures of one person over the releases."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import IntArray
from minv_verifiers.dossier import Dossier
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.signatures import require_values
from minv_verifiers.wording import counted, form


@rule("m-invariance", Group.MODEL, source="Xiao and Tao 2007, definition 3; m-invariance paper, definition 2")
def m_invariance(dossier: Dossier) -> Iterator[Witness]:
    """Within each lifespan of a person all classes that host the person have the same signature."""
    for career in dossier.careers.mixed(dossier.careers.lifespans):
        yield _witness(dossier, career, "within one lifespan")
    require_everybody(dossier)
    require_values(dossier.releases)


@rule("tau-safety", Group.MODEL, source="Anjum and Raschia 2013; m-invariance paper, definition 3")
def tau_safety(dossier: Dossier) -> Iterator[Witness]:
    """All classes that ever host a person have the same signature, within and across lifespans."""
    for career in dossier.careers.mixed(dossier.careers.persons):
        yield _witness(dossier, career, "over the series")
    require_everybody(dossier)
    require_values(dossier.releases)


@rule("no-return", Group.MODEL, source="m-invariance paper, definition 2: an external dynamic dataset")
def no_return(dossier: Dossier) -> Iterator[Witness]:
    """Nobody returns after an absence: m-invariance promises nothing to those who do (tau-safety does)."""
    for career in dossier.careers.returns():
        lifespans = len(np.unique(dossier.careers.lifespans[career]))
        yield Witness(
            message=f"one person takes part in {lifespans} separate lifespans ({_places(dossier, career)})",
            size=lifespans - 1,
            raw={"id": dossier.person(dossier.careers.persons[career[0]])},
        )
    require_everybody(dossier)


@rule(
    "equal-or-disjoint", Group.MODEL, source="Zhu et al. 2019: signatures are equal or have no intersection"
)
def equal_or_disjoint(dossier: Dossier) -> Iterator[Witness]:
    """Any two signatures of one person are the same set or have no value in common."""
    for career in dossier.careers.mixed(dossier.careers.persons):
        signatures = np.unique(dossier.careers.signatures[career])
        members = np.concatenate([dossier.signatures.members(signature) for signature in signatures])
        shared = len(members) - len(np.unique(members))
        if shared:
            yield _witness(dossier, career, "over the series that overlap without being equal")
    require_everybody(dossier)
    require_values(dossier.releases)


def require_everybody(dossier: Dossier) -> None:
    """Raise NotCheckable where rows may be those of people whose other signatures nobody compared."""
    for release in dossier.releases:
        if release.unidentified:
            state = form(release.unidentified, "has no id and is", "have no id and are")
            raise NotCheckable(
                f"{counted(release.unidentified, 'row')} of release {release.number} {state} not said to be"
                " counterfeits (--counterfeit, --counterfeit-counts)"
            )


def _witness(dossier: Dossier, career: IntArray, span: str) -> Witness:
    careers = dossier.careers
    different = len(np.unique(careers.signatures[career]))
    return Witness(
        message=f"one person has {different} signatures {span} ({_places(dossier, career)})",
        size=different - 1,
        raw={
            "id": dossier.person(careers.persons[career[0]]),
            "signatures": {
                f"release {dossier.releases[careers.releases[place]].number}": dossier.signature(
                    careers.signatures[place]
                )
                for place in career
            },
        },
    )


def _places(dossier: Dossier, career: IntArray) -> str:
    """Where the person stands in each release, as far as it tells one signature or lifespan from the next."""
    places = []
    for place in career[:10]:
        release = dossier.releases[dossier.careers.releases[place]]
        row = release.file_rows(dossier.careers.rows[place : place + 1])[0]
        places.append(f"release {release.number} row {row}")
    return ", ".join(places) + (", ..." if len(career) > 10 else "")
