"""Rules on the loss that the custodian's files claim."""

import math
from collections.abc import Iterator

from minv_verifiers.dossier import Dossier
from minv_verifiers.loss import Loss, Scaling, information_loss, normalised_certainty_penalty
from minv_verifiers.model import Release
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.registry import Group, rule

_TOLERANCE = 1e-6  # relative; two correct summations differ by far less


@rule("loss-recomputed", Group.PRIVATE, source="docs/format.md, section 4")
def loss_recomputed(dossier: Dossier) -> Iterator[Witness]:
    """Every recorded loss of a release (SSE, SST, IL) is what its private file gives."""
    for release in dossier.releases:
        claimed = _quality(dossier, release)
        found = recomputed_loss(dossier, release)
        for key, value in (("sse", found.sse), ("sst", found.sst), ("il", found.il)):
            stated = claimed.get(key)
            number = _number(stated)
            if not math.isclose(number, value, rel_tol=_TOLERANCE, abs_tol=1e-9):
                yield Witness(
                    message=f"the recorded {key} is not the recomputed one",
                    size=abs(number - value),
                    release=release.number,
                    raw={"recorded": stated, "recomputed": value},
                )


@rule("counts-recorded", Group.PRIVATE, source="docs/format.md, section 3")
def counts_recorded(dossier: Dossier) -> Iterator[Witness]:
    """Every recorded number of classes, counterfeits and suppressed tuples of a release is that of its files."""
    for release in dossier.releases:
        claimed, truth = _quality(dossier, release), dossier.truth(release)
        counts = {
            "m": dossier.claims.m,
            "classes": len(release.class_ids),
            "counterfeits": int(truth.counterfeit.sum()),
            "suppressed": int(truth.suppressed.sum()),
        }
        for key, value in counts.items():
            if claimed.get(key) != value:
                yield Witness(
                    message=f"the recorded number for {key} is not that of the files",
                    release=release.number,
                    raw={"recorded": claimed.get(key), "found": value},
                )


@rule("published-loss", Group.PRIVATE, source="docs/format.md, section 2")
def published_loss(dossier: Dossier) -> Iterator[Witness]:
    """Where the manifest publishes an IL, it is the recomputed one in two significant digits."""
    stated = {file.number: file.stated.get("il") for file in dossier.folder.files}
    if not any(value is not None for value in stated.values()):
        raise NotCheckable("the manifest publishes no loss")
    for release in dossier.releases:
        if (value := stated.get(release.number)) is None or not isinstance(value, (int, float)):
            continue
        il = recomputed_loss(dossier, release).il
        if not math.isclose(_number(value), float(f"{il:.2g}"), rel_tol=_TOLERANCE):
            yield Witness(
                message="the published IL is not the recomputed one in two significant digits",
                release=release.number,
                raw={"published": value, "recomputed": il},
            )


def _number(stated: object) -> float:
    """Return a recorded number; infinity for what is none, or is too large for one."""
    try:
        return float(stated) if isinstance(stated, (int, float)) else math.inf
    except OverflowError:
        return math.inf


def recomputed_loss(dossier: Dossier, release: Release) -> Loss:
    """SSE, SST and IL of a release."""
    truth = dossier.truth(release)
    return information_loss(release, truth, dossier.evidence.quasi_identifiers, scaling(dossier))


def scaling(dossier: Dossier) -> Scaling:
    """Weights and hierarchies of the series; for other input, the hierarchies that were given."""
    folder = dossier.evidence.folder
    if folder is None or folder.private is None:
        columns = dossier.evidence.quasi_identifiers
        return Scaling({}, {column.name: column.tree.ancestors for column in columns if column.tree})
    if folder.private.settings is None:
        raise NotCheckable("settings.json cannot be read")
    return Scaling(folder.private.settings.get("weights", {}), folder.private.settings.get("hierarchies", {}))


def _quality(dossier: Dossier, release: Release) -> dict[str, object]:
    recorded = dossier.folder.custodian().qualities[release.number - 1]
    if recorded is None:
        raise NotCheckable(f"the recorded quality of release {release.number} cannot be read")
    return dict(recorded)


@rule("loss-as-claimed", Group.CUSTODIAN, source="docs/format.md, section 4; Xu et al. 2006 for NCP")
def loss_as_claimed(dossier: Dossier) -> Iterator[Witness]:
    """Every IL or NCP that is claimed for a release is the one recomputed from the original table."""
    claims = dossier.claims
    if not claims.il and not claims.ncp:
        raise NotCheckable("no loss is claimed (--claimed-il, --claimed-ncp)")
    for index, release in enumerate(dossier.releases):
        truth = dossier.truth(release)
        columns = dossier.evidence.quasi_identifiers
        for name, stated, found in (
            ("IL", claims.il[index : index + 1], recomputed_loss(dossier, release).il),
            ("NCP", claims.ncp[index : index + 1], normalised_certainty_penalty(release, truth, columns)),
        ):
            if stated and not math.isclose(stated[0], found, rel_tol=_TOLERANCE, abs_tol=1e-9):
                yield Witness(
                    message=f"the claimed {name} is not the recomputed one",
                    size=abs(stated[0] - found),
                    release=release.number,
                    raw={"claimed": stated[0], "recomputed": found},
                )
