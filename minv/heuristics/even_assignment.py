"""Assignment of points to a given number of classes whose sizes differ by at most one."""

import numpy as np

from minv.compiled import IntArray
from minv.heuristics.assignment import shuffled_by_colour
from minv.heuristics.buckets import Bucket, Buckets


def assign_evenly(
    colours: IntArray, free: IntArray, classes: int, buckets: Buckets, rng: np.random.Generator
) -> None:
    """Move the free points into buckets for so many classes in all.

    The published assignment makes classes of up to 2m-1 members. Here each round takes alpha points of each of the
    beta most frequent colours, where beta = floor(N / K) for N points and K classes left, and alpha is as
    large as possible so that what is left has no colour more frequent than K - alpha and at most beta + 1 points
    a class. One is always possible: the colours that occur K times are at most beta.

    Parameters
    ----------
    colours
        (n,) colour of each point.
    free
        Indices of the points to assign; none of their colours is more frequent than `classes`.
    classes
        Number of classes, K.
    buckets
        Filled in place: a bucket that exists is reused, others are opened.
    rng
        Decides which points of a colour are taken, and the order of equally frequent colours.
    """
    waiting = shuffled_by_colour(colours, free, rng)
    tie_break = rng.permutation(len(waiting))
    remaining = np.array([len(points) for points in waiting], dtype=np.int64)
    while classes:
        order = np.lexsort((tie_break, -remaining))
        beta, odd = divmod(int(remaining.sum()), classes)
        alpha = min(int(remaining[order[beta - 1]]), classes - odd)
        if beta < len(order):
            alpha = min(alpha, classes - int(remaining[order[beta]]))
        taken = order[:beta]
        signature = tuple(sorted(int(colour) for colour in taken))
        bucket = buckets.setdefault(signature, Bucket(signature))
        for colour in signature:
            bucket.members[colour].extend(waiting[colour][-alpha:])
            del waiting[colour][-alpha:]
        remaining[taken] -= alpha
        classes -= alpha
