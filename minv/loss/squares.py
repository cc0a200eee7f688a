"""Information loss of a partition: SSE, SST and IL (m-invariance paper, eqs. 2-3)."""

import numpy as np

from minv.compiled import FloatArray, IntArray


def sum_of_squared_errors(points: FloatArray, labels: IntArray) -> float:
    """Sum over all points of the squared distance to the centroid of their cluster.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    labels
        (n,) cluster of each point, any integers from 0; empty clusters are allowed.
    """
    if not len(points):
        return 0.0
    counts = np.bincount(labels)
    sse = 0.0
    for column in points.T:
        means = np.bincount(labels, weights=column, minlength=len(counts)) / np.maximum(counts, 1)
        deviations = column - means[labels]
        sse += float(deviations @ deviations)
    return sse


def squared_distances(points: FloatArray, labels: IntArray) -> FloatArray:
    """Return the (n,) squared distance of each point to the centroid of its cluster; parameters as above."""
    counts = np.maximum(np.bincount(labels), 1)
    squares = np.zeros(len(points))
    for column in points.T:
        squares += (column - (np.bincount(labels, weights=column) / counts)[labels]) ** 2
    return squares


def total_sum_of_squares(points: FloatArray) -> float:
    """Sum over all points of the squared distance to the overall mean."""
    if not len(points):
        return 0.0
    deviations = points - points.mean(axis=0)
    return float(np.einsum("ij,ij->", deviations, deviations))


def information_loss(sse: float, sst: float) -> float:
    """IL = 100 SSE / SST in [0, 100]; 0 where all points coincide (0/0)."""
    return 100.0 * sse / sst if sst > 0 else 0.0


class SquaredErrors:
    """SSE of one table's encoded coordinates, and SSE/SST as its share.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    """

    name = "sse"

    def __init__(self, points: FloatArray) -> None:
        self._points = points
        self._sst = total_sum_of_squares(points)

    def total(self, labels: IntArray) -> float:
        """Return the SSE."""
        return sum_of_squared_errors(self._points, labels)

    def normalised(self, labels: IntArray) -> float:
        """Return SSE/SST, that is IL/100."""
        return information_loss(self.total(labels), self._sst) / 100.0
