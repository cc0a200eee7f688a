"""Ruin and recreate: dissolve a few neighbouring classes, build them anew, descend, and keep or take back.

After Schrimpf et al. 2000, with the acceptance rule of simulated annealing. Here and in the modules below loops are
written out where numpy's functions would take long to compile.
"""

import math

import numpy as np

from minv.compiled import IntArray, kernel
from minv.kanonymity.search.classes import Classes, members_of, remove
from minv.kanonymity.search.descent import descend
from minv.kanonymity.search.draws import State, draw, draw_below
from minv.kanonymity.search.journal import Journal, begin, enter, rise, take_back
from minv.kanonymity.search.rebuilding import rebuild

NONE = -1


@kernel
def anneal(
    classes: Classes,
    journal: Journal,
    neighbours: IntArray,
    k: int,
    steps: int,
    temperature: float,
    mean_cost: float,
    most_ruined: int,
    least_gain: float,
    state: State,
) -> None:
    """Take `steps` steps of ruin and recreate.

    A step ruins 2..most_ruined classes that are neighbours of each other and builds as many from their records,
    or one more or one fewer; then it descends from there. It is kept if its rise is at most `temperature`
    times an exponential draw, in units of `mean_cost` or of the mean cost of the ruined classes, whichever is
    less: what dear classes may lose must not shake cheap ones for ever.
    """
    queued = np.zeros(len(classes.labels), np.int64)
    rows = np.empty(most_ruined + 1, np.int64)
    free = _free_row(classes)
    for _ in range(steps):
        begin(journal)
        ruined = _choose_neighbours(classes, neighbours, rows, 2 + draw_below(state, most_ruined - 1), state)
        rows[ruined] = free
        wanted = _wanted(classes, rows[:ruined], free != NONE, k, state)
        unit = min(mean_cost, _mean_cost(classes, rows[:ruined]))
        pool = _ruin(classes, journal, rows[: max(ruined, wanted)])
        rebuild(classes, pool, rows[:wanted], k, state)
        pool = members_of(classes, rows[:wanted])
        descend(classes, journal, neighbours, k, least_gain, pool, queued)
        if rise(journal, classes) > -temperature * unit * math.log(1.0 - draw(state)):
            take_back(journal, classes)
        elif wanted != ruined:
            free = _free_row(classes)


@kernel
def _free_row(classes: Classes) -> int:
    """Return a row without a class, or NONE."""
    for row in range(len(classes.sizes)):
        if classes.sizes[row] == 0:
            return row
    return NONE


@kernel
def _choose_neighbours(
    classes: Classes, neighbours: IntArray, rows: IntArray, wanted: int, state: State
) -> int:
    """Write up to `wanted` classes to `rows`, each but the first that of a neighbour of a member of one before.

    Returns
    -------
    Their number.
    """
    rows[0] = classes.labels[draw_below(state, len(classes.labels))]
    count = 1
    for _ in range(8 * wanted):  # far more than are needed unless the classes have no other neighbours
        if count == wanted:
            break
        row = rows[draw_below(state, count)]
        member = classes.members[row, draw_below(state, classes.sizes[row])]
        neighbour = neighbours[member, draw_below(state, neighbours.shape[1])]
        rows[count] = classes.labels[neighbour]
        place = 0
        while rows[place] != rows[count]:
            place += 1
        if place == count:
            count += 1
    return count


@kernel
def _wanted(classes: Classes, ruined: IntArray, more: bool, k: int, state: State) -> int:
    """Draw how many classes to build: as many as are ruined, one fewer or (if `more`) one more, as sizes allow."""
    records = 0
    for row in ruined:
        records += classes.sizes[row]
    wanted = len(ruined) + draw_below(state, 3) - 1
    least = -(-records // classes.members.shape[1])
    most = min(records // k, len(ruined) + int(more))
    wanted = wanted if wanted > least else least
    return wanted if wanted < most else most


@kernel
def _mean_cost(classes: Classes, rows: IntArray) -> float:
    total = 0.0
    for row in rows:
        total += classes.costs[row]
    return total / len(rows)


@kernel
def _ruin(classes: Classes, journal: Journal, rows: IntArray) -> IntArray:
    """Empty the classes `rows` and return their records."""
    pool = members_of(classes, rows)
    for row in rows:
        enter(journal, classes, row)
        classes.costs[row] = 0.0
    for record in pool:
        remove(classes, record)
    return pool
