"""How large each cluster may be, and whether a start keeps to the rules."""

from typing import NamedTuple

import numpy as np

from minv.compiled import BoolArray, IntArray
from minv.errors import UsageError
from minv.instance import FREE
from minv.localsearch.requirements import Requirements, no_requirements


class SizeLimits(NamedTuple):
    """Least and largest number of real points of each cluster."""

    least: IntArray  # (K,)
    most: IntArray  # (K,)


def limits_for_swaps(labels: IntArray) -> SizeLimits:
    """Bind every cluster to its present size: only swaps remain possible."""
    sizes = _cluster_sizes(labels)
    return SizeLimits(sizes, sizes)


def limits_for_moves(
    labels: IntArray, m: int, max_size: int, requirements: Requirements | None
) -> SizeLimits:
    """Let free clusters have m..max_size points and fixed ones 1..|signature|.

    Parameters
    ----------
    labels
        (n,) cluster of each point, 0..K-1.
    m, max_size
        Size limits of free clusters; a max_size of 0 means 2m-1.
    requirements
        Required signatures, or None.

    Raises
    ------
    UsageError
        Negative labels, sizes outside their range, or requirements of another length.
    """
    clusters = len(_cluster_sizes(labels))
    largest = max_size or 2 * m - 1
    if not 1 <= m <= largest <= 2 * m - 1:
        raise UsageError(
            f"m must be at least 1 and the largest class size lie in m..2m-1, not {m} and {max_size}"
        )
    wanted = requirements or no_requirements(len(labels), clusters)
    _check_numbers(len(labels), clusters, wanted)
    fixed = wanted.signature_of_cluster != FREE
    least = np.where(fixed, 1, m)
    most = np.full(clusters, largest)
    most[fixed] = wanted.allowed.sum(axis=1)[wanted.signature_of_cluster[fixed]]
    return SizeLimits(least, most)


def check_start(colours: IntArray, labels: IntArray, limits: SizeLimits, wanted: Requirements) -> None:
    """Refuse a start that breaks a rule of the model.

    Raises
    ------
    UsageError
        With the rule and how many points or clusters break it.
    """
    _check_numbers(len(colours), len(limits.least), wanted)
    pairs = labels * (colours.max(initial=0) + 1) + colours
    repeated = len(pairs) - len(np.unique(pairs))
    if repeated:
        raise UsageError(f"the start has {repeated} points whose colour their cluster holds already")
    sizes = np.bincount(labels, minlength=len(limits.least))
    misfits = int(((sizes < limits.least) | (sizes > limits.most) | (sizes == 0)).sum())
    if misfits:
        raise UsageError(f"the start has {misfits} clusters that are too small or too large")
    misplaced = int(_misplaced(colours, labels, wanted).sum())
    if misplaced:
        raise UsageError(f"the start has {misplaced} points in clusters of another signature")


def _check_numbers(points: int, clusters: int, wanted: Requirements) -> None:
    if wanted.required.shape != (points,):
        raise UsageError(f"{points} points but {wanted.required.size} required signatures")
    if wanted.signature_of_cluster.shape != (clusters,):
        raise UsageError(f"{clusters} clusters but {wanted.signature_of_cluster.size} cluster signatures")


def _misplaced(colours: IntArray, labels: IntArray, wanted: Requirements) -> BoolArray:
    signature = wanted.signature_of_cluster[labels]
    misplaced: BoolArray = wanted.required != signature
    guests = (wanted.required == FREE) & (signature != FREE)
    misplaced[guests] = ~wanted.allowed[signature[guests], colours[guests]]
    return misplaced


def _cluster_sizes(labels: IntArray) -> IntArray:
    if labels.min(initial=0) < 0:
        raise UsageError("labels must be 0 or more")
    return np.bincount(labels).astype(np.int64)
