"""Level 3: the true values of some others in the target's classes."""

import numpy as np

from minv_verifiers.attacks.inference import Inference, Posterior, gather, uniform
from minv_verifiers.attacks.intersection import worst_epoch
from minv_verifiers.attacks.observations import Observations
from minv_verifiers.dossier import Dossier

ASSUMPTION = "the attacker knows the values of the {others} people of the target's classes that tell most"
_REMARK = "only people who share a class with the target are counted, so chains of classes may tell more"


def know_others(observations: Observations, others: int) -> Inference:
    """Attack everybody: each known other value leaves the target's candidates, as long as another one remains."""
    dossier = observations.dossier
    plain = observations.plain_signature
    posteriors: list[Posterior] = []
    for place, signature in enumerate(plain.tolist()):
        if signature < 0:
            posteriors.append(worst_epoch(observations, place))
            continue
        own, companions = _true_values(dossier, observations, place)
        candidates = dossier.signatures.members(signature)
        known = [value for value in candidates.tolist() if value in companions and value != own][:others]
        posteriors.append(uniform([value for value in candidates.tolist() if value not in known]))
    return gather(
        3,
        ASSUMPTION.format(others=others),
        observations.persons.tolist(),
        posteriors,
        exact=False,
        remark=_REMARK,
    )


def _true_values(dossier: Dossier, observations: Observations, place: int) -> tuple[int, set[int]]:
    """Return the target's own value in the last release, and those of the real people beside the target there."""
    host = observations.hosts(place)[-1]
    release = dossier.releases[host.release]
    truth = dossier.truth(release)
    rows = release.groups.rows(host.class_index)
    rows = rows[truth.link[rows] >= 0]
    behind = truth.link[rows]
    real = ~truth.counterfeit[behind]
    values, people = truth.sensitive[behind[real]], truth.persons[behind[real]]
    person = observations.persons[place]
    own = values[np.flatnonzero(people == person)]
    return (int(own[0]) if len(own) else -1), set(values[people != person].tolist())
