"""What a release reaches, whatever is claimed."""

from dataclasses import dataclass

import numpy as np

from minv_verifiers.dossier import Dossier
from minv_verifiers.loss import normalised_certainty_penalty
from minv_verifiers.model import QuasiIdentifier, Release
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.rules.diversity import distinct_values, entropies
from minv_verifiers.rules.loss import recomputed_loss


@dataclass(frozen=True, slots=True)
class ReleaseMeasures:
    """Figures of one release.

    Attributes
    ----------
    release
        Its number.
    rows, classes, smallest_class, largest_class
        Counts.
    distinct_l, entropy_l
        The l-diversity that every class reaches; None without a sensitive column.
    counterfeits
        As declared; None where nothing is declared.
    il, ncp
        The loss, where the true values are known; the custodian's alone.
    """

    release: int
    rows: int
    classes: int
    smallest_class: int
    largest_class: int
    distinct_l: int | None = None
    entropy_l: float | None = None
    counterfeits: int | None = None
    il: float | None = None
    ncp: float | None = None


def measure(dossier: Dossier, release: Release) -> ReleaseMeasures:
    """Measure one release."""
    sizes = release.groups.sizes
    declared = release.declared_counterfeits
    has_values = release.sensitive is not None and release.size > 0
    has_truth = release.truth is not None and len(release.truth.real) > 0
    columns = dossier.evidence.quasi_identifiers
    return ReleaseMeasures(
        release=release.number,
        rows=release.size,
        classes=len(release.class_ids),
        smallest_class=int(sizes.min(initial=release.size)),
        largest_class=int(sizes.max(initial=0)),
        distinct_l=int(distinct_values(release).min()) if has_values else None,
        entropy_l=float(np.exp(entropies(release).min())) if has_values else None,
        counterfeits=sum(declared.values()) if declared is not None else None,
        il=_il(dossier, release) if has_truth else None,
        ncp=_ncp(release, columns) if has_truth else None,
    )


def _il(dossier: Dossier, release: Release) -> float | None:
    try:
        return recomputed_loss(dossier, release).il
    except NotCheckable:
        return None


def _ncp(release: Release, columns: tuple[QuasiIdentifier, ...]) -> float | None:
    return None if release.truth is None else normalised_certainty_penalty(release, release.truth, columns)
