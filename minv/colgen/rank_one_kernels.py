"""Walk over multipliers to rank-one cuts that a fractional solution violates (compiled)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel

_TENURE = 4  # steps before a row's multiplier changes again
_CHANCE = 10  # one step of so many takes any row
_MORE = 1e-9  # violation that counts as more


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
