"""What a step of the search has changed, so that it can be taken back."""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.search.classes import Classes, refresh


class Journal(NamedTuple):
    """Classes as they were before the current step, in the order in which it first touched them."""

    entries: IntArray  # (1,) their number
    rows: IntArray  # (rows,)
    sizes: IntArray  # (rows,)
    costs: FloatArray  # (rows,)
    members: IntArray  # (rows, capacity)
    entered: IntArray  # (rows,) number of the step that last entered this class
    step: IntArray  # (1,)


def empty_journal(rows: int, capacity: int) -> Journal:
    """Return a journal for `rows` classes of at most `capacity` records."""
    return Journal(
        entries=np.zeros(1, np.int64),
        rows=np.empty(rows, np.int64),
        sizes=np.empty(rows, np.int64),
        costs=np.empty(rows),
        members=np.empty((rows, capacity), np.int64),
        entered=np.full(rows, -1, np.int64),
        step=np.zeros(1, np.int64),
    )


@kernel
def begin(journal: Journal) -> None:
    """Forget all entries: what has been done stays."""
    journal.entries[0] = 0
    journal.step[0] += 1


@kernel
def enter(journal: Journal, classes: Classes, row: int) -> None:
    """Record a class that is about to change; later calls in the same step do nothing."""
    if journal.entered[row] == journal.step[0]:
        return
    journal.entered[row] = journal.step[0]
    entry = journal.entries[0]
    journal.entries[0] += 1
    journal.rows[entry] = row
    journal.costs[entry] = classes.costs[row]
    size = classes.sizes[row]
    journal.sizes[entry] = size
    for slot in range(size):
        journal.members[entry, slot] = classes.members[row, slot]


@kernel
def rise(journal: Journal, classes: Classes) -> float:
    """Return by how much the cost has risen since the step began."""
    total = 0.0
    for entry in range(journal.entries[0]):
        total += classes.costs[journal.rows[entry]] - journal.costs[entry]
    return total


@kernel
def take_back(journal: Journal, classes: Classes) -> None:
    """Restore all classes of the journal."""
    for entry in range(journal.entries[0]):
        row, size = journal.rows[entry], journal.sizes[entry]
        classes.sizes[row] = size
        for slot in range(size):
            record = journal.members[entry, slot]
            classes.members[row, slot] = record
            classes.labels[record] = row
            classes.slots[record] = slot
        refresh(classes, row)
