"""How diverse the sensitive values of classes are (Machanavajjhala et al. 2007)."""

from typing import NamedTuple

import numpy as np

from minv.compiled import IntArray


class Diversity(NamedTuple):
    """l-diversity of the least diverse class: number of distinct values, and the exponential of their entropy."""

    distinct: int
    entropy: float


def diversity(labels: IntArray, colours: IntArray) -> Diversity:
    """Return the diversity of (n,) colours in the classes 0..K-1 of (n,) rows; n at least 1."""
    width = int(colours.max()) + 1
    pairs, counts = np.unique(labels * width + colours, return_counts=True)
    owners = pairs // width
    shares = counts / np.bincount(labels)[owners]
    entropies = np.bincount(owners, weights=-shares * np.log(shares))
    return Diversity(int(np.bincount(owners).min()), float(np.exp(entropies.min())))
