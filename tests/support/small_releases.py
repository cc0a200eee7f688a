"""Every cluster and the best release of a few points with required signatures, by trying everything."""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from coloured_clusters import Members, feasible_clusters, squared_error

from minv.instance import FREE, Instance


class Cluster(NamedTuple):
    """Some points, ascending, and the counterfeits that complete them."""

    members: Members
    counterfeits: int


def feasible_release_clusters(
    colours: np.ndarray, required: np.ndarray, signatures: tuple[tuple[int, ...], ...], m: int, max_size: int
) -> list[Cluster]:
    """Free clusters of free points; for each signature S its points and free ones, no colour twice."""
    free = np.flatnonzero(required == FREE)
    found = [
        Cluster(tuple(free[list(members)].tolist()), 0)
        for members in feasible_clusters(colours[free], m, max_size)
    ]
    for index, signature in enumerate(signatures):
        usable = np.flatnonzero((required == index) | ((required == FREE) & np.isin(colours, signature)))
        found += [
            Cluster(members, len(signature) - size)
            for size in range(1, len(signature) + 1)
            for members in combinations(usable.tolist(), size)
            if len(set(colours[list(members)].tolist())) == size and (required[list(members)] == index).any()
        ]
    return found


def least_release(instance: Instance) -> tuple[float, float]:
    """Fewest counterfeits and, with so few, the least SSE; infinite where there is no release."""
    assert instance.required is not None
    clusters = feasible_release_clusters(
        instance.colours, instance.required, instance.signatures, instance.m, instance.max_size
    )
    by_first: dict[int, list[tuple[frozenset[int], float, float]]] = {}
    for members, counterfeits in clusters:
        cost = squared_error(instance.points, members)
        by_first.setdefault(members[0], []).append((frozenset(members), float(counterfeits), cost))

    @cache
    def best(left: frozenset[int]) -> tuple[float, float]:
        if not left:
            return 0.0, 0.0
        least = (np.inf, np.inf)
        for members, counterfeits, cost in by_first.get(min(left), []):
            if members <= left:
                more, dearer = best(left - members)
                least = min(least, (counterfeits + more, cost + dearer))
        return least

    return best(frozenset(range(instance.size)))


def random_release(seed: int, size: int, *, m: int = 2, dimension: int = 2, grid: bool = False) -> Instance:
    """A few points: some free, some with one of up to three required signatures of m or m + 1 colours."""
    rng = np.random.default_rng(seed)
    colours = rng.integers(0, m + 3, size)
    signatures = {
        tuple(sorted(rng.choice(m + 3, rng.integers(m, m + 2), replace=False).tolist())) for _ in range(3)
    }
    listed = tuple(sorted(signatures))
    required = np.full(size, FREE)
    for point in range(size):
        fitting = [index for index, signature in enumerate(listed) if colours[point] in signature]
        if fitting and rng.random() < 0.6:
            required[point] = rng.choice(fitting)
    points = rng.normal(size=(size, dimension))
    if grid:
        points = np.round(points)
    return Instance(points, colours, m, 0, required, listed)
