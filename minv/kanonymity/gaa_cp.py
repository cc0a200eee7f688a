"""GAA-CP: greedy clustering by least information loss (Jiang, Zeng and Ma 2017)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance
from minv.kanonymity.remaining import without_labelled
from minv.kanonymity.spans import TIE, extend, extended_penalty, pair_penalty, spans_penalty
from minv.loss import MixedRecords


def gaa_cp(records: MixedRecords, k: int, seed: int) -> IntArray:
    """Partition `records` into classes of k, grown one record at a time.

    The first class starts at a random record, each other one at the remaining record farthest from the
    start of the class before it. A class grows to k records, each time by the one whose joining raises
    NCP least, numeric and categorical attributes each by their own penalty. Fewer than k left-overs join,
    one after the other, the class whose NCP they raise least. O(n^2 d).

    The original text was not at hand: these steps follow the description in the COAA paper and the
    k-member algorithm of Byun et al. 2007, which it fits.

    Parameters
    ----------
    records
        n records.
    k
        Least size of a class.
    seed
        Of the first start.

    Returns
    -------
    (n,) class of each record, numbered by first appearance.

    Raises
    ------
    UsageError, InfeasibleError
        See `check_k`.
    """
    check_k(len(records), k)
    if not len(records):
        return np.zeros(0, np.int64)
    start = int(np.random.default_rng(seed).integers(len(records)))
    return by_first_appearance(_gaa_cp(records.values, *records.spans, k, start))


@kernel
def _gaa_cp(values: FloatArray, layout: IntArray, penalties: FloatArray, k: int, start: int) -> IntArray:
    n = len(values)
    labels = np.full(n, -1, np.int64)
    low = np.empty((n // k, values.shape[1]))
    high = np.empty_like(low)
    remaining = np.arange(n)
    label = 0
    while len(remaining) >= k:
        if label > 0:
            start = _farthest(values, layout, penalties, remaining, start)
        labels[start] = label
        low[label] = values[start]
        high[label] = values[start]
        for _ in range(k - 1):
            joining = _cheapest(values, layout, penalties, labels, remaining, low[label], high[label])
            labels[joining] = label
            extend(low[label], high[label], values[joining], values[joining], layout)
        remaining = without_labelled(remaining, labels)
        label += 1
    sizes = np.full(label, k, np.int64)
    for record in remaining:
        chosen = _least_rise(values[record], layout, penalties, low, high, sizes)
        labels[record] = chosen
        sizes[chosen] += 1
        extend(low[chosen], high[chosen], values[record], values[record], layout)
    return labels


@kernel
def _farthest(
    values: FloatArray, layout: IntArray, penalties: FloatArray, remaining: IntArray, start: int
) -> int:
    best, best_penalty = -1, -1.0
    for record in remaining:
        penalty = pair_penalty(values[record], values[start], layout, penalties)
        if penalty > best_penalty + TIE:
            best, best_penalty = record, penalty
    return best


@kernel
def _cheapest(
    values: FloatArray,
    layout: IntArray,
    penalties: FloatArray,
    labels: IntArray,
    remaining: IntArray,
    low: FloatArray,
    high: FloatArray,
) -> int:
    """Return the unlabelled record that extends the spans low..high at the least penalty."""
    best, best_penalty = -1, np.inf
    for record in remaining:
        if labels[record] < 0:
            penalty = extended_penalty(low, high, values[record], layout, penalties)
            if penalty < best_penalty - TIE:
                best, best_penalty = record, penalty
    return best


@kernel
def _least_rise(
    record: FloatArray,
    layout: IntArray,
    penalties: FloatArray,
    low: FloatArray,
    high: FloatArray,
    sizes: IntArray,
) -> int:
    """Return the class whose NCP rises least when `record` joins it."""
    best, best_rise = -1, np.inf
    for label in range(len(sizes)):
        before = sizes[label] * spans_penalty(low[label], high[label], layout, penalties)
        rise = (sizes[label] + 1) * extended_penalty(
            low[label], high[label], record, layout, penalties
        ) - before
        if rise < best_rise - TIE:
            best, best_rise = label, rise
    return best
