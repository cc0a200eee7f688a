"""Required signatures, as local search needs them: who must be where, and which clusters are fixed."""

from typing import NamedTuple

import numpy as np

from minv.compiled import BoolArray, IntArray
from minv.instance import FREE


class Requirements(NamedTuple):
    """Which signatures points require and clusters have (DESIGN, the core model).

    A fixed cluster of signature S holds at most one point of each colour of S, either requiring S or free;
    a counterfeit stands for each missing colour. All other clusters are free and hold free points alone.

    Attributes
    ----------
    required
        (n,) the signature that each point requires, 0..T-1, or FREE.
    signature_of_cluster
        (K,) the signature of each cluster, 0..T-1, or FREE.
    allowed
        (T, L) whether a colour belongs to a signature.
    """

    required: IntArray
    signature_of_cluster: IntArray
    allowed: BoolArray


def no_requirements(size: int, clusters: int) -> Requirements:
    """Return the requirements of a first release: every point and every cluster is free."""
    return Requirements(
        np.full(size, FREE, dtype=np.int64),
        np.full(clusters, FREE, dtype=np.int64),
        np.zeros((0, 0), dtype=np.bool_),
    )


def allowed_colours(signatures: tuple[tuple[int, ...], ...], colours: int) -> BoolArray:
    """Return the (T, L) table of the colours in each signature.

    Parameters
    ----------
    signatures
        The colour sets.
    colours
        Number of colours, L.
    """
    allowed = np.zeros((len(signatures), colours), dtype=np.bool_)
    for row, signature in enumerate(signatures):
        allowed[row, list(signature)] = True
    return allowed
