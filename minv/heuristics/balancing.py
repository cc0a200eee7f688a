"""Classification and balancing: old tuples go to the buckets of their signatures, which are then filled up."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np

from minv.compiled import IntArray
from minv.errors import InfeasibleError
from minv.heuristics.buckets import Bucket, Buckets
from minv.heuristics.editions import Allowance, Editions, Pool, fewest_editions
from minv.heuristics.extra_classes import with_extra_classes
from minv.instance import FREE, Instance


def classify(instance: Instance) -> Buckets:
    """Return a bucket for every required signature that occurs, holding the points that require it."""
    buckets: Buckets = {}
    assert instance.required is not None
    for point in np.flatnonzero(instance.required != FREE).tolist():
        signature = instance.signatures[int(instance.required[point])]
        bucket = buckets.setdefault(signature, Bucket(signature))
        bucket.members[int(instance.colours[point])].append(point)
    return buckets


def fewest_classes(bucket: Bucket) -> int:
    """Return the fewest classes that hold the members of a bucket."""
    return max(bucket.size(colour) for colour in bucket.signature)


def deficits(buckets: Iterable[Bucket], colours: int) -> IntArray:
    """Return, for each colour, how many slots are empty when every bucket has as few classes as it can."""
    empty = np.zeros(colours, np.int64)
    for bucket in buckets:
        classes = fewest_classes(bucket)
        for colour in bucket.signature:
            empty[colour] += classes - bucket.size(colour)
    return empty


def least_editions(instance: Instance, buckets: Sequence[Bucket], allowance: Allowance) -> Editions:
    """Return the fewest counterfeits and deletions of a release, proved minimal (docs/editions.md).

    Parameters
    ----------
    instance
        With required signatures and free points.
    buckets
        Of its old points.
    allowance
        What is allowed.

    Raises
    ------
    InfeasibleError
        It does not suffice.
    LimitError
        The minimum could not be proved.
    """
    assert instance.required is not None
    free = np.bincount(instance.colours[instance.required == FREE], minlength=instance.colour_count)
    pool = Pool(free, deficits(buckets, instance.colour_count), instance.m, instance.max_size)
    if allowance.adding or not allowance.completing or not buckets:
        return fewest_editions(pool, allowance, len(buckets))
    with suppress(InfeasibleError):
        kept = fewest_editions(pool, allowance._replace(deletions=0), len(buckets))
        if not (allowance.deletions and kept.counterfeits):
            return kept
    most = [sum(map(len, bucket.members.values())) - fewest_classes(bucket) for bucket in buckets]
    return with_extra_classes(pool, buckets, allowance, most)


def balance(buckets: Iterable[Bucket], free: list[list[int]], fillers: IntArray) -> None:
    """Fill the empty slots of all buckets with free points and, where those run out, with counterfeits.

    Parameters
    ----------
    buckets
        Changed in place; balanced afterwards.
    free
        The free points of each colour; those taken, from the end, are removed.
    fillers
        (L,) how many of each colour may be taken.
    """
    left = fillers.copy()
    for bucket in buckets:
        classes = fewest_classes(bucket)
        for colour in bucket.signature:
            lacking = classes - bucket.size(colour)
            taken = min(lacking, int(left[colour]))
            left[colour] -= taken
            bucket.members[colour].extend(free[colour].pop() for _ in range(taken))
            bucket.counterfeits[colour] += lacking - taken
