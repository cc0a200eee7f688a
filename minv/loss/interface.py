"""The one interface of all losses."""

from typing import Protocol

from minv.compiled import IntArray


class Loss(Protocol):
    """A loss of the partitions of one table; less is better.

    Labels are the classes of the records, any integers from 0; numbers without a record are allowed.
    """

    @property
    def name(self) -> str:
        """What reports call this loss."""
        ...

    def total(self, labels: IntArray) -> float:
        """Return the loss of the whole table, in its own unit."""
        ...

    def normalised(self, labels: IntArray) -> float:
        """Return the loss as a share of that of one single class: in [0, 1]."""
        ...
