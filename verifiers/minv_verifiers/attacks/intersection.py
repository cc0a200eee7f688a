"""Level 0: one target, whose classes the attacker knows, in some releases."""

from collections.abc import Sequence

import numpy as np

from minv_verifiers.attacks.inference import Inference, Posterior, gather, uniform
from minv_verifiers.attacks.observations import Host, Observations

ASSUMPTION = (
    "the attacker knows in which class the target stands in each release, nothing about anybody else, and that the "
    "value lasts unless the classes rule that out"
)


def intersect(observations: Observations) -> Inference:
    """Attack everybody one by one: the values common to all classes of the target, by their frequencies there."""
    plain = observations.plain_signature
    signatures = observations.dossier.signatures
    cached = {
        signature: uniform(signatures.members(signature))
        for signature in np.unique(plain[plain >= 0]).tolist()
    }
    posteriors: list[Posterior] = [
        cached[signature] if signature >= 0 else worst_epoch(observations, place)
        for place, signature in enumerate(plain.tolist())
    ]
    return gather(0, ASSUMPTION, observations.persons.tolist(), posteriors)


def worst_epoch(observations: Observations, place: int) -> Posterior:
    """Return the posterior of the time about which the attacker is surest."""
    epochs = observations.epochs(observations.hosts(place))
    return max((shared_values(observations, epoch) for epoch in epochs), key=lambda one: max(one.values()))


def shared_values(observations: Observations, hosts: Sequence[Host]) -> dict[int, float]:
    """Return the values in all these classes; each has the product of its frequencies, normalised."""
    first, *others = (observations.counts(host) for host in hosts)
    weights = {value: float(count) for value, count in first.items()}
    for counts in others:
        weights = {value: weight * counts[value] for value, weight in weights.items() if value in counts}
        largest = max(weights.values())  # keeps long products within range
        weights = {value: weight / largest for value, weight in weights.items()}
    total = sum(weights.values())
    return {value: weight / total for value, weight in weights.items()}
