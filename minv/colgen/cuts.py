"""Subset-row cuts on triples of rows: find those that a fractional solution violates (docs/bound.md)."""

import numpy as np

from minv.colgen.cut_kernels import score_triples
from minv.colgen.pool import columns_of_rows, take
from minv.compiled import FloatArray, IntArray
from minv.pricing.protocol import Columns

_SUPPORT = 1e-3  # smaller values are noise of the interior point method
_A_ROW = 6  # cuts of one round that may share a row


def violated_triples(
    columns: Columns, values: FloatArray, multiplicity: IntArray, *, most: int, least: float
) -> IntArray:
    """Return the most violated subset-row cuts, (q, 3) rows ascending.

    The cut on a triple T says that the columns with two or more rows of T have a total value of at most half the
    multiplicity of T, rounded down.

    Parameters
    ----------
    columns, values
        The restricted master's columns and their values.
    multiplicity
        (r,) how often each row is covered.
    most
        How many cuts to return; few of them share a row.
    least
        Violations up to this are left.
    """
    support = np.flatnonzero(values > _SUPPORT)
    used = take(columns, support)
    row_starts, columns_of_row = columns_of_rows(used, len(multiplicity))
    room = 200_000
    triples = np.empty((room, 3), np.int64)
    scores = np.empty(room)
    found = score_triples(
        used.starts,
        used.members,
        values[support],
        row_starts,
        columns_of_row,
        multiplicity,
        least,
        triples,
        scores,
    )
    best = np.argsort(-scores[:found], kind="stable")
    uses = np.zeros(len(multiplicity), np.int64)
    chosen: list[int] = []
    for index in best.tolist():
        if len(chosen) == most:
            break
        if (uses[triples[index]] < _A_ROW).all():
            uses[triples[index]] += 1
            chosen.append(index)
    return triples[chosen]
