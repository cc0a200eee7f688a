"""Find violated subset-row cuts (compiled)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel


@kernel
def score_triples(
    starts: IntArray,
    members: IntArray,
    values: FloatArray,
    row_starts: IntArray,
    columns_of_row: IntArray,
    multiplicity: IntArray,
    least: float,
    triples: IntArray,
    scores: FloatArray,
) -> int:
    """Write all triples violated by more than `least` and by how much; return how many, at most the room."""
    rows = len(multiplicity)
    weight = np.zeros((rows, rows))  # value of all columns that hold both rows
    for column in range(len(values)):
        for a in range(starts[column], starts[column + 1]):
            for b in range(starts[column], starts[column + 1]):
                weight[members[a], members[b]] += values[column]
    neighbours = np.empty(rows, np.int64)
    holds = np.zeros(len(values), np.int64)
    count = 0
    for i in range(rows):
        degree = 0
        for j in range(i + 1, rows):
            if weight[i, j] > 0.0:
                neighbours[degree] = j
                degree += 1
        for entry in range(row_starts[i], row_starts[i + 1]):
            holds[columns_of_row[entry]] = 1
        for a in range(degree):
            j = neighbours[a]
            for entry in range(row_starts[j], row_starts[j + 1]):
                holds[columns_of_row[entry]] += 2
            for b in range(a + 1, degree):
                k = neighbours[b]
                right = (multiplicity[i] + multiplicity[j] + multiplicity[k]) // 2
                upper = weight[i, j] + weight[i, k] + weight[j, k] - right
                if upper <= least:
                    continue
                all_three = 0.0
                for entry in range(row_starts[k], row_starts[k + 1]):
                    column = columns_of_row[entry]
                    if holds[column] == 3:
                        all_three += values[column]
                score = upper - 2.0 * all_three
                if score > least:
                    if count == len(scores):
                        return count
                    triples[count, 0], triples[count, 1], triples[count, 2] = i, j, k
                    scores[count] = score
                    count += 1
            for entry in range(row_starts[j], row_starts[j + 1]):
                holds[columns_of_row[entry]] -= 2
        for entry in range(row_starts[i], row_starts[i + 1]):
            holds[columns_of_row[entry]] = 0
    return count
