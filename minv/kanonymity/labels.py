"""Class numbers in one canonical form."""

import numpy as np

from minv.compiled import IntArray


def by_first_appearance(labels: IntArray) -> IntArray:
    """Renumber classes 0..K-1 in the order in which their first records stand."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    renumbered: IntArray = rank[inverse]
    return renumbered
