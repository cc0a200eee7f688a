"""Groupings of integer codes, the arithmetic that the rules share (no row is ever looped over in Python)."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class Groups:
    """The rows of each group 0..count-1, contiguous in a stable order.

    Parameters
    ----------
    codes
        (n,) group of each row.
    count
        Number of groups; some may be empty.
    """

    def __init__(self, codes: IntArray, count: int) -> None:
        self.order: IntArray = np.argsort(codes, kind="stable")
        self.sizes: IntArray = np.bincount(codes, minlength=count).astype(np.int64)
        self.starts: IntArray = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def rows(self, group: int | np.integer[Any]) -> IntArray:
        """Rows of one group, ascending."""
        return self.order[self.starts[group] : self.starts[group + 1]]

    def __iter__(self) -> Iterator[IntArray]:
        for group in range(len(self.sizes)):
            yield self.rows(group)


def pair_codes(first: IntArray, second: IntArray) -> IntArray:
    """One integer for each pair of codes, equal exactly where both codes are equal (codes from -1)."""
    width = int(second.max(initial=-1)) + 2
    return (first + 1) * width + (second + 1)


def distinct_sorted(codes: IntArray) -> IntArray:
    """Return the different codes, ascending (on millions of codes sorting beats the hash table of `np.unique`)."""
    ranked: IntArray = np.sort(codes)
    different: IntArray = ranked[np.diff(ranked, prepend=ranked[:1] - 1) != 0]
    return different


def dense(codes: IntArray) -> tuple[IntArray, int]:
    """Renumber arbitrary integers as 0..count-1 in ascending order; returns the codes and the count."""
    distinct, inverse = np.unique(codes, return_inverse=True)
    return inverse.reshape(-1).astype(np.int64), len(distinct)


def occurrence(codes: IntArray) -> IntArray:
    """How many earlier rows have the same code: 0 for the first, 1 for the second, ..."""
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    new = np.ones(len(codes), dtype=bool)
    new[1:] = ranked[1:] != ranked[:-1]
    starts = np.maximum.accumulate(np.where(new, np.arange(len(codes)), 0))
    result = np.empty(len(codes), dtype=np.int64)
    result[order] = np.arange(len(codes)) - starts
    return result


def repeated(codes: IntArray) -> BoolArray:
    """Whether the row's code occurs on another row too."""
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse.reshape(-1)] > 1, dtype=np.bool_)


def match(left: IntArray, right: IntArray) -> IntArray:
    """For each code of `left` the position of the same code in `right`, or -1.

    Codes that occur several times are matched in order of occurrence, each position at most once.
    """
    if not len(right):
        return np.full(len(left), -1, dtype=np.int64)
    both, _ = dense(np.concatenate([left, right]))
    left_key = pair_codes(both[: len(left)], occurrence(left))
    both_right = both[len(left) :]
    width = int(occurrence(left).max(initial=-1)) + 2
    occurrence_right = occurrence(right)
    fits = occurrence_right < width - 1
    right_key = (both_right[fits] + 1) * width + occurrence_right[fits] + 1
    positions = np.flatnonzero(fits)
    order = np.argsort(right_key)
    if not len(order):
        return np.full(len(left), -1, dtype=np.int64)
    spot = np.minimum(np.searchsorted(right_key[order], left_key), len(order) - 1)
    candidate = order[spot]
    return np.where(right_key[candidate] == left_key, positions[candidate], -1).astype(np.int64)
