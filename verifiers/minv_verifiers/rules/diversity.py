"""Rules on the diversity of the sensitive values of a class."""

import math
from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import FloatArray, IntArray, dense, pair_codes
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.signatures import sensitive_of
from minv_verifiers.wording import counted

_ROUNDING = 1e-9  # relative: l equal frequencies have entropy log l up to rounding


@rule("distinct-l-diversity", Group.MODEL, source="Machanavajjhala et al. 2007, section 4")
def distinct_l_diversity(dossier: Dossier) -> Iterator[Witness]:
    """Every class has at least l different sensitive values; one that is not known counts as one of the others."""
    least = dossier.claims.l_distinct
    if least is None:
        raise NotCheckable("no l was given (--l)")
    for release in dossier.releases:
        counts = distinct_values(release)
        for class_index in np.flatnonzero(counts < least):
            yield Witness(
                message=f"{counted(counts[class_index], 'different sensitive value')}, fewer than l = {least}",
                size=int(least - counts[class_index]),
                release=release.number,
                class_id=release.class_ids.text(class_index),
            )


@rule("entropy-l-diversity", Group.MODEL, source="Machanavajjhala et al. 2007, definition 4.1")
def entropy_l_diversity(dossier: Dossier) -> Iterator[Witness]:
    """In every class the entropy of the sensitive values is at least log l; those not known count as the commonest."""
    least = dossier.claims.l_entropy
    if least is None:
        raise NotCheckable("no l was given (--entropy-l)")
    for release in dossier.releases:
        effective = np.exp(entropies(release))
        for class_index in np.flatnonzero(effective < least * (1 - _ROUNDING)):
            yield Witness(
                message=f"an entropy of log {effective[class_index]:.4g}, less than log l = log {least:g}",
                size=float(math.log(least) - math.log(effective[class_index])),
                release=release.number,
                class_id=release.class_ids.text(class_index),
            )


def distinct_values(release: Release) -> IntArray:
    """Return the least number of different sensitive values that each class can have."""
    owners, _ = value_counts(release)
    counts = np.bincount(owners, minlength=len(release.class_ids))
    return np.maximum(counts, np.minimum(release.groups.sizes, 1)).astype(np.int64)


def entropies(release: Release) -> FloatArray:
    """Return the least entropy (nats) that the sensitive values of each class can have."""
    owners, counts = value_counts(release)
    counts = counts + _unknown_as_commonest(release, owners, counts)
    shares = counts / release.groups.sizes[owners]
    terms: FloatArray = -shares * np.log(shares)
    return np.bincount(owners, weights=terms, minlength=len(release.class_ids)).astype(np.float64)


def value_counts(release: Release) -> tuple[IntArray, IntArray]:
    """For each pair of a class and one of its known sensitive values: the class, and how many rows have it."""
    sensitive, known = sensitive_of(release), np.flatnonzero(~release.valueless)
    pairs, count = dense(pair_codes(release.class_of_row[known], sensitive[known]))
    owners = np.zeros(count, dtype=np.int64)
    owners[pairs] = release.class_of_row[known]
    return owners, np.bincount(pairs, minlength=count).astype(np.int64)


def _unknown_as_commonest(release: Release, owners: IntArray, counts: IntArray) -> IntArray:
    """Return how many rows without a value each pair may have more: all of its class, at the commonest value.

    No other way to fill them in leaves less entropy: it is Schur-concave, and these counts majorise all others.
    """
    unknown = np.bincount(release.class_of_row[release.valueless], minlength=len(release.class_ids))
    order = np.lexsort([counts, owners])
    commonest = order[np.flatnonzero(np.diff(owners[order], append=-1))]
    more = np.zeros(len(counts), dtype=np.int64)
    more[commonest] = unknown[owners[commonest]]
    return more
