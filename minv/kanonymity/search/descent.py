"""Descent by single moves: a record changes its class, or two records swap theirs."""

import numpy as np

from minv.compiled import IntArray, kernel
from minv.kanonymity.search.classes import Classes, add, refresh, remove
from minv.kanonymity.search.journal import Journal, enter
from minv.kanonymity.search.objective import joined_cost


@kernel
def descend(
    classes: Classes,
    journal: Journal,
    neighbours: IntArray,
    k: int,
    least_gain: float,
    waiting: IntArray,
    queued: IntArray,
) -> None:
    """Apply the best move of one record after another until none of the records touched has one.

    A move takes a record to the class of one of its neighbours, or swaps it with a member of that class;
    sizes stay in k..capacity. The cost never rises.

    Parameters
    ----------
    neighbours
        (n, c) records whose classes each record may move to.
    least_gain
        Smaller gains are taken for rounding.
    waiting
        Records to look at first.
    queued
        (n,) all zero, and so again at the end; keeps records from waiting twice.
    """
    n = len(queued)
    queue = np.empty(n, np.int64)  # a ring
    first, count = 0, 0
    for record in waiting:
        queue[count] = record
        queued[record] = 1
        count += 1
    while count > 0:
        record = queue[first]
        first = first + 1 if first + 1 < n else 0
        count -= 1
        queued[record] = 0
        gain, row, partner = best_move(classes, neighbours[record], k, record)
        if gain <= least_gain:
            continue
        own = classes.labels[record]
        enter(journal, classes, own)
        enter(journal, classes, row)
        remove(classes, record)
        if partner >= 0:
            remove(classes, partner)
            add(classes, own, partner)
        add(classes, row, record)
        for changed in (own, row):
            refresh(classes, changed)
            for member in classes.members[changed, : classes.sizes[changed]]:
                if queued[member] == 0:
                    queued[member] = 1
                    last = first + count
                    queue[last if last < n else last - n] = member
                    count += 1


@kernel
def best_move(classes: Classes, neighbours: IntArray, k: int, record: int) -> tuple[float, int, int]:
    """Find the best move of `record` into the class of one of its `neighbours`.

    Returns
    -------
    The gain, 0 if there is no move that gains; the class it goes to; and whom it swaps with, or -1.
    """
    labels, sizes, costs, members = classes.labels, classes.sizes, classes.costs, classes.members
    rests, rest_costs, values = classes.rests, classes.rest_costs, classes.values
    layout, penalties = classes.layout, classes.penalties
    own = labels[record]
    leaving = costs[own] - rest_costs[record]
    best_gain, best_row, best_partner = 0.0, -1, -1
    previous = -1
    for neighbour in neighbours:
        row = labels[neighbour]
        if row in (own, previous):
            continue
        previous = row
        size = sizes[row]
        if sizes[own] > k and size < members.shape[1]:
            joined = joined_cost(classes.summaries[row], size, values[record], layout, penalties)
            gain = leaving + costs[row] - joined
            if gain > best_gain:
                best_gain, best_row, best_partner = gain, row, -1
        for partner in members[row, :size]:
            most = leaving + costs[row] - rest_costs[partner]
            if most <= best_gain:  # joining never lowers a cost
                continue
            joined = joined_cost(rests[partner], size - 1, values[record], layout, penalties)
            gain = most + rest_costs[partner] - joined
            if gain <= best_gain:
                continue
            joined = joined_cost(rests[record], sizes[own] - 1, values[partner], layout, penalties)
            gain += rest_costs[record] - joined
            if gain > best_gain:
                best_gain, best_row, best_partner = gain, row, partner
    return best_gain, best_row, best_partner
