"""Build classes anew from a handful of records: growth around starts."""

import numpy as np

from minv.compiled import IntArray, kernel
from minv.kanonymity.search.classes import Classes, add, refresh
from minv.kanonymity.search.draws import State, draw, draw_below
from minv.kanonymity.search.objective import join, joined_cost, summarise_one


@kernel
def rebuild(classes: Classes, pool: IntArray, rows: IntArray, k: int, state: State) -> None:
    """Put the records of `pool` into the free classes `rows`, at least k into each.

    Each class in turn starts at a random record, or at the one farthest from the start before, and grows to k
    by the record that costs least; the rest goes where its cost rises least. O(len(pool)^2 d).

    Parameters
    ----------
    pool
        Records without a class, k to `capacity` for each of `rows`; reordered in place.
    rows
        Free classes of cost 0.
    """
    left = len(pool)
    start = -1
    for row in rows:
        position = draw_below(state, left)
        if start >= 0 and draw(state) < 0.5:
            position = _farthest(classes, pool[:left], start)
        start = pool[position]
        for size in range(k):
            if size > 0:
                position = _cheapest(classes, pool[:left], row)
            _put(classes, row, pool[position])
            left -= 1
            pool[position] = pool[left]
    for record in pool[:left]:
        _put(classes, _least_rise(classes, rows, record), record)
    for row in rows:
        refresh(classes, row)


@kernel
def _put(classes: Classes, row: int, record: int) -> None:
    """Add a record to a class and bring its summary and cost up to date, not its rests."""
    layout = classes.layout
    summary, size, value = classes.summaries[row], classes.sizes[row], classes.values[record]
    if size == 0:
        summarise_one(value, summary, layout)
    else:
        classes.costs[row] = joined_cost(summary, size, value, layout, classes.penalties)
        join(summary, size, value, layout)
    add(classes, row, record)


@kernel
def _cheapest(classes: Classes, pool: IntArray, row: int) -> int:
    """Return the position in `pool` of the record whose joining costs least."""
    values, layout, penalties = classes.values, classes.layout, classes.penalties
    summary, size = classes.summaries[row], classes.sizes[row]
    best, best_cost = 0, np.inf
    for position, record in enumerate(pool):
        cost = joined_cost(summary, size, values[record], layout, penalties)
        if cost < best_cost:
            best, best_cost = position, cost
    return best


@kernel
def _farthest(classes: Classes, pool: IntArray, start: int) -> int:
    """Return the position in `pool` of the record that costs most in one class with `start`."""
    values, layout, penalties = classes.values, classes.layout, classes.penalties
    summary = np.empty(classes.summaries.shape[1])
    summarise_one(values[start], summary, layout)
    best, best_cost = 0, -1.0
    for position, record in enumerate(pool):
        cost = joined_cost(summary, 1, values[record], layout, penalties)
        if cost > best_cost:
            best, best_cost = position, cost
    return best


@kernel
def _least_rise(classes: Classes, rows: IntArray, record: int) -> int:
    """Return the class among `rows`, not full, whose cost rises least by `record`."""
    layout, penalties = classes.layout, classes.penalties
    best, best_rise = -1, np.inf
    for row in rows:
        size = classes.sizes[row]
        if size < classes.members.shape[1]:
            joined = joined_cost(classes.summaries[row], size, classes.values[record], layout, penalties)
            rise = joined - classes.costs[row]
            if rise < best_rise:
                best, best_rise = row, rise
    return best
