"""Compiled parts of the branch and bound over the position of a centroid (docs/bound.md).

For a centre c let v_i(c) = |a_i - c|^2 - lambda_i. For every cluster C, the sum of v_i(c) over C is at least its
reduced cost, with equality at its centroid. So the least reduced cost is the minimum over c of the best choice at c:
the smallest v of each colour, then the cheapest colours.
"""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.pricing.cut_kernels import penalty_of
from minv.pricing.cuts import CutTable


class BoxRoom(NamedTuple):
    """Room for what `value_box` finds out, and `shift`, all 0 at first.

    Bundles are for setting up only: numba counts the references to all their arrays at every call.
    """

    near: FloatArray
    far: FloatArray
    shift: FloatArray
    best: FloatArray
    argbest: IntArray
    touched: IntArray
    order: IntArray
    sums: FloatArray
    rank: IntArray


@kernel
def room_for_boxes(rows: int, colour_count: int, largest: int) -> BoxRoom:
    """Return room for boxes of up to so many rows, colours and members of a cluster."""
    return BoxRoom(
        np.empty(rows),
        np.empty(rows),
        np.zeros(rows),
        np.empty((2, colour_count)),
        np.full(colour_count, -1),
        np.empty(colour_count, np.int64),
        np.empty((2, largest), np.int64),
        np.empty((2, largest + 1)),
        np.full((2, colour_count), largest),
    )


@kernel
def choose_colours(best: FloatArray, touched: IntArray, count: int, most: int, order: IntArray) -> int:
    """Write the `most` colours of least `best` value to `order`, ascending; return how many there are."""
    chosen = 0
    for k in range(count):
        colour = touched[k]
        value = best[colour]
        if chosen == most and value >= best[order[chosen - 1]]:
            continue
        at = chosen if chosen < most else most - 1
        if chosen < most:
            chosen += 1
        while at > 0 and best[order[at - 1]] > value:
            order[at] = order[at - 1]
            at -= 1
        order[at] = colour
    return chosen


@kernel
def weigh(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    shift: FloatArray,
    low: FloatArray,
    high: FloatArray,
    candidates: IntArray,
    near: FloatArray,
    far: FloatArray,
    best: FloatArray,
    argbest: IntArray,
    touched: IntArray,
) -> int:
    """Value every candidate at the centre of the box (`near`) and at its nearest point of it (`far`).

    `shift` is added to both: what cuts charge the rows (`charge_cuts`).

    `best[0]` and `best[1]` receive the least near and far value of each colour that occurs, `argbest` the
    candidate of the least near value; returns the number of colours, which are listed in `touched`.
    """
    dimension = points.shape[1]
    count = 0
    for k in range(len(candidates)):
        i = candidates[k]
        at_centre = 0.0
        at_box = 0.0
        for j in range(dimension):
            position = points[i, j]
            gap = position - 0.5 * (low[j] + high[j])
            at_centre += gap * gap
            gap = max(low[j] - position, position - high[j], 0.0)
            at_box += gap * gap
        price = duals[i] - shift[i]
        at_centre -= price
        at_box -= price
        near[k] = at_centre
        far[k] = at_box
        colour = colours[i]
        if argbest[colour] < 0:
            touched[count] = colour
            count += 1
            best[0, colour] = at_centre
            best[1, colour] = at_box
            argbest[colour] = i
        else:
            if at_centre < best[0, colour]:
                best[0, colour] = at_centre
                argbest[colour] = i
            if at_box < best[1, colour]:
                best[1, colour] = at_box
    return count


@kernel
def prefix_sums(best: FloatArray, order: IntArray, count: int, sums: FloatArray, rank: IntArray) -> None:
    """Fill `sums[s]` with the sum of the s cheapest colours and `rank` with a colour's place among them."""
    sums[0] = 0.0
    for k in range(count):
        sums[k + 1] = sums[k] + best[order[k]]
        rank[order[k]] = k


@kernel
def least_bound(
    near_sums: FloatArray, far_sums: FloatArray, smallest: int, largest: int, radius: float
) -> float:
    """Lower bound on the reduced cost of all clusters whose centroid lies in the box."""
    bound = np.inf
    for size in range(smallest, largest + 1):
        value = max(near_sums[size] - size * radius, far_sums[size])
        bound = min(bound, value)
    return bound


@kernel
def may_matter(
    near: float,
    far: float,
    near_best: float,
    far_best: float,
    near_rank: int,
    far_rank: int,
    near_sums: FloatArray,
    far_sums: FloatArray,
    smallest: int,
    largest: int,
    radius: float,
    prune_at: float,
) -> bool:
    """Whether some cluster with this point and its centroid in the box may cost less than `prune_at`."""
    for size in range(smallest, largest + 1):
        by_near = near_sums[size] - near_best if near_rank < size else near_sums[size - 1]
        if by_near + near - size * radius < prune_at:
            by_far = far_sums[size] - far_best if far_rank < size else far_sums[size - 1]
            if by_far + far < prune_at:
                return True
    return False


