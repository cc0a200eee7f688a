"""Microaggregation of one attribute: the optimum, by dynamic programming (Hansen and Mukherjee 2003)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance


def optimal_on_a_line(numbers: FloatArray, k: int) -> IntArray:
    """Partition numbers into classes of at least k with the least possible SSE.

    An optimal partition exists whose classes are runs of k to 2k-1 of the sorted numbers. O(n (k + log n)).

    Parameters
    ----------
    numbers
        (n,) finite.
    k
        Least size of a class.

    Returns
    -------
    (n,) class of each number, numbered by first appearance.

    Raises
    ------
    UsageError, InfeasibleError
        See `check_k`.
    """
    check_k(len(numbers), k)
    order = np.argsort(numbers, kind="stable")
    labels = np.empty(len(numbers), np.int64)
    labels[order] = _runs(np.asarray(numbers, dtype=np.float64)[order], k)
    return by_first_appearance(labels)


@kernel
def _runs(ascending: FloatArray, k: int) -> IntArray:
    """Return the run of each number in an optimal division."""
    n = len(ascending)
    least = np.full(n + 1, np.inf)  # SSE of the first numbers
    least[0] = 0.0
    starts = np.zeros(n + 1, np.int64)  # of the last run
    for end in range(k, n + 1):
        mean, sse = 0.0, 0.0
        for start in range(end - 1, max(-1, end - 2 * k), -1):
            size = end - start
            difference = ascending[start] - mean
            mean += difference / size
            sse += difference * (ascending[start] - mean)
            if size >= k and least[start] + sse < least[end]:
                least[end], starts[end] = least[start] + sse, start
    labels = np.empty(n, np.int64)
    end = n
    while end > 0:
        labels[starts[end] : end] = end
        end = starts[end]
    return labels
