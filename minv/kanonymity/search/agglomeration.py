"""A start for the search: merge classes, cheapest first, until each has at least k records."""

import heapq

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.search.objective import Layout, Penalties, merged_cost, summarise_one, summary_width
from minv.kanonymity.spans import extend


@kernel
def agglomerate(
    values: FloatArray, layout: Layout, penalties: Penalties, neighbours: IntArray, k: int
) -> IntArray:
    """Return labels (any integers) of classes of at least k records; there must be k records.

    A tree in the manner of Ward's, closed off at size k: from single records on, the two classes are merged
    whose union costs least more than its parts, where at least one has fewer than k records. Partners
    of a class are the classes of its members' `neighbours`; only where it has none of these, all classes.
    Classes may become larger than 2k-1 and are for the search to divide. O(n c (d + log n)) for c
    neighbours, times the number of times that a partner changes before its turn.
    """
    n = len(values)
    summaries = np.empty((n, summary_width(values.shape[1], layout)))
    costs, sizes = np.zeros(n), np.ones(n, np.int64)
    parents = np.arange(n)  # forest of classes; a root's number is its class
    following = np.arange(n)  # the members of a class form a ring
    changes = np.zeros(n, np.int64)  # of a class, to recognise entries of the heap that are out of date
    heap = [(0.0, 0, -1, 0, 0)]  # rise, class, its changes, partner, its changes; this one is out of date
    for record in range(n):
        summarise_one(values[record], summaries[record], layout)
    if k > 1:
        for record in range(n):
            rise, partner = _best_partner(
                record, neighbours, parents, following, summaries, sizes, costs, layout, penalties
            )
            heapq.heappush(heap, (rise, record, 0, partner, 0))
    while len(heap) > 0:
        rise, label, change, partner, partner_change = heapq.heappop(heap)
        if parents[label] != label or changes[label] != change:
            continue
        if parents[partner] == partner and changes[partner] == partner_change:
            costs[label] += costs[partner] + rise
            _merge(label, partner, parents, following, changes)
            _join_summaries(summaries[label], sizes[label], summaries[partner], sizes[partner], layout)
            sizes[label] += sizes[partner]
        if sizes[label] < k:
            rise, partner = _best_partner(
                label, neighbours, parents, following, summaries, sizes, costs, layout, penalties
            )
            heapq.heappush(heap, (rise, label, changes[label], partner, changes[partner]))
    for record in range(n):
        parents[record] = _root(parents, record)
    return parents


@kernel
def _root(parents: IntArray, record: int) -> int:
    while parents[record] != record:
        parents[record] = parents[parents[record]]
        record = parents[record]
    return record


@kernel
def _best_partner(
    label: int,
    neighbours: IntArray,
    parents: IntArray,
    following: IntArray,
    summaries: FloatArray,
    sizes: IntArray,
    costs: FloatArray,
    layout: Layout,
    penalties: Penalties,
) -> tuple[float, int]:
    """Return the least rise of the cost by a merger of a class, and the partner."""
    best_rise, best = np.inf, -1
    member = label
    while True:
        for neighbour in neighbours[member]:
            other = _root(parents, neighbour)
            if other != label and other != best:
                joint = merged_cost(
                    summaries[label], sizes[label], summaries[other], sizes[other], layout, penalties
                )
                rise = joint - costs[label] - costs[other]
                if rise < best_rise:
                    best_rise, best = rise, other
        member = following[member]
        if member == label:
            break
    if best >= 0:
        return best_rise, best
    for other in range(len(parents)):
        if parents[other] == other and other != label:
            joint = merged_cost(
                summaries[label], sizes[label], summaries[other], sizes[other], layout, penalties
            )
            rise = joint - costs[label] - costs[other]
            if rise < best_rise:
                best_rise, best = rise, other
    return best_rise, best


@kernel
def _merge(label: int, partner: int, parents: IntArray, following: IntArray, changes: IntArray) -> None:
    parents[partner] = label
    following[label], following[partner] = following[partner], following[label]
    changes[label] += 1


@kernel
def _join_summaries(
    summary: FloatArray, size: int, other: FloatArray, other_size: int, layout: Layout
) -> None:
    """Make `summary` that of the union of its class with another."""
    if layout is None:
        dimension = len(summary) - 1
        weight = size * other_size / (size + other_size)
        summary[dimension] += other[dimension]
        for axis in range(dimension):
            difference = other[axis] - summary[axis]
            summary[dimension] += weight * difference * difference
            summary[axis] += difference * other_size / (size + other_size)
    else:
        dimension = len(summary) // 2
        extend(summary[:dimension], summary[dimension:], other[:dimension], other[dimension:], layout)
