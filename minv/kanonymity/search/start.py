"""The partition from which the search starts."""

import numpy as np

from minv.compiled import IntArray, kernel
from minv.kanonymity.search.agglomeration import agglomerate
from minv.kanonymity.search.classes import Classes, add, empty_classes, refresh
from minv.kanonymity.search.draws import State
from minv.kanonymity.search.objective import Objective
from minv.kanonymity.search.rebuilding import rebuild


def start_classes(
    objective: Objective, neighbours: IntArray, k: int, state: State, labels: IntArray | None = None
) -> Classes:
    """Take the classes of `labels`, or agglomerate the records; divide what is larger than 2k-1.

    There must be k records, and k in each class of `labels`.
    """
    n = len(objective.values)
    classes = empty_classes(objective, n // k, 2 * k - 1)
    found = agglomerate(*objective, neighbours, k) if labels is None else labels
    order = np.argsort(found, kind="stable")
    _, starts = np.unique(found[order], return_index=True)
    _fill(classes, order, np.append(starts, n), k, state)
    return classes


@kernel
def _fill(classes: Classes, order: IntArray, starts: IntArray, k: int, state: State) -> None:
    """Make classes of the runs `order[starts[i]:starts[i + 1]]`, several of a run that is too long for one."""
    row = 0
    for run in range(len(starts) - 1):
        members = order[starts[run] : starts[run + 1]].copy()
        if len(members) <= classes.members.shape[1]:
            for member in members:
                add(classes, row, member)
            refresh(classes, row)
            row += 1
        else:
            parts = len(members) // k
            rebuild(classes, members, np.arange(row, row + parts), k, state)
            row += parts
