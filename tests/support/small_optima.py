"""Optimal partitions of small tables, by trying everything that can matter."""

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np


def least_cost(n: int, k: int, cost_of: Callable[[list[int]], float]) -> float:
    """Return the least total cost of a partition of n records into classes of k to 2k-1.

    A larger class can be split without loss by both objectives. Each class in turn holds the first record
    that is left.
    """

    @cache
    def cost(members: tuple[int, ...]) -> float:
        return cost_of(list(members))

    @cache
    def best(left: tuple[int, ...]) -> float:
        if not left:
            return 0.0
        return min(
            (
                cost((left[0], *others)) + best(tuple(i for i in left[1:] if i not in others))
                for size in range(k - 1, min(2 * k - 1, len(left)))
                for others in combinations(left[1:], size)
            ),
            default=np.inf,
        )

    return best(tuple(range(n)))


def least_squared_errors_on_a_line(numbers: np.ndarray, k: int) -> float:
    """Return the least SSE of classes of at least k numbers, by dynamic programming over the sorted numbers.

    In one dimension an optimal partition consists of runs of the sorted numbers (Hansen and Mukherjee 2003).
    """
    numbers = np.sort(numbers)
    best = [0.0] + [np.inf] * len(numbers)
    for end in range(k, len(numbers) + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            run = numbers[start:end]
            best[end] = min(best[end], best[start] + float(((run - run.mean()) ** 2).sum()))
    return best[-1]
