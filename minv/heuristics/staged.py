"""Later releases in stages: classification, balancing, assignment, partitioning (Xiao and Tao 2007, section 5)."""

from typing import NamedTuple

import numpy as np

from minv.compiled import IntArray
from minv.heuristics.assignment import assign
from minv.heuristics.balancing import balance, classify, deficits, most_fillers
from minv.heuristics.baselines import Split
from minv.heuristics.buckets import Buckets, label_classes
from minv.instance import FREE, Instance


class StagedRelease(NamedTuple):
    """A feasible release.

    Attributes
    ----------
    labels
        (n,) class of each point, 0..K-1.
    signature_of_class
        (K,) index of the required signature of a class, or FREE.
    counterfeits
        Their number; it is the smallest possible.
    """

    labels: IntArray
    signature_of_class: IntArray
    counterfeits: int


def staged(instance: Instance, seed: int, split: Split) -> StagedRelease:
    """Make a release with the fewest counterfeits, one stage after the other.

    Old points go to the bucket of their signature. Free points fill those buckets, as many as leave the rest
    m-eligible; counterfeits fill what stays empty. The rest is assigned to new buckets, and every bucket is
    partitioned.

    Parameters
    ----------
    instance
        With required signatures and free points.
    seed
        Decides which points of a colour are taken.
    split
        Partitions the table of a bucket into classes.

    Raises
    ------
    InfeasibleError
        The free points cannot be placed without counterfeits of their own.
    """
    rng = np.random.default_rng(seed)
    assert instance.required is not None
    colours = instance.colour_count
    old = classify(instance)
    waiting: list[list[int]] = [[] for _ in range(colours)]
    for point in rng.permutation(np.flatnonzero(instance.required == FREE)).tolist():
        waiting[int(instance.colours[point])].append(point)
    counts = np.array([len(points) for points in waiting], dtype=np.int64)
    balance(old, waiting, most_fillers(counts, deficits(old, colours), instance.m))
    new: Buckets = {}
    rest = np.sort(np.array([point for points in waiting for point in points], dtype=np.int64))
    if len(rest):
        assign(instance.colours, rest, instance.m, new, rng)
    buckets = [*old.values(), *new.values()]
    tables = [split(instance.points, bucket.table(), rng) for bucket in buckets]
    index = {signature: place for place, signature in enumerate(instance.signatures)}
    kinds = [index[s] for s in old] + [FREE] * len(new)
    return StagedRelease(
        labels=label_classes(tables, instance.size),
        signature_of_class=np.repeat(np.array(kinds, dtype=np.int64), [table.shape[1] for table in tables]),
        counterfeits=sum(sum(bucket.counterfeits.values()) for bucket in old.values()),
    )
