"""Level 6: the attacker replays the publisher's objective, by enumeration on small tables."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import FloatArray
from minv_verifiers.attacks.inference import Inference, Posterior, gather
from minv_verifiers.attacks.observations import Host, Observations
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release, Truth
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.wording import counted

ASSUMPTION = (
    "the attacker knows everybody's quasi-identifiers and earlier signatures, and that the release has the fewest "
    "counterfeits and then the least loss: worlds in which another one would have been better are ruled out"
)
MOST_PEOPLE = 10
_MOST_WORLDS = 5_000
_SAME = 1e-9  # relative: equal sums of squares up to rounding

Cost = tuple[int, float]  # counterfeits, then the sum of squares
_NEVER: Cost = (10**9, math.inf)


@dataclass(frozen=True, slots=True)
class Person:
    """Someone in the release: encoded quasi-identifiers and the signature from before, if any."""

    point: FloatArray
    signature: frozenset[int] | None


def replay(observations: Observations, index: int) -> Inference:
    """Attack one release.

    Raises
    ------
    NotCheckable
        The true quasi-identifiers are unknown, or there are too many people or worlds.
    """
    dossier = observations.dossier
    release = dossier.releases[index]
    truth = dossier.truth(release)
    hosts = {host: places for host, places in observations.members.items() if host.release == index}
    places = [int(place) for own in hosts.values() for place in own]
    if len(places) > MOST_PEOPLE:
        raise NotCheckable(
            f"the release has {counted(len(places), 'person', 'people')}; enumeration is for at most {MOST_PEOPLE}"
        )
    people = _people(dossier, observations, release, truth, places)
    classes = [(tuple(places.index(int(place)) for place in own), host) for host, own in hosts.items()]
    kept = _consistent_worlds(observations, people, classes, dossier.claims.m)
    posteriors: list[Posterior] = []
    for position in range(len(places)):
        values = [world[position] for world in kept]
        posteriors.append({value: values.count(value) / len(values) for value in sorted(set(values))})
    return gather(6, ASSUMPTION, observations.persons[places].tolist(), posteriors)


def _people(
    dossier: Dossier, observations: Observations, release: Release, truth: Truth, places: Sequence[int]
) -> list[Person]:
    points = _points(dossier, truth)
    row_of = {int(person): row for row, person in enumerate(truth.persons) if person >= 0}
    result = []
    for place in places:
        person = int(observations.persons[place])
        earlier = [host for host in observations.hosts(place) if host.release < release.number - 1]
        signature = frozenset(observations.counts(earlier[-1])) if earlier else None
        result.append(Person(points[row_of[person]], signature))
    return result


def _points(dossier: Dossier, truth: Truth) -> FloatArray:
    """Encode the true quasi-identifiers: z-scores, or 0/1 coordinates of unit total variance."""
    shown = truth.link[truth.real]
    columns = []
    for column in dossier.evidence.quasi_identifiers:
        values = truth.values[column.name]
        numbers = values.numbers[values.codes]
        axes = numbers[:, None] if not np.isnan(numbers[shown]).any() else _indicators(values.codes)
        spread = math.sqrt(float(axes[shown].var(axis=0).sum()))
        columns.append((axes - axes[shown].mean(axis=0)) / spread if spread > 0 else np.zeros_like(axes))
    return np.hstack(columns)


def _indicators(codes: np.ndarray) -> FloatArray:
    return np.asarray(codes[:, None] == np.unique(codes)[None, :], dtype=np.float64)


def _consistent_worlds(
    observations: Observations,
    people: Sequence[Person],
    classes: Sequence[tuple[tuple[int, ...], Host]],
    m: int,
) -> list[tuple[int, ...]]:
    """Return the worlds in which the published classes are optimal; all worlds if there is none."""
    loss = {mask: _squares(people, mask) for mask in range(1, 1 << len(people))}
    worlds = list(itertools.islice(_worlds(observations, len(people), classes), _MOST_WORLDS + 1))
    if len(worlds) > _MOST_WORLDS:
        raise NotCheckable(f"more than {_MOST_WORLDS} worlds fit the release")
    published = _published_cost(observations, loss, classes)
    kept = []
    for world in worlds:
        counterfeits, squares = best_cost(people, world, m, loss)
        if published[0] == counterfeits and math.isclose(published[1], squares, rel_tol=_SAME, abs_tol=_SAME):
            kept.append(world)
    return kept or worlds


def _worlds(
    observations: Observations, size: int, classes: Sequence[tuple[tuple[int, ...], Host]]
) -> Iterator[tuple[int, ...]]:
    """Yield every assignment of a class's values to its members, in all classes."""
    options = []
    for members, host in classes:
        values = sorted(observations.counts(host).elements())
        options.append(sorted(set(itertools.permutations(values, len(members)))))
    for choice in itertools.product(*options):
        world = [0] * size
        for (members, _), given in zip(classes, choice, strict=True):
            for member, value in zip(members, given, strict=True):
                world[member] = value
        yield tuple(world)


def _squares(people: Sequence[Person], mask: int) -> float:
    points = np.array([person.point for place, person in enumerate(people) if mask >> place & 1])
    return float(((points - points.mean(axis=0)) ** 2).sum())


def _published_cost(
    observations: Observations, loss: dict[int, float], classes: Sequence[tuple[tuple[int, ...], Host]]
) -> Cost:
    counterfeits = sum(observations.counts(host).total() - len(members) for members, host in classes)
    return counterfeits, sum(loss[sum(1 << member for member in members)] for members, _ in classes)


def best_cost(people: Sequence[Person], world: Sequence[int], m: int, loss: dict[int, float]) -> Cost:
    """Return the least cost of a partition of these people with these values, by dynamic programming over subsets.

    A class of newcomers has m to 2m-1 different values; one of people with a signature has exactly that signature,
    filled by newcomers where they fit and else by counterfeits.
    """
    full = (1 << len(people)) - 1
    cost = {mask: _class_cost(people, world, m, mask, loss[mask]) for mask in range(1, full + 1)}
    best: list[Cost] = [_NEVER] * (full + 1)
    best[0] = (0, 0.0)
    for mask in range(1, full + 1):
        lowest = mask & -mask
        part = mask
        while part:
            if part & lowest and cost[part] != _NEVER and best[mask ^ part] != _NEVER:
                rest = best[mask ^ part]
                best[mask] = min(best[mask], (rest[0] + cost[part][0], rest[1] + cost[part][1]))
            part = (part - 1) & mask
    return best[full]


def _class_cost(people: Sequence[Person], world: Sequence[int], m: int, mask: int, squares: float) -> Cost:
    members = [place for place in range(len(people)) if mask >> place & 1]
    values = {world[place] for place in members}
    if len(values) < len(members):
        return _NEVER
    required = {people[place].signature for place in members} - {None}
    if not required:
        return (0, squares) if m <= len(members) <= 2 * m - 1 else _NEVER
    signature = next(iter(required))
    if len(required) > 1 or signature is None or not values <= signature:
        return _NEVER
    return len(signature) - len(members), squares
