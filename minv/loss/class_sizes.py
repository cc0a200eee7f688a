"""Losses that look at the sizes of the classes only."""

import numpy as np

from minv.compiled import IntArray


class Discernibility:
    """Sum over records of the size of their class (Bayardo and Agrawal 2005: the discernibility metric)."""

    name = "discernibility"

    def total(self, labels: IntArray) -> float:
        """Return the sum of the squared class sizes."""
        sizes = np.bincount(labels)
        return float(sizes @ sizes)

    def normalised(self, labels: IntArray) -> float:
        """Return the total over the square of the number of records."""
        return self.total(labels) / len(labels) ** 2 if len(labels) else 0.0


class AverageClassSize:
    """Records a class. LeFevre et al. 2006 divide it by k: their best value is then 1."""

    name = "average class size"

    def total(self, labels: IntArray) -> float:
        """Return the mean size of the classes that have a record."""
        classes = np.count_nonzero(np.bincount(labels))
        return len(labels) / classes if classes else 0.0

    def normalised(self, labels: IntArray) -> float:
        """Return the mean size over the number of records."""
        return self.total(labels) / len(labels) if len(labels) else 0.0
