"""Later releases in stages: classification, balancing, assignment, partitioning (Xiao and Tao 2007, section 5)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from minv.compiled import IntArray
from minv.heuristics.assignment import assign
from minv.heuristics.balancing import balance, classify, least_editions
from minv.heuristics.baselines import Split
from minv.heuristics.buckets import Bucket, Buckets, label_classes
from minv.heuristics.editions import BALANCING, Allowance
from minv.heuristics.even_assignment import assign_evenly
from minv.heuristics.extra_classes import open_extra_classes
from minv.instance import FREE, Instance


class StagedRelease(NamedTuple):
    """A feasible release.

    Attributes
    ----------
    labels
        (n,) class of each point, 0..K-1.
    signature_of_class
        (K,) index of the required signature of a class, or FREE.
    completing, adding
        Numbers of counterfeits in classes with a required signature and without; in all the fewest possible.
    """

    labels: IntArray
    signature_of_class: IntArray
    completing: int
    adding: int

    @property
    def counterfeits(self) -> int:
        """Number of counterfeits."""
        return self.completing + self.adding


def staged(instance: Instance, seed: int, split: Split, allowance: Allowance = BALANCING) -> StagedRelease:
    """Make a release with the fewest counterfeits, one stage after the other.

    Old points go to the bucket of their signature. Free points fill those buckets, as many as leave the rest
    m-eligible; counterfeits fill what stays empty. The rest is assigned to new buckets, and every bucket is
    partitioned. A new class with counterfeits has fewer than m points here; any values that it lacks will do.

    Parameters
    ----------
    instance
        With required signatures and free points.
    seed
        Decides which points of a colour are taken.
    split
        Partitions the table of a bucket into classes.
    allowance
        Which counterfeits are allowed; nobody is left out here.

    Raises
    ------
    InfeasibleError
        The free points cannot be placed so.
    LimitError
        The least number of counterfeits could not be proved.
    """
    rng = np.random.default_rng(seed)
    old, waiting = separate(instance, rng)
    editions = least_editions(instance, old, allowance._replace(deletions=0))
    filled = [*old, *open_extra_classes(old, editions.extra)]
    balance(filled, waiting, editions.fillers)
    new: Buckets = {}
    rest = joined(waiting)
    if editions.adding or instance.max_size < 2 * instance.m - 1:
        assign_evenly(instance.colours, rest, editions.classes, new, rng)
    elif len(rest):
        assign(instance.colours, rest, instance.m, new, rng)
    return partition_buckets(instance, filled, list(new.values()), split, rng, adding=editions.adding)


def separate(instance: Instance, rng: np.random.Generator) -> tuple[list[Bucket], list[list[int]]]:
    """Return the buckets of the old points, and the free points of each colour in random order."""
    assert instance.required is not None
    waiting: list[list[int]] = [[] for _ in range(instance.colour_count)]
    for point in rng.permutation(np.flatnonzero(instance.required == FREE)).tolist():
        waiting[int(instance.colours[point])].append(point)
    return list(classify(instance).values()), waiting


def joined(waiting: list[list[int]]) -> IntArray:
    """Return all waiting points in ascending order."""
    return np.sort(np.array([point for points in waiting for point in points], dtype=np.int64))


def partition_buckets(
    instance: Instance,
    old: Sequence[Bucket],
    new: Sequence[Bucket],
    split: Split,
    rng: np.random.Generator,
    *,
    adding: int = 0,
) -> StagedRelease:
    """Partition balanced buckets of old and of new points into classes.

    Parameters
    ----------
    adding
        Number of counterfeits that the classes of new points lack.
    """
    tables = [split(instance.points, bucket.table(), rng) for bucket in (*old, *new)]
    index = {signature: place for place, signature in enumerate(instance.signatures)}
    kinds = [index[bucket.signature] for bucket in old] + [FREE] * len(new)
    return StagedRelease(
        labels=label_classes(tables, instance.size),
        signature_of_class=np.repeat(np.array(kinds, dtype=np.int64), [table.shape[1] for table in tables]),
        completing=sum(sum(bucket.counterfeits.values()) for bucket in old),
        adding=adding,
    )
