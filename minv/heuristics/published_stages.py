"""Later releases with the balancing that Xiao and Tao (2007, section 5.2) publish: the baseline of comparisons."""

import numpy as np

from minv.compiled import IntArray
from minv.heuristics.assignment import assign
from minv.heuristics.balancing import fewest_classes
from minv.heuristics.baselines import Split
from minv.heuristics.buckets import Bucket, Buckets
from minv.heuristics.even_assignment import assign_evenly
from minv.heuristics.staged import StagedRelease, joined, partition_buckets, separate
from minv.instance import Instance, check_eligible


def staged_as_published(instance: Instance, seed: int, split: Split) -> StagedRelease:
    """Make a release in the published stages, with as many counterfeits as greedy balancing takes.

    Bucket by bucket and value by value, a free point fills an empty slot if the other free points are m-eligible
    without it, otherwise a counterfeit does. The order of buckets and values decides how many counterfeits
    that takes; `staged` takes the fewest possible.

    Parameters
    ----------
    instance, seed, split
        As `staged` takes them.

    Raises
    ------
    InfeasibleError
        The remaining free points are not m-eligible: the published algorithm has no answer.
    """
    rng = np.random.default_rng(seed)
    old, waiting = separate(instance, rng)
    counts = np.array([len(points) for points in waiting], dtype=np.int64)
    for bucket in old:
        _fill(bucket, waiting, counts, instance.m)
    if counts.any():
        check_eligible(counts, instance.m, instance.max_size)
    new: Buckets = {}
    rest = joined(waiting)
    if instance.max_size < 2 * instance.m - 1:
        assign_evenly(instance.colours, rest, len(rest) // instance.m, new, rng)
    elif len(rest):
        assign(instance.colours, rest, instance.m, new, rng)
    return partition_buckets(instance, old, list(new.values()), split, rng)


def _fill(bucket: Bucket, waiting: list[list[int]], counts: IntArray, m: int) -> None:
    classes = fewest_classes(bucket)
    for colour in bucket.signature:
        for _ in range(classes - bucket.size(colour)):
            if _can_go(colour, counts, m):
                bucket.members[colour].append(waiting[colour].pop())
                counts[colour] -= 1
            else:
                bucket.counterfeits[colour] += 1


def _can_go(colour: int, counts: IntArray, m: int) -> bool:
    """Whether there is a free point of this colour without which the others are m-eligible."""
    if not counts[colour]:
        return False
    counts[colour] -= 1
    eligible = m * int(counts.max()) <= int(counts.sum())
    counts[colour] += 1
    return eligible
