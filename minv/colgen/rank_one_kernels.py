"""Rank-one cuts on listed columns: how often these hold them, and which are violated (compiled)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel

_TENURE = 4  # steps before a row's multiplier changes again
_CHANCE = 10  # one step of so many takes any row
_MORE = 1e-9  # violation that counts as more


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
    column_starts: IntArray,
    members: IntArray,
    row_starts: IntArray,
    columns_of_row: IntArray,
    multiplicity: IntArray,
    denominator: int,
    starts: IntArray,
    draws: FloatArray,
    least: float,
    multipliers: IntArray,
    scores: FloatArray,
) -> None:
    """Walk from each row in `starts` to multipliers whose cut is violated; write the best of each walk.

    What a column's sum of multipliers leaves over when divided by the denominator is lost for the violation, what the
    right side leaves over is gained. Each step picks a column that loses and changes the multiplier of
    one of its rows so that this column loses nothing, whichever row leaves the violation highest; now and then any row.

    Parameters
    ----------
    values
        (c,) values of the columns, above 0.
    column_starts, members, row_starts, columns_of_row
        The rows of each column and the columns of each row, in compressed form.
    draws
        (starts, steps, 2) in [0, 1): which column, which row where that is left to chance.
    least
        Violations up to this do not count.
    multipliers, scores
        (starts, rows) and (starts,): what is found; scores of 0 where nothing is.
    """
    rows = len(multiplicity)
    steps = draws.shape[1]
    rest = np.zeros(len(values), np.int64)
    losing = np.empty(len(values), np.int64)
    place = np.full(len(values), -1, np.int64)
    held = np.zeros(rows, np.int64)
    until = np.zeros(rows, np.int64)
    for start in range(len(starts)):
        rest[:] = 0
        place[:] = -1
        held[:] = 0
        until[:] = 0
        scores[start] = 0.0
        number = 0
        right = 0
        lost = 0.0
        row, by = starts[start], 1 + int(draws[start, 0, 1] * (denominator - 1))
        for step in range(steps):
            if step > 0:
                if number == 0:
                    break
                column = losing[int(draws[start, step, 0] * number)]
                by = denominator - rest[column]
                first, last = column_starts[column], column_starts[column + 1]
                row = members[first + int(draws[start, step, 1] * (last - first))]
                if draws[start, step, 1] * _CHANCE % 1 > 1 / _CHANCE:
                    best = -np.inf
                    for other in members[first:last]:
                        score = float((right + by * multiplicity[other]) % denominator)
                        score -= _rise(rest, by, other, row_starts, columns_of_row, values, denominator)
                        if score > best and until[other] <= step:
                            best, row = score, other
            lost += _rise(rest, by, row, row_starts, columns_of_row, values, denominator)
            right = (right + by * multiplicity[row]) % denominator
            held[row] = (held[row] + by) % denominator
            until[row] = step + _TENURE
            changed = columns_of_row[row_starts[row] : row_starts[row + 1]]
            number = _change(rest, by, changed, denominator, losing, place, number)
            score = (right - lost) / denominator
            if score > least and score > scores[start] + _MORE:
                scores[start] = score
                multipliers[start] = held


@kernel
def _change(
    rest: IntArray,
    by: int,
    columns: IntArray,
    denominator: int,
    losing: IntArray,
    place: IntArray,
    number: int,
) -> int:
    """Raise the sums of some columns; keep the list of the losing ones, and return how many there are."""
    for column in columns:
        rest[column] = (rest[column] + by) % denominator
        if rest[column] == 0:
            number -= 1
            last = losing[number]
            losing[place[column]] = last
            place[last] = place[column]
            place[column] = -1
        elif place[column] < 0:
            losing[number] = column
            place[column] = number
            number += 1
    return number


@kernel
def _rise(
    rest: IntArray,
    by: int,
    row: int,
    row_starts: IntArray,
    columns_of_row: IntArray,
    values: FloatArray,
    denominator: int,
) -> float:
    """Return by how much more is lost where the multiplier of a row rises by `by`."""
    risen = 0.0
    for entry in range(row_starts[row], row_starts[row + 1]):
        column = columns_of_row[entry]
        risen += values[column] * ((rest[column] + by) % denominator - rest[column])
    return risen
