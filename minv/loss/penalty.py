"""The normalised certainty penalty, NCP (Xu et al. 2006; COAA paper, eqs. 2-4)."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.loss.records import SET, MixedRecords, span_penalty


class CertaintyPenalty:
    """NCP of one table: what each record loses in each quasi-identifier, added up.

    A numeric value generalised to [p, q] loses (q - p) / |A|, |A| the width of the attribute's domain. A
    value generalised to a node of its hierarchy loses leaves(node) / leaves(root), the node being the
    lowest that covers all values of the class; without a hierarchy, the share of the domain's values that
    occur in the class. A value that is not generalised loses nothing.

    Parameters
    ----------
    records
        The table.
    """

    name = "ncp"

    def __init__(self, records: MixedRecords) -> None:
        self._records = records

    def cells(self, labels: IntArray) -> FloatArray:
        """Return the (n, d) penalty of every cell."""
        low, high = class_spans(self._records, labels)
        return _cell_penalties(low, high, *self._records.spans)[labels]

    def per_record(self, labels: IntArray) -> FloatArray:
        """Return the (n,) loss of every record, 0..d."""
        summed: FloatArray = self.cells(labels).sum(axis=1)
        return summed

    def per_attribute(self, labels: IntArray) -> FloatArray:
        """Return the (d,) loss of every quasi-identifier, 0..n."""
        summed: FloatArray = self.cells(labels).sum(axis=0)
        return summed

    def total(self, labels: IntArray) -> float:
        """Return the loss of the table, 0..n d."""
        return float(self.cells(labels).sum())

    def normalised(self, labels: IntArray) -> float:
        """Return the mean loss of a cell, 0..1."""
        return self.total(labels) / self._records.values.size if self._records.values.size else 0.0


def class_spans(records: MixedRecords, labels: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the span of every class in every attribute (see `minv.loss.records`).

    Parameters
    ----------
    labels
        (n,) class of each record.

    Returns
    -------
    Two arrays (K, d), K = labels.max() + 1; 0 for classes without a record.
    """
    values = records.values
    classes = int(labels.max()) + 1 if len(labels) else 0
    low = np.zeros((classes, values.shape[1]))
    high = np.zeros((classes, values.shape[1]))
    if classes:
        order = np.argsort(labels, kind="stable")
        present, starts = np.unique(labels[order], return_index=True)
        low[present] = np.minimum.reduceat(values[order], starts)
        high[present] = np.maximum.reduceat(values[order], starts)
        sets = np.flatnonzero(records.spans.layout[:, 0] == SET)
        unions = np.bitwise_or.reduceat(values[np.ix_(order, sets)].astype(np.int64), starts)
        low[np.ix_(present, sets)] = high[np.ix_(present, sets)] = unions
    return low, high


@kernel
def _cell_penalties(low: FloatArray, high: FloatArray, layout: IntArray, penalties: FloatArray) -> FloatArray:
    cells = np.empty_like(low)
    for row in range(low.shape[0]):
        for attribute in range(low.shape[1]):
            cells[row, attribute] = span_penalty(
                low[row, attribute], high[row, attribute], attribute, layout, penalties
            )
    return cells
