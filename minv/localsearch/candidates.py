"""Nearest-neighbour candidate lists by place, since many points share one place."""

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from minv.compiled import FloatArray, IntArray
from minv.grouping import grouped


class Candidates(NamedTuple):
    """The nearest places of every place, and who is there.

    The points at place p are `residents[starts[p]:starts[p + 1]]`.
    """

    place: IntArray  # (n,) place of each point
    near: IntArray  # (P, k) nearest places of each place by distance, itself first
    starts: IntArray  # (P + 1,)
    residents: IntArray  # (n,)


def nearest_places(coordinates: FloatArray, neighbours: int) -> Candidates:
    """Find the distinct coordinates and for each its nearest ones, itself included.

    Parameters
    ----------
    coordinates
        (n, d)
    neighbours
        Number k of places listed for each; fewer where there are fewer.
    """
    places, place = np.unique(coordinates, axis=0, return_inverse=True)
    place = place.reshape(-1).astype(np.int64)
    near = _nearest(places, min(neighbours, len(places)))
    return Candidates(place, near, *grouped(place))


def _nearest(places: FloatArray, neighbours: int) -> IntArray:
    if places.size == 0:
        return np.zeros((len(places), 1), dtype=np.int64)
    _, near = cKDTree(places).query(places, neighbours)
    return np.ascontiguousarray(near, dtype=np.int64).reshape(len(places), neighbours)
