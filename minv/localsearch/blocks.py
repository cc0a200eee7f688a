"""Compact blocks of points, cut by hyperplanes of random direction."""

import numpy as np

from minv.compiled import FloatArray, IntArray


def spatial_blocks(
    coordinates: FloatArray, chosen: IntArray, limit: int, rng: np.random.Generator
) -> list[IntArray]:
    """Halve a set of points at the median of random directions until no block exceeds the limit.

    Parameters
    ----------
    coordinates
        (n, d) coordinates of all points.
    chosen
        Indices of the points to divide.
    limit
        Largest size of a block, at least 1.
    rng
        Source of the directions, so that the next division has other borders.
    """
    if len(chosen) <= limit:
        return [chosen]
    projection = coordinates[chosen] @ rng.normal(size=coordinates.shape[1])
    order = chosen[np.argsort(projection, kind="stable")]
    middle = len(order) // 2
    return [
        block
        for half in (order[:middle], order[middle:])
        for block in spatial_blocks(coordinates, half, limit, rng)
    ]
