"""Rank-one cuts on listed columns: how often these hold them, and which are violated (compiled)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel


@kernel
def list_holdings(
    starts: IntArray,
    members: IntArray,
    cut_starts: IntArray,
    cuts: IntArray,
    numerators: IntArray,
    denominators: IntArray,
    owners: IntArray,
    held_cuts: IntArray,
    times: IntArray,
) -> int:
    """Write which columns hold which cuts how often; return how many such pairs there are.

    `cuts[cut_starts[i]:cut_starts[i + 1]]` are the cuts on row i, `numerators` its multipliers there. A column holds a
    cut as often as the denominator goes into the sum of its rows' multipliers.
    """
    sums = np.zeros(len(denominators), np.int64)
    touched = np.empty(len(denominators), np.int64)
    found = 0
    for column in range(len(starts) - 1):
        first, last = starts[column], starts[column + 1]
        count = _add_up(members, first, last, cut_starts, cuts, numerators, sums, touched)
        for index in range(count):
            cut = touched[index]
            if sums[cut] >= denominators[cut]:
                owners[found] = column
                held_cuts[found] = cut
                times[found] = sums[cut] // denominators[cut]
                found += 1
            sums[cut] = 0
    return found


@kernel
def add_penalties(
    starts: IntArray,
    members: IntArray,
    cut_starts: IntArray,
    cuts: IntArray,
    numerators: IntArray,
    denominators: IntArray,
    penalties: FloatArray,
    costs: FloatArray,
) -> None:
    """Add to the cost of each column the penalty of each cut, as often as it holds it; see `list_holdings`."""
    sums = np.zeros(len(denominators), np.int64)
    touched = np.empty(len(denominators), np.int64)
    for column in range(len(costs)):
        first, last = starts[column], starts[column + 1]
        count = _add_up(members, first, last, cut_starts, cuts, numerators, sums, touched)
        for index in range(count):
            cut = touched[index]
            costs[column] += penalties[cut] * (sums[cut] // denominators[cut])
            sums[cut] = 0


@kernel
def _add_up(
    members: IntArray,
    first: int,
    last: int,
    cut_starts: IntArray,
    cuts: IntArray,
    numerators: IntArray,
    sums: IntArray,
    touched: IntArray,
) -> int:
    """Add the multipliers of a column's rows to the sums of their cuts; write which these are, return how many."""
    count = 0
    for entry in range(first, last):
        row = members[entry]
        for at in range(cut_starts[row], cut_starts[row + 1]):
            if sums[cuts[at]] == 0:
                touched[count] = cuts[at]
                count += 1
            sums[cuts[at]] += numerators[at]
    return count


@kernel
def search_violated(
    values: FloatArray,
    row_starts: IntArray,
    columns_of_row: IntArray,
    near_starts: IntArray,
    near: IntArray,
    multiplicity: IntArray,
    numerators: IntArray,
    denominator: int,
    draws: IntArray,
    least: float,
    found: IntArray,
    scores: FloatArray,
) -> int:
    """Exchange the rows of a cut for others near them while its violation grows, from one start a line of `draws`.

    The first number of a line is a row, the others choose among the rows near it. Writes the rows of the cuts
    violated by more than `least`, and by how much; returns how many.
    """
    length = len(numerators)
    sums = np.zeros(len(values), np.int64)
    rows = np.empty(length, np.int64)
    count = 0
    for start in range(len(draws)):
        if not _drawn(draws[start], near_starts, near, rows):
            continue
        left = 0.0
        right = 0
        for position in range(length):
            by = numerators[position]
            left += _rise(sums, by, rows[position], row_starts, columns_of_row, values, denominator)
            _change(sums, by, rows[position], row_starts, columns_of_row)
            right += by * multiplicity[rows[position]]
        better = True
        while better:
            better = False
            for position in range(length):
                old, by = rows[position], numerators[position]
                best = left - right // denominator
                left += _rise(sums, -by, old, row_starts, columns_of_row, values, denominator)
                _change(sums, -by, old, row_starts, columns_of_row)
                right -= by * multiplicity[old]
                chosen = old
                for other in range(length):
                    for entry in range(near_starts[rows[other]], near_starts[rows[other] + 1]):
                        row = near[entry]
                        if _holds(rows, row):
                            continue
                        score = left + _rise(sums, by, row, row_starts, columns_of_row, values, denominator)
                        score -= (right + by * multiplicity[row]) // denominator
                        if score > best + 1e-9:
                            best, chosen = score, row
                rows[position] = chosen
                left += _rise(sums, by, chosen, row_starts, columns_of_row, values, denominator)
                _change(sums, by, chosen, row_starts, columns_of_row)
                right += by * multiplicity[chosen]
                better |= chosen != old
        for position in range(length):
            _change(sums, -numerators[position], rows[position], row_starts, columns_of_row)
        if left - right // denominator > least:
            found[count] = rows
            scores[count] = left - right // denominator
            count += 1
    return count


@kernel
def _drawn(draws: IntArray, near_starts: IntArray, near: IntArray, rows: IntArray) -> bool:
    """Fill `rows` with a row and rows near it; whether they are all different."""
    rows[:] = -1
    rows[0] = draws[0]
    first, size = near_starts[rows[0]], near_starts[rows[0] + 1] - near_starts[rows[0]]
    if size < len(rows):
        return False
    for position in range(1, len(rows)):
        row = near[first + draws[position] % size]
        if _holds(rows, row):
            return False
        rows[position] = row
    return True


@kernel
def _holds(rows: IntArray, row: int) -> bool:
    found = False
    for other in rows:
        found |= other == row
    return found


@kernel
def _change(sums: IntArray, by: int, row: int, row_starts: IntArray, columns_of_row: IntArray) -> None:
    for entry in range(row_starts[row], row_starts[row + 1]):
        sums[columns_of_row[entry]] += by


@kernel
def _rise(
    sums: IntArray,
    by: int,
    row: int,
    row_starts: IntArray,
    columns_of_row: IntArray,
    values: FloatArray,
    denominator: int,
) -> float:
    """Return by how much the left side rises where the multiplier of a row rises by `by`."""
    risen = 0.0
    for entry in range(row_starts[row], row_starts[row + 1]):
        column = columns_of_row[entry]
        risen += values[column] * ((sums[column] + by) // denominator - sums[column] // denominator)
    return risen
