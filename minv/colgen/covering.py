"""What the columns of a partition have to cover: every row and, with required signatures, the counterfeits."""

from typing import NamedTuple

import numpy as np

from minv.colgen.pool import columns_of_partition
from minv.compiled import IntArray
from minv.instance import FREE, Instance
from minv.pricing.protocol import Columns


class Covering(NamedTuple):
    """The right side of a master.

    Attributes
    ----------
    multiplicity
        (r,) how often each row is to be covered; with required signatures (r + 1,): the last row is the number of
        counterfeits.
    clusters
        No partition has more clusters.
    at_most
        Rows that may be covered less often for nothing: that of the counterfeits.
    """

    multiplicity: IntArray
    clusters: int
    at_most: IntArray


def counterfeits_of(instance: Instance, labels: IntArray) -> IntArray:
    """Return (K,) how many counterfeits complete each cluster of a partition."""
    assert instance.required is not None
    width = np.bincount(labels)
    whole = width.copy()
    old = instance.required != FREE
    sizes = np.array([len(signature) for signature in instance.signatures], dtype=np.int64)
    whole[labels[old]] = sizes[instance.required[old]]
    return whole - width


def covering_of(instance: Instance) -> Covering:
    """Return what a partition covers.

    A cluster with its counterfeits has at least m members, or as many as the smallest signature: so there are at
    most (n + counterfeits) / m clusters.
    """
    multiplicity = instance.rows.multiplicity
    if not instance.continues:
        return Covering(multiplicity, instance.size // instance.m, np.zeros(0, np.int64))
    least = min(instance.m, *(len(signature) for signature in instance.signatures))
    return Covering(
        np.append(multiplicity, instance.counterfeits),
        (instance.size + instance.counterfeits) // least,
        np.array([len(multiplicity)]),
    )


def columns_of(instance: Instance, labels: IntArray) -> Columns:
    """Return the clusters of a partition as columns over rows, with their counterfeits."""
    rows = instance.rows
    columns = columns_of_partition(rows.points, rows.row_of_point, labels)
    if not instance.continues:
        return columns
    extra = counterfeits_of(instance, labels)
    owners = np.concatenate([np.repeat(np.arange(len(extra)), n) for n in (np.diff(columns.starts), extra)])
    members = np.append(columns.members, np.full(extra.sum(), len(rows.points)))
    starts = columns.starts + np.concatenate([[0], np.cumsum(extra)])
    return Columns(starts, members[np.argsort(owners, kind="stable")], columns.costs)
