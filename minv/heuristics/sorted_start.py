"""A fast constructive start: k-d halving that deals every colour within what stays feasible."""

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, kernel
from minv.errors import UsageError
from minv.instance import Instance, check_eligible, cluster_numbers


def sorted_start(
    points: FloatArray, colours: IntArray, m: int, *, max_size: int = 0, clusters: int = 0
) -> IntArray:
    """Partition by recursive halving, in O(d n log n) time.

    A set of N points that is to become K clusters is feasible if no colour is more frequent than K and
    m K <= N <= max_size K. It is cut across one axis into parts for K/2 clusters each: points go to the
    lower part in the order of the axis, each colour at least as often as the upper part cannot take it
    and at most as often as the lower part can. So both parts are feasible again. The axis is the one
    whose cut leaves the least sum of squares.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    colours
        (n,) colour of each point, 0..L-1.
    m
        Least cluster size.
    max_size
        Largest cluster size, m..2m-1; by default 2m-1.
    clusters
        Number of clusters K; by default the most that sizes allow, n // m.

    Returns
    -------
    IntArray
        (n,) cluster of each point, 0..K-1, neighbouring clusters with neighbouring numbers.

    Raises
    ------
    UsageError
        The arrays do not fit each other, or no feasible partition has this number of clusters.
    InfeasibleError
        The points are not m-eligible.
    """
    instance = Instance(points, colours, m, max_size)
    counts = np.bincount(instance.colours)
    check_eligible(counts, m, instance.max_size)
    clusters = clusters or instance.size // m
    if instance.size == 0:
        return np.zeros(0, dtype=np.int64)
    feasible = cluster_numbers(counts, m, instance.max_size)
    if clusters not in feasible:
        raise UsageError(
            f"a partition of {instance.size} points into clusters of {m} to {instance.max_size} has "
            f"{feasible.start} to {feasible.stop - 1} clusters, not {clusters}"
        )
    centred = instance.points - instance.points.mean(axis=0)
    return _deal(centred, instance.colours, _axis_orders(centred), clusters)


def _axis_orders(points: FloatArray) -> IntArray:
    """Return (d, n): the points in the order of each axis, ties by the axes that follow it in a circle."""
    dimension = points.shape[1]
    orders = np.empty((max(dimension, 1), len(points)), dtype=np.int64)
    orders[0] = np.arange(len(points))
    for axis in range(dimension):
        orders[axis] = np.lexsort(np.roll(points, -axis, axis=1).T[::-1])
    return orders


@kernel
def _deal(points: FloatArray, colours: IntArray, orders: IntArray, clusters: int) -> IntArray:
    labels = np.zeros(len(points), dtype=np.int64)
    scratch = np.zeros((2, colours.max() + 1), dtype=np.int64)
    lower = np.zeros(len(points), dtype=np.bool_)
    best = np.zeros(len(points), dtype=np.bool_)
    label = 0
    pending = [(0, len(points), clusters)]
    while len(pending) > 0:
        first, last, share = pending.pop()
        members = orders[0, first:last]
        if share == 1:
            labels[members] = label
            label += 1
            continue
        left, right = share // 2, share - share // 2
        goal = (last - first) * left // share
        most_explained = -np.inf
        for axis in range(orders.shape[0]):
            _choose_lower(colours, orders[axis, first:last], left, right, goal, scratch, lower)
            explained = _explained(points, members, lower)
            if explained > most_explained:
                most_explained = explained
                best[members] = lower[members]
        for axis in range(orders.shape[0]):
            _partition(orders[axis, first:last], best)
        pending.append((first + goal, last, right))
        pending.append((first, first + goal, left))
    return labels


@kernel
def _choose_lower(
    colours: IntArray, order: IntArray, left: int, right: int, goal: int, scratch: IntArray, lower: BoolArray
) -> None:
    """Mark `goal` points for the lower part: of a colour with c points at least c - right, at most left.

    `scratch` is (2, L), all zeros before and after.
    """
    counts, taken = scratch[0], scratch[1]
    spare = goal
    for point in order:
        counts[colours[point]] += 1
        if counts[colours[point]] > right:
            spare -= 1
    for point in order:
        colour = colours[point]
        forced = taken[colour] < counts[colour] - right
        lower[point] = forced or (spare > 0 and taken[colour] < left)
        if lower[point]:
            taken[colour] += 1
            spare -= 0 if forced else 1
    for point in order:
        counts[colours[point]] = 0
        taken[colours[point]] = 0


@kernel
def _explained(points: FloatArray, members: IntArray, lower: BoolArray) -> float:
    """Return the sum of squares that the two parts explain: sum of n |centroid|^2."""
    dimension = points.shape[1]
    sums = np.zeros((2, dimension))
    sizes = np.zeros(2)
    for point in members:
        part = 1 if lower[point] else 0
        sizes[part] += 1
        for axis in range(dimension):
            sums[part, axis] += points[point, axis]
    return float((sums[0] ** 2).sum() / sizes[0] + (sums[1] ** 2).sum() / sizes[1])


@kernel
def _partition(order: IntArray, lower: BoolArray) -> None:
    """Bring the marked points to the front, both parts in their old order, in place."""
    kept = np.empty_like(order)
    front, back = 0, 0
    for point in order:
        if lower[point]:
            order[front] = point
            front += 1
        else:
            kept[back] = point
            back += 1
    order[front:] = kept[:back]
