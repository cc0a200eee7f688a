"""The published bucket algorithms for a first release: one assignment, three ways to partition."""

from collections.abc import Callable

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.heuristics.assignment import assign
from minv.heuristics.buckets import Buckets, label_classes
from minv.heuristics.even_assignment import assign_evenly
from minv.heuristics.halving import split_by_halving
from minv.heuristics.perimeter import split_by_perimeter
from minv.heuristics.shuffle import split_at_random
from minv.instance import Instance, check_eligible

Split = Callable[[FloatArray, IntArray, np.random.Generator], IntArray]


def classic(points: FloatArray, colours: IntArray, m: int, seed: int, *, max_size: int = 0) -> IntArray:
    """Partition as Xiao and Tao specify: their assignment, then their perimeter split.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    colours
        (n,) colour of each point, 0..L-1.
    m
        Least class size.
    seed
        Decides which tuples of equal colour enter which bucket.
    max_size
        Largest class size, m..2m-1; by default 2m-1. With a smaller one the assignment is not the published one:
        sizes then differ by at most one.

    Returns
    -------
    IntArray
        (n,) class of each point, 0..K-1; classes have m..max_size different colours.

    Raises
    ------
    UsageError
        The arrays do not fit each other.
    InfeasibleError
        The points are not m-eligible.

    References
    ----------
    Xiao and Tao, m-invariance: towards privacy preserving re-publication of dynamic datasets,
    SIGMOD 2007, section 5.
    """
    return partition_in_buckets(points, colours, m, seed, split_by_perimeter, max_size=max_size)


def random_bucket(points: FloatArray, colours: IntArray, m: int, seed: int, *, max_size: int = 0) -> IntArray:
    """Partition by the assignment of `classic` and random classes within each bucket.

    The loss is about 100 (1 - 1/m): the level that Tobar Nicolau, Castro and Gentile (2025) print as
    "Classic". Parameters, result and errors are those of `classic`.
    """
    return partition_in_buckets(points, colours, m, seed, split_at_random, max_size=max_size)


def tau(points: FloatArray, colours: IntArray, m: int, seed: int, *, max_size: int = 0) -> IntArray:
    """Partition by the assignment of `classic` and halving on the widest normalised range.

    This reading of Anjum et al. (2017) matches the level that Tobar Nicolau, Castro and Gentile (2025)
    print as "Tau". Parameters, result and errors are those of `classic`.
    """
    return partition_in_buckets(points, colours, m, seed, split_by_halving, max_size=max_size)


def partition_in_buckets(
    points: FloatArray, colours: IntArray, m: int, seed: int, split: Split, *, max_size: int = 0
) -> IntArray:
    """Assign all points to buckets and partition each by a strategy; otherwise as `classic`.

    Parameters
    ----------
    split
        Takes all points, the (s, x) table of a bucket and a random source; returns the table with each
        column a class.
    """
    instance = Instance(points, colours, m, max_size)
    check_eligible(np.bincount(instance.colours), m, instance.max_size)
    rng = np.random.default_rng(seed)
    buckets: Buckets = {}
    everybody = np.arange(instance.size)
    if instance.max_size < 2 * m - 1:
        assign_evenly(instance.colours, everybody, instance.size // m, buckets, rng)
    else:
        assign(instance.colours, everybody, m, buckets, rng)
    tables = [split(instance.points, bucket.table(), rng) for bucket in buckets.values()]
    return label_classes(tables, instance.size)
