"""How often columns hold cuts, and how cuts enter the bound of a box (compiled; docs/bound.md).

A cut with penalty p and denominator q charges p floor(s / q) to a cluster whose numerators sum to s. For use in bounds
the charge is replaced by a linear one that is never larger: either p/q times the numerators, less p (q - 1)/q; or,
for some rows whose numerators sum to q or more, p for each of them in the cluster, less p for all but one.
"""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel, lean_kernel
from minv.pricing.cuts import CutTable

NEITHER, FRACTIONS, COVER = 0, 1, 2


@lean_kernel
def join(row: int, table: CutTable, sums: IntArray) -> float:
    """Add the row's numerators to the sums of its cuts; return the penalties that fall due by it."""
    due = 0.0
    for entry in range(table.starts[row], table.starts[row + 1]):
        cut = table.cuts[entry]
        before = sums[cut]
        sums[cut] = before + table.of_row[entry]
        below = table.denominators[cut]
        if sums[cut] >= below:
            due += table.penalties[cut] * (sums[cut] // below - before // below)
    return due


@lean_kernel
def leave(row: int, table: CutTable, sums: IntArray) -> None:
    """Undo `join`."""
    for entry in range(table.starts[row], table.starts[row + 1]):
        sums[table.cuts[entry]] -= table.of_row[entry]


@lean_kernel
def penalty_of(table: CutTable, members: IntArray, count: int, sums: IntArray) -> float:
    """Return what the first `count` members pay together; `sums` is scratch, all 0, one a cut."""
    due = 0.0
    for k in range(count):
        due += join(members[k], table, sums)
    for k in range(count):
        leave(members[k], table, sums)
    return due


@kernel
def list_holdings(
    starts: IntArray,
    members: IntArray,
    table: CutTable,
    owners: IntArray,
    held_cuts: IntArray,
    times: IntArray,
) -> int:
    """Write which columns hold which cuts how often; return how many such pairs there are."""
    sums = np.zeros(len(table.denominators), np.int64)
    found = 0
    for column in range(len(starts) - 1):
        first, last = starts[column], starts[column + 1]
        for entry in range(first, last):
            join(members[entry], table, sums)
        for entry in range(first, last):
            row = members[entry]
            for at in range(table.starts[row], table.starts[row + 1]):
                cut = table.cuts[at]
                if sums[cut] >= table.denominators[cut]:
                    owners[found] = column
                    held_cuts[found] = cut
                    times[found] = sums[cut] // table.denominators[cut]
                    found += 1
                sums[cut] = 0
    return found


@kernel
def add_penalties(starts: IntArray, members: IntArray, table: CutTable, costs: FloatArray) -> None:
    """Add to the cost of each column the penalty of each cut, as often as it holds it."""
    sums = np.zeros(len(table.denominators), np.int64)
    for column in range(len(costs)):
        first, last = starts[column], starts[column + 1]
        costs[column] += penalty_of(table, members[first:last], last - first, sums)


@kernel
def _shift_fractions(table: CutTable, cut: int, share: float, shift: FloatArray) -> None:
    for a in range(table.rows.shape[1]):
        if table.numerators[cut, a] == 0:
            break
        shift[table.rows[cut, a]] += share * table.numerators[cut, a]


@kernel
def _shift_cover(
    table: CutTable, cut: int, penalty: float, cluster: IntArray, size: int, shift: FloatArray
) -> int:
    """Charge the penalty to rows of the cluster that hold the cut, those of large numerators first; return how many."""
    below = table.denominators[cut]
    total, taken = 0, 0
    for numerator in range(below - 1, 0, -1):
        for a in range(table.rows.shape[1]):
            if table.numerators[cut, a] == 0 or total >= below:
                break
            if table.numerators[cut, a] != numerator:
                continue
            row = table.rows[cut, a]
            for b in range(size):
                if cluster[b] == row:
                    shift[row] += penalty
                    total += numerator
                    taken += 1
                    break
    return taken


@kernel
def charge_cuts(
    table: CutTable,
    cluster: IntArray,
    size: int,
    sums: IntArray,
    form: IntArray,
    charged: IntArray,
    count: int,
    shift: FloatArray,
) -> tuple[int, float, bool]:
    """Choose linear charges that make this cluster dearer.

    A cut that the cluster is the first to hold is charged in fractions; one that is, and that takes less than its
    penalty from a cluster that holds it once, is charged on rows of that cluster.

    sums
        Scratch, all 0, one a cut.
    form
        How each cut is charged; `charged[:count]` lists the cuts that are.
    shift
        What is charged to each row.

    Returns
    -------
    The number of charged cuts, the rise of the constant to subtract, and whether anything changed.
    """
    constant = 0.0
    changed = False
    for k in range(size):
        join(cluster[k], table, sums)
    for k in range(size):
        for entry in range(table.starts[cluster[k]], table.starts[cluster[k] + 1]):
            cut = table.cuts[entry]
            held, below, penalty = sums[cut], table.denominators[cut], table.penalties[cut]
            sums[cut] = 0
            if held < below or penalty <= 0.0:
                continue
            share = penalty / below
            if form[cut] == NEITHER:
                form[cut] = FRACTIONS
                charged[count] = cut
                count += 1
                _shift_fractions(table, cut, share, shift)
                constant += share * (below - 1)
            elif form[cut] == FRACTIONS and held < 2 * below - 1:
                form[cut] = COVER
                _shift_fractions(table, cut, -share, shift)
                taken = _shift_cover(table, cut, penalty, cluster, size, shift)
                constant += penalty * (taken - 1) - share * (below - 1)
            else:
                continue
            changed = True
    return count, constant, changed


@kernel
def discharge_cuts(table: CutTable, form: IntArray, charged: IntArray, count: int, shift: FloatArray) -> None:
    """Undo all charges."""
    for k in range(count):
        cut = charged[k]
        form[cut] = NEITHER
        for a in range(table.rows.shape[1]):
            if table.numerators[cut, a] == 0:
                break
            shift[table.rows[cut, a]] = 0.0
