"""The optimum of tiny instances, by trying every m-unique partition."""

import numpy as np
from numpy.typing import NDArray


def least_il(points: NDArray[np.float64], colours: NDArray[np.int64], m: int) -> float:
    """Return the least IL in percent over all m-unique partitions; infinite where there is none.

    Parameters
    ----------
    points, colours
        (n, d) and (n,), n at most about 10.
    """
    total = sum_of_squares(points)
    least = least_sse(points, colours, m, tuple(range(len(points))))
    return 100 * least / total if total > 0 else 0.0


def least_sse(
    points: NDArray[np.float64], colours: NDArray[np.int64], m: int, rest: tuple[int, ...]
) -> float:
    """Return the least SSE of the points `rest`: the first one's class, times the best of what is left."""
    if not rest:
        return 0.0
    first, others = rest[0], rest[1:]
    best = np.inf
    for choice in range(1 << len(others)):
        chosen = (first, *(point for bit, point in enumerate(others) if choice >> bit & 1))
        if len(chosen) < m or len({int(colours[point]) for point in chosen}) < len(chosen):
            continue
        left = tuple(point for bit, point in enumerate(others) if not choice >> bit & 1)
        best = min(best, sum_of_squares(points[list(chosen)]) + least_sse(points, colours, m, left))
    return best


def sum_of_squares(points: NDArray[np.float64]) -> float:
    """Return the sum of squared distances to the mean."""
    deviations = points - points.mean(axis=0)
    return float((deviations**2).sum())
