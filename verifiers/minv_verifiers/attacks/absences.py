"""Level 2: absences, which say of someone suppressed that the new value lies outside the signature."""

import numpy as np

from minv_verifiers.attacks.inference import Inference, Posterior, gather, uniform
from minv_verifiers.attacks.observations import Observations
from minv_verifiers.rules.updates import domain_at, suppressions

ASSUMPTION = (
    "the attacker knows who takes part but is left out of a release, why people are left out, and the domain of "
    "values"
)


def read_absences(observations: Observations) -> Inference:
    """Attack everybody suppressed: the new value lies outside all earlier signatures."""
    dossier = observations.dossier
    values = dossier.evidence.sensitive_values
    # A declared value that was never published has no code; it gets one behind those of the series.
    codes = {} if values is None else values.codes_by_name()
    persons: list[int] = []
    posteriors: list[Posterior] = []
    for case in suppressions(dossier):
        if case.release not in observations.seen:
            continue
        told = {
            value
            for signature in np.unique(dossier.careers.signatures[case.earlier])
            for value in dossier.signature(signature)
        }
        outside = sorted(domain_at(dossier, case.release) - told)
        persons.append(case.person)
        posteriors.append(uniform([codes.setdefault(value, len(codes)) for value in outside]))
    named = tuple(codes)[len(values or ()) :]
    return gather(2, ASSUMPTION, persons, posteriors, unpublished=named)
