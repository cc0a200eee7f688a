"""Every feasible cluster and the best partition of a few coloured points, by trying everything."""

from itertools import combinations

import numpy as np
from small_optima import least_cost

Members = tuple[int, ...]


def squared_error(points: np.ndarray, members: Members) -> float:
    """Sum of the squared distances of the members to their mean."""
    part = points[list(members)]
    return float(((part - part.mean(axis=0)) ** 2).sum())


def feasible_clusters(colours: np.ndarray, m: int, max_size: int) -> list[Members]:
    """All sets of m..max_size points of distinct colours."""
    return [
        members
        for size in range(m, max_size + 1)
        for members in combinations(range(len(colours)), size)
        if len(set(colours[list(members)].tolist())) == size
    ]


def least_sse(points: np.ndarray, colours: np.ndarray, m: int, max_size: int | None = None) -> float:
    """Least SSE of a partition into feasible clusters; infinite where there is none."""
    feasible = set(feasible_clusters(colours, m, max_size or 2 * m - 1))

    def cost(members: list[int]) -> float:
        key = tuple(sorted(members))
        return squared_error(points, key) if key in feasible else np.inf

    return least_cost(len(points), m, cost)


def assert_feasible(labels: np.ndarray, colours: np.ndarray, m: int, max_size: int | None = None) -> None:
    """Every point has one class of m..max_size members, all of different colours."""
    colours = np.asarray(colours)
    assert labels.shape == colours.shape
    if not len(labels):
        return
    sizes = np.bincount(labels)
    assert sizes.min() >= m
    if max_size is not None:
        assert sizes.max() <= max_size
    assert len(set(zip(labels.tolist(), colours.tolist(), strict=True))) == len(labels)
