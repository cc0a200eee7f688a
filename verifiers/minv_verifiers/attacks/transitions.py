"""Level 4: how values change from one release to the next."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import FloatArray
from minv_verifiers.attacks.inference import Inference, Posterior, gather
from minv_verifiers.attacks.observations import Host, Observations

ASSUMPTION = (
    "the attacker knows the target's classes and how likely each value follows another between two releases"
)


@dataclass(frozen=True, eq=False)
class Transitions:
    """A Markov chain on the sensitive values.

    Attributes
    ----------
    matrix
        (L, L) probability of the column's value after the row's, for all codes.
    """

    matrix: FloatArray

    @classmethod
    def persistent(cls, values: Sequence[int], count: int) -> "Transitions":
        """Return a chain in which some values stay for ever and every other may become anything."""
        matrix = np.full((count, count), 1.0 / count)
        for value in values:
            matrix[value] = 0.0
            matrix[value, value] = 1.0
        return cls(matrix)


def follow(observations: Observations, transitions: Transitions) -> Inference:
    """Attack everybody by the forward-backward recursion; people with the same classes are done once."""
    posteriors: list[Posterior] = []
    known: dict[tuple[tuple[int, tuple[tuple[int, int], ...]], ...], Posterior] = {}
    for place in range(len(observations.persons)):
        hosts = observations.hosts(place)
        key = tuple((host.release, tuple(sorted(observations.counts(host).items()))) for host in hosts)
        if key not in known:
            known[key] = _surest(observations, hosts, transitions)
        posteriors.append(known[key])
    return gather(4, ASSUMPTION, observations.persons.tolist(), posteriors)


def _surest(observations: Observations, hosts: Sequence[Host], transitions: Transitions) -> Posterior:
    """Return the posterior of the release about which the attacker is surest."""
    smoothed = _smooth(_emissions(observations, hosts, len(transitions.matrix)), _steps(hosts, transitions))
    surest = smoothed[int(np.argmax(smoothed.max(axis=1)))]
    return {int(value): float(surest[value]) for value in np.flatnonzero(surest > 0)}


def _emissions(observations: Observations, hosts: Sequence[Host], count: int) -> FloatArray:
    table = np.zeros((len(hosts), count))
    for row, host in enumerate(hosts):
        for value, times in observations.counts(host).items():
            table[row, value] = times
    return table


def _steps(hosts: Sequence[Host], transitions: Transitions) -> list[FloatArray]:
    """Return the chain from each release of the target to the next one, absences included."""
    gaps = np.diff([host.release for host in hosts])
    return [np.linalg.matrix_power(transitions.matrix, int(gap)) for gap in gaps]


def _smooth(emissions: FloatArray, steps: Sequence[FloatArray]) -> FloatArray:
    """Return the probability of each value at each time, given all classes and a uniform start."""
    forward, backward = emissions.copy(), np.ones_like(emissions)
    for time, step in enumerate(steps):
        forward[time] /= forward[time].sum() or 1.0
        forward[time + 1] *= forward[time] @ step
    for time in range(len(steps) - 1, -1, -1):
        backward[time] = steps[time] @ (emissions[time + 1] * backward[time + 1])
        backward[time] /= backward[time].sum() or 1.0
    joint = forward * backward
    totals = joint.sum(axis=1, keepdims=True)
    # A chain that allows no such series says nothing: each class then speaks for itself.
    alone = emissions / emissions.sum(axis=1, keepdims=True)
    return np.where(totals > 0, joint / np.where(totals > 0, totals, 1.0), alone)
