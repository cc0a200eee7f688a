"""COAA: bisection around the two farthest records (Zhang, Ye, Ye, Deng and Chen 2022)."""

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, kernel
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance
from minv.kanonymity.spans import TIE, class_penalty, pair_penalty
from minv.loss import MixedRecords

EXACT_BELOW = 4096  # records up to which the farthest pair is found among all pairs


def coaa(records: MixedRecords, k: int, *, strict: bool = False, exact_below: int = EXACT_BELOW) -> IntArray:
    """Partition `records` by greedy bisection.

    A set is split into the records strictly nearer to the first and the others, nearer to the second of
    its two farthest records, when both parts have at least k records (`strict`: more than k) and lose less
    together than the set as one class; otherwise it is a class. A heuristic: a set is never split when
    the one bisection it tries is too uneven, however many records it has. O(n^2 d) for the farthest pair
    of a set of n records; the sets of one level of the recursion are disjoint.

    The farthest pair of a set with more than `exact_below` records is approximated: from its first record
    to the farthest one, from there to the farthest, and so on as long as the distance grows. The pair is
    at least half as far apart as the farthest, by the triangle inequality, and costs O(n d) a step.

    Parameters
    ----------
    records
        n records.
    k
        Least size of a class.
    strict
        Require more than k records of a part, as the paper's pseudo-code does; its text requires k.
    exact_below
        Largest set whose farthest pair is exact.

    Returns
    -------
    (n,) class of each record, numbered by first appearance.

    Raises
    ------
    UsageError, InfeasibleError
        See `check_k`.
    """
    check_k(len(records), k)
    if not len(records):
        return np.zeros(0, np.int64)
    least = k + 1 if strict else k
    return by_first_appearance(_coaa(records.values, *records.spans, least, exact_below))


@kernel
def _coaa(
    values: FloatArray, layout: IntArray, penalties: FloatArray, least: int, exact_below: int
) -> IntArray:
    labels = np.empty(len(values), np.int64)
    label = 0
    order = np.arange(len(values))  # every pending set is a run of it
    pending = [(0, len(values))]
    while len(pending) > 0:
        start, stop = pending.pop()
        members = order[start:stop].copy()
        nearer = _nearer_to_first(values, layout, penalties, members, exact_below)
        part, rest = members[nearer], members[~nearer]
        if min(len(part), len(rest)) >= least and _gain(values, layout, penalties, members, part, rest) > TIE:
            middle = start + len(part)
            order[start:middle] = part
            order[middle:stop] = rest
            pending.append((start, middle))
            pending.append((middle, stop))
        else:
            labels[members] = label
            label += 1
    return labels


@kernel
def _nearer_to_first(
    values: FloatArray, layout: IntArray, penalties: FloatArray, members: IntArray, exact_below: int
) -> BoolArray:
    """Tell for each member whether it is strictly nearer to the first than to the second of the far pair."""
    if len(members) <= exact_below:
        first, second = _farthest_pair(values, layout, penalties, members)
    else:
        first, second = _far_pair(values, layout, penalties, members)
    nearer = np.empty(len(members), np.bool_)
    for position, member in enumerate(members):
        to_first = pair_penalty(values[member], values[first], layout, penalties)
        to_second = pair_penalty(values[member], values[second], layout, penalties)
        nearer[position] = to_first < to_second - TIE
    return nearer


@kernel
def _gain(
    values: FloatArray,
    layout: IntArray,
    penalties: FloatArray,
    members: IntArray,
    part: IntArray,
    rest: IntArray,
) -> float:
    """Return by how much the loss falls when `members` are split into `part` and `rest`."""
    apart = class_penalty(values, part, layout, penalties) + class_penalty(values, rest, layout, penalties)
    return class_penalty(values, members, layout, penalties) - apart


@kernel
def _farthest_pair(
    values: FloatArray, layout: IntArray, penalties: FloatArray, members: IntArray
) -> tuple[int, int]:
    first, second, distance = members[0], members[0], 0.0
    for position, member in enumerate(members):
        for other in members[position + 1 :]:
            apart = pair_penalty(values[member], values[other], layout, penalties)
            if apart > distance + TIE:
                first, second, distance = member, other, apart
    return first, second


@kernel
def _far_pair(
    values: FloatArray, layout: IntArray, penalties: FloatArray, members: IntArray
) -> tuple[int, int]:
    first, second, distance = members[0], members[0], -1.0
    while True:
        farthest, apart = second, -1.0
        for member in members:
            candidate = pair_penalty(values[member], values[second], layout, penalties)
            if candidate > apart + TIE:
                farthest, apart = member, candidate
        if apart <= distance + TIE:
            return first, second
        first, second, distance = second, farthest, apart
