"""A bucket: tuples that will form classes of one signature (Xiao and Tao 2007, section 5)."""

from dataclasses import dataclass, field

import numpy as np

from minv.compiled import IntArray
from minv.errors import UsageError

COUNTERFEIT = -1  # a slot without a real point


@dataclass
class Bucket:
    """Per colour of a signature, the points that wait to be dealt to classes.

    Attributes
    ----------
    signature
        The colours, ascending.
    members
        For each colour of the signature the indices of its points.
    counterfeits
        For each colour how many counterfeit slots stand beside its points.
    """

    signature: tuple[int, ...]
    members: dict[int, list[int]] = field(init=False)
    counterfeits: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.members = {colour: [] for colour in self.signature}
        self.counterfeits = dict.fromkeys(self.signature, 0)

    def size(self, colour: int) -> int:
        """Return the number of slots of one colour, counterfeits included."""
        return len(self.members[colour]) + self.counterfeits[colour]

    def table(self) -> IntArray:
        """Return the slots as an array: one row a colour, its points first, then COUNTERFEIT.

        Returns
        -------
        IntArray
            (len(signature), x) where x is the common number of slots.

        Raises
        ------
        UsageError
            The colours do not have equally many slots: the bucket is not balanced.
        """
        width = self.size(self.signature[0])
        if any(self.size(colour) != width for colour in self.signature):
            raise UsageError("a bucket must be balanced before it is partitioned into classes")
        slots = np.full((len(self.signature), width), COUNTERFEIT, dtype=np.int64)
        for row, colour in enumerate(self.signature):
            slots[row, : len(self.members[colour])] = self.members[colour]
        return slots


Buckets = dict[tuple[int, ...], Bucket]


def label_classes(tables: list[IntArray], size: int) -> IntArray:
    """Label the points by the classes of partitioned tables, one class a column.

    Parameters
    ----------
    tables
        Tables of point indices or COUNTERFEIT; each point occurs exactly once in all.
    size
        Number of points, n.

    Returns
    -------
    IntArray
        (n,) class of each point.
    """
    labels = np.full(size, -1, dtype=np.int64)
    first = 0
    for table in tables:
        classes = np.broadcast_to(np.arange(first, first + table.shape[1]), table.shape)
        real = table != COUNTERFEIT
        labels[table[real]] = classes[real]
        first += table.shape[1]
    return labels
