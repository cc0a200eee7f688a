"""Lists of each record's nearest others: where the search looks for moves."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.search.blocks import blocks
from minv.kanonymity.search.objective import Layout, Objective, Penalties, difference

COPIES = 3  # so many equal records stand at the head of a list
BLOCK = (
    1024  # most distinct records that are compared with each other, where there are more than twice as many
)
CUTS = (1 / 2, 1 / 3)  # one division into blocks each; a neighbour lost by one is likely found by the other


def nearest_records(objective: Objective, count: int) -> IntArray:
    """Return about `count` nearest others of each record, by what two records cost in one class.

    More than 2 BLOCK distinct records are divided twice into blocks of at most BLOCK, differently, and compared
    within these only: O(n BLOCK d). Of many equal records, each is listed by other partners, so that the
    lists of a class lead to many classes.

    Returns
    -------
    (n, c) records: up to COPIES equal ones (perhaps the record itself), then one of each near but different kind.
    """
    distinct, group = np.unique(objective.values, axis=0, return_inverse=True)
    kinds = objective._replace(values=np.ascontiguousarray(distinct))
    count = min(count, len(distinct) - 1)
    nearest = np.full((len(distinct), count), -1, np.int64)
    distances = np.full((len(distinct), count), np.inf)
    if count:
        if len(distinct) <= 2 * BLOCK:
            _compare(*kinds, np.arange(len(distinct)), nearest, distances)
        else:
            for cut in CUTS:
                for block in blocks(kinds, BLOCK, cut):
                    _compare(*kinds, block, nearest, distances)
    return _spread_over_copies(nearest, group.reshape(-1).astype(np.int64))


@kernel
def _compare(
    values: FloatArray,
    layout: Layout,
    penalties: Penalties,
    block: IntArray,
    nearest: IntArray,
    distances: FloatArray,
) -> None:
    """Enter the records of a block into each other's lists, in place."""
    last = nearest.shape[1] - 1
    for position, record in enumerate(block):
        for other in block[:position]:
            total = 0.0
            for axis in range(values.shape[1]):
                total += difference(values[record, axis], values[other, axis], axis, layout, penalties)
            if total < distances[record, last]:
                _enter(nearest[record], distances[record], other, total)
            if total < distances[other, last]:
                _enter(nearest[other], distances[other], record, total)


@kernel
def _enter(nearest: IntArray, distances: FloatArray, record: int, distance: float) -> None:
    """Insert into a list sorted by distance, unless the record is in it; the last of the list drops out."""
    for known in nearest:
        if known == record:
            return
    place = len(nearest) - 1
    while place > 0 and distances[place - 1] > distance:
        distances[place], nearest[place] = distances[place - 1], nearest[place - 1]
        place -= 1
    distances[place], nearest[place] = distance, record


def _spread_over_copies(nearest: IntArray, group: IntArray) -> IntArray:
    """Turn lists of distinct records into lists of records, so that equal records get different partners.

    Parameters
    ----------
    nearest
        (r, c) near distinct records of each distinct one, -1 at the end of short lists.
    group
        (n,) distinct record of each record.
    """
    order = np.argsort(group, kind="stable")
    counts = np.bincount(group)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    turn = np.empty(len(group), np.int64)  # which copy of its group a record is
    turn[order] = np.arange(len(group)) - starts[group[order]]
    steps = np.arange(1, min(COPIES, int(counts.max()) - 1) + 1)
    equal = order[starts[group][:, None] + (turn[:, None] + steps) % counts[group][:, None]]
    partners = np.where(nearest[group] < 0, group[:, None], nearest[group])
    different = order[starts[partners] + turn[:, None] % counts[partners]]
    return np.ascontiguousarray(np.hstack([equal, different]))
