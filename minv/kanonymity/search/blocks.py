"""Division of records into small sets of similar ones, by recursive cuts of one attribute."""

from collections.abc import Iterator

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.search.objective import Layout, Objective, Penalties, difference


def blocks(objective: Objective, largest: int, cut: float) -> Iterator[IntArray]:
    """Yield disjoint sets of at most `largest` records that together are all records.

    A larger set is sorted by the attribute in which its records differ most, and cut where the value changes
    nearest to the share `cut` of its length. Equal records are cut anywhere. O(n d log(n)).
    """
    values = objective.values
    pending = [np.arange(len(values))]
    while pending:
        members = pending.pop()
        if len(members) <= largest:
            yield members
            continue
        attribute = int(np.argmax(_differences(*objective, members)))
        members = members[np.argsort(values[members, attribute], kind="stable")]
        changes = np.flatnonzero(np.diff(values[members, attribute])) + 1
        wanted = max(1, int(len(members) * cut))
        middle = int(changes[np.argmin(np.abs(changes - wanted))]) if len(changes) else wanted
        pending.append(members[middle:])
        pending.append(members[:middle])


@kernel
def _differences(values: FloatArray, layout: Layout, penalties: Penalties, members: IntArray) -> FloatArray:
    """Return, per attribute, the differences of records that stand half the set apart, added up."""
    totals = np.zeros(values.shape[1])
    half = len(members) // 2
    for position in range(half):
        first, second = values[members[position]], values[members[position + half]]
        for axis in range(len(totals)):
            totals[axis] += difference(first[axis], second[axis], axis, layout, penalties)
    return totals
