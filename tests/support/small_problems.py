"""Small eligible instances with a bad start and the optimum found by trying every partition."""

from typing import NamedTuple

import numpy as np
from coloured_clusters import least_sse
from hypothesis import strategies as st

from minv.compiled import IntArray
from minv.errors import InfeasibleError
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance, check_eligible

ROUNDING = 1e-9  # relative


class Problem(NamedTuple):
    """A small eligible instance, a start that is nothing special, and the least SSE."""

    instance: Instance
    start: IntArray
    optimum: float


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Up to nine points: continuous, on a grid with duplicates, or far apart in scale; with and without a cap."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(4, 9))
    m = draw(st.integers(2, 3))
    max_size = draw(st.integers(m, 2 * m - 1))
    dimension = draw(st.integers(1, 3))
    scale = draw(st.sampled_from([1e-5, 1.0, 1e4]))
    grid, spread = rng.integers(0, 3, (n, dimension)) / 3.0, rng.normal(size=(n, dimension))
    points = grid if draw(st.booleans()) else spread
    instance = eligible(scale * points, rng, m, max_size)
    # Sorted by noise instead of the points: feasible, and most often bad.
    start = sorted_start(rng.normal(size=(instance.size, 1)), instance.colours, m, max_size=max_size)
    optimum = least_sse(instance.points, instance.colours, m, max_size)
    return Problem(instance, start, optimum)


def eligible(points: np.ndarray, rng: np.random.Generator, m: int, max_size: int) -> Instance:
    """Give the points colours, dropping the last points until a partition exists."""
    colours = rng.integers(0, rng.integers(m, len(points) + 1), len(points))
    while True:
        try:
            check_eligible(np.bincount(colours), m, max_size)
        except InfeasibleError:
            if len(points) <= m:
                colours = np.arange(m)
                return Instance(points[:m], colours, m, max_size)
            points, colours = points[:-1], colours[:-1]
        else:
            return Instance(points, colours, m, max_size)