@kernel
def cluster_cost(points: FloatArray, members: IntArray, count: int) -> float:
    """SSE of the first `count` members."""
    cost = 0.0
    for j in range(points.shape[1]):
        mean = 0.0
        for k in range(count):
            mean += points[members[k], j]
        mean /= count
        for k in range(count):
            deviation = points[members[k], j] - mean
            cost += deviation * deviation
    return cost


@kernel
def cluster_reduced_cost(
    points: FloatArray, duals: FloatArray, table: CutTable, sums: IntArray, members: IntArray, count: int
) -> float:
    """SSE minus duals plus penalties of the first `count` members; `sums` is scratch, all 0, one a cut."""
    value = cluster_cost(points, members, count) + penalty_of(table, members, count, sums)
    for k in range(count):
        value -= duals[members[k]]
    return value


@kernel
def shrink_box(
    points: FloatArray, candidates: IntArray, box: FloatArray, low: FloatArray, high: FloatArray
) -> float:
    """Intersect a box with the bounding box of the candidates, where every centroid lies.

    Returns the squared half diagonal, or -1 where the intersection is empty. Boxes are kept by their ends, which
    neighbours share exactly: with centres and widths, rounding could let a centroid fall between two boxes.
    """
    radius = 0.0
    for j in range(points.shape[1]):
        least, most = np.inf, -np.inf
        for i in candidates:
            least = min(least, points[i, j])
            most = max(most, points[i, j])
        low[j] = max(least, box[0, j])
        high[j] = min(most, box[1, j])
        if low[j] > high[j]:
            return -1.0
        radius += (0.5 * (high[j] - low[j])) ** 2
    return radius


@kernel
def push_halves(
    low: FloatArray, high: FloatArray, begin: int, end: int, boxes: FloatArray, spans: IntArray, top: int
) -> int:
    """Push both halves of a box, cut across its widest side; return the new number of open boxes."""
    widest = 0
    for j in range(1, len(low)):
        if high[j] - low[j] > high[widest] - low[widest]:
            widest = j
    for side in range(2):
        boxes[top, 0] = low
        boxes[top, 1] = high
        boxes[top, 1 - side, widest] = 0.5 * (low[widest] + high[widest])
        spans[top, 0] = begin
        spans[top, 1] = end
        top += 1
    return top


@kernel
def forget(touched: IntArray, count: int, largest: int, argbest: IntArray, rank: IntArray) -> None:
    """Reset the entries of the colours that `weigh` touched."""
    for k in range(count):
        argbest[touched[k]] = -1
        rank[0, touched[k]] = largest
        rank[1, touched[k]] = largest


@kernel
def keep_candidates(
    colours: IntArray,
    candidates: IntArray,
    near: FloatArray,
    far: FloatArray,
    best: FloatArray,
    rank: IntArray,
    sums: FloatArray,
    smallest: int,
    largest: int,
    radius: float,
    prune_at: float,
    lists: IntArray,
    at: int,
) -> int:
    """Copy to `lists[at:]` the candidates that may matter; return where they end."""
    for k in range(len(candidates)):
        i = candidates[k]
        colour = colours[i]
        if may_matter(
            near[k],
            far[k],
            best[0, colour],
            best[1, colour],
            rank[0, colour],
            rank[1, colour],
            sums[0],
            sums[1],
            smallest,
            largest,
            radius,
            prune_at,
        ):
            lists[at] = i
            at += 1
    return at


@kernel
def value_box(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    shift: FloatArray,
    low: FloatArray,
    high: FloatArray,
    radius: float,
    candidates: IntArray,
    smallest: int,
    largest: int,
    near: FloatArray,
    far: FloatArray,
    best: FloatArray,
    argbest: IntArray,
    touched: IntArray,
    order: IntArray,
    sums: FloatArray,
    rank: IntArray,
) -> tuple[int, int, float]:
    """Value a box; return the number of colours, the largest size of a cluster and the lower bound.

    All arrays from `near` on are results; `forget` resets those that must be reset.
    """
    count = weigh(points, colours, duals, shift, low, high, candidates, near, far, best, argbest, touched)
    sizes = choose_colours(best[0], touched, count, largest, order[0])
    choose_colours(best[1], touched, count, largest, order[1])
    if sizes < smallest:
        return count, sizes, np.inf
    prefix_sums(best[0], order[0], sizes, sums[0], rank[0])
    prefix_sums(best[1], order[1], sizes, sums[1], rank[1])
    return count, sizes, least_bound(sums[0], sums[1], smallest, sizes, radius)


@kernel
def best_at_centre(
    best: FloatArray, argbest: IntArray, order: IntArray, smallest: int, sizes: int, cluster: IntArray
) -> int:
    """Write the cheapest cluster at the centre of the box; return its size."""
    size = smallest
    while size < sizes and best[0, order[0, size]] < 0.0:
        size += 1
    for k in range(size):
        cluster[k] = argbest[order[0, k]]
    return size
