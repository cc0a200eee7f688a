"""Assignment of free tuples to buckets (Xiao and Tao 2007, section 5.3)."""

import numpy as np

from minv.compiled import IntArray
from minv.heuristics.buckets import Bucket, Buckets


def assign(colours: IntArray, free: IntArray, m: int, buckets: Buckets, rng: np.random.Generator) -> None:
    """Move the free points into buckets so that the rest stays m-eligible after every step.

    Each round takes alpha random points of each of the beta most frequent colours: beta as small as
    possible from m on, alpha as large as possible. So signatures have m..2m-1 colours.

    Parameters
    ----------
    colours
        (n,) colour of each point.
    free
        Indices of the points to assign; they are m-eligible.
    m
        Least number of colours in a signature.
    buckets
        Filled in place: a bucket that exists is reused, others are opened.
    rng
        Decides which points of a colour are taken, and the order of equally frequent colours.
    """
    waiting = shuffled_by_colour(colours, free, rng)
    tie_break = rng.permutation(len(waiting))
    remaining = np.array([len(points) for points in waiting], dtype=np.int64)
    while remaining.any():
        order = np.lexsort((tie_break, -remaining))
        alpha, beta = step_size(remaining[order], m)
        taken = order[:beta]
        signature = tuple(sorted(int(colour) for colour in taken))
        bucket = buckets.setdefault(signature, Bucket(signature))
        for colour in signature:
            bucket.members[colour].extend(waiting[colour][-alpha:])
            del waiting[colour][-alpha:]
        remaining[taken] -= alpha


def step_size(counts: IntArray, m: int) -> tuple[int, int]:
    """Return alpha and beta of one round: beta the least, then alpha the greatest, that keep eligibility.

    With N points left, alpha of each of the beta most frequent colours may go if the largest count of
    what is left, among those taken from and among the others, is at most (N - alpha beta) / m.

    Parameters
    ----------
    counts
        Points left per colour, descending, m-eligible.
    m
        Least number of colours.
    """
    total = int(counts.sum())
    slack = total - m * int(counts[0])
    for beta in range(m, len(counts) + 1):
        alpha = int(counts[beta - 1])
        if beta > m:
            alpha = min(alpha, slack // (beta - m))
        if beta < len(counts):
            alpha = min(alpha, (total - m * int(counts[beta])) // beta)
        if alpha >= 1:
            return alpha, beta
    raise AssertionError("the counts are not m-eligible")


def shuffled_by_colour(colours: IntArray, free: IntArray, rng: np.random.Generator) -> list[list[int]]:
    """Return the points of each colour in random order."""
    shuffled = rng.permutation(free)
    by_colour = shuffled[np.argsort(colours[shuffled], kind="stable")]
    counts = np.bincount(colours[free])
    return [part.tolist() for part in np.split(by_colour, np.cumsum(counts)[:-1])]
