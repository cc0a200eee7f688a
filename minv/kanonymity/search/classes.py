"""The state of the search: classes with their members, summaries and costs, kept consistent by kernels."""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.search.objective import (
    Layout,
    Objective,
    Penalties,
    summarise,
    summarise_rests,
    summary_width,
)


class Classes(NamedTuple):
    """A partition while it is being improved, all in arrays.

    A class is a row of `members`; a row of size 0 is free for use. `rests` describe, for each record, its class
    without it.
    """

    values: FloatArray  # (n, d); with the next two, the objective
    layout: Layout
    penalties: Penalties
    labels: IntArray  # (n,) row of each record
    slots: IntArray  # (n,) column of each record
    members: IntArray  # (rows, capacity)
    sizes: IntArray  # (rows,)
    summaries: FloatArray  # (rows, w)
    costs: FloatArray  # (rows,)
    rests: FloatArray  # (n, w)
    rest_costs: FloatArray  # (n,)


def empty_classes(objective: Objective, rows: int, capacity: int) -> Classes:
    """Return room for `rows` classes of at most `capacity` records, all free; no record has a class."""
    n = len(objective.values)
    width = summary_width(objective.values.shape[1], objective.layout)
    return Classes(
        *objective,
        labels=np.full(n, -1, np.int64),
        slots=np.empty(n, np.int64),
        members=np.empty((rows, capacity), np.int64),
        sizes=np.zeros(rows, np.int64),
        summaries=np.empty((rows, width)),
        costs=np.zeros(rows),
        rests=np.empty((n, width)),
        rest_costs=np.zeros(n),
    )


@kernel
def add(classes: Classes, row: int, record: int) -> None:
    """Append a record to a class; `refresh` must follow."""
    slot = classes.sizes[row]
    classes.members[row, slot] = record
    classes.labels[record] = row
    classes.slots[record] = slot
    classes.sizes[row] = slot + 1


@kernel
def remove(classes: Classes, record: int) -> None:
    """Take a record out of its class; `refresh` must follow."""
    row = classes.labels[record]
    last = classes.sizes[row] - 1
    moved = classes.members[row, last]
    classes.members[row, classes.slots[record]] = moved
    classes.slots[moved] = classes.slots[record]
    classes.sizes[row] = last


@kernel
def refresh(classes: Classes, row: int) -> None:
    """Recompute summary, cost and rests of a class from its members."""
    size = classes.sizes[row]
    if size == 0:
        classes.costs[row] = 0.0
        return
    members = classes.members[row, :size]
    summary = classes.summaries[row]
    values, layout, penalties = classes.values, classes.layout, classes.penalties
    classes.costs[row] = summarise(values, members, summary, layout, penalties)
    if size > 1:
        summarise_rests(values, members, summary, classes.rests, classes.rest_costs, layout, penalties)


@kernel
def members_of(classes: Classes, rows: IntArray) -> IntArray:
    """Return the records of several classes."""
    count = 0
    for row in rows:
        count += classes.sizes[row]
    members = np.empty(count, np.int64)
    count = 0
    for row in rows:
        for member in classes.members[row, : classes.sizes[row]]:
            members[count] = member
            count += 1
    return members
