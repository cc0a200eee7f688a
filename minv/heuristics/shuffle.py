"""Random classes within a bucket: the partitioning that matches the published "Classic" figures."""

import numpy as np

from minv.compiled import FloatArray, IntArray


def split_at_random(points: FloatArray, table: IntArray, rng: np.random.Generator) -> IntArray:
    """Deal the slots of every colour to the classes of the bucket in random order.

    Parameters
    ----------
    points
        Not used: classes ignore the coordinates.
    table
        (s, x) slots of a balanced bucket.
    rng
        Source of the order.

    Returns
    -------
    IntArray
        (s, x) the same slots, each column a class.
    """
    return rng.permuted(table, axis=1)
