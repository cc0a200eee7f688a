"""Compiled listing of all clusters whose reduced cost lies at or below a threshold."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.pricing.box_kernels import (
    cluster_cost,
    cluster_reduced_cost,
    forget,
    keep_candidates,
    push_halves,
    room_for_boxes,
    shrink_box,
    value_box,
)
from minv.pricing.box_search import NODES_A_BOX
from minv.pricing.cuts import CutTable
from minv.pricing.leaf_kernels import next_cluster, room_for_walks, sort_items
from minv.pricing.recording import FOUND, LISTED, OPEN, WORK, append_column

_LEAF_NODES = 5000
_SMALL = 0.25  # of the threshold: halving such a box further would only list its clusters again and again
_EDGE = (
    1e-9  # a centroid this near to a box counts as inside: rounding loses none, repetitions are removed later
)


@kernel
def inside(points: FloatArray, members: IntArray, count: int, low: FloatArray, high: FloatArray) -> bool:
    """Whether the centroid of the first `count` members lies in the box."""
    for j in range(points.shape[1]):
        mean = 0.0
        for k in range(count):
            mean += points[members[k], j]
        mean /= count
        if mean < low[j] - _EDGE or mean > high[j] + _EDGE:
            return False
    return True


@kernel
def enumerate_boxes(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    table: CutTable,
    smallest: int,
    largest: int,
    threshold: float,
    boxes: FloatArray,
    spans: IntArray,
    lists: IntArray,
    state: IntArray,
    starts: IntArray,
    members: IntArray,
    costs: FloatArray,
    budget: int,
    most_work: int,
) -> bool:
    """Examine up to `budget` boxes and list their clusters; False when there is no room or work left for more.

    A box whose clusters can be walked in a few thousand steps is walked, any other is halved. The arrays are
    those of `box_search.search_boxes`; `duals` are not changed.
    """
    rows, dimension = points.shape
    colour_count = colours.max() + 1
    near, far, shift, best, argbest, touched, order, sums, rank = room_for_boxes(rows, colour_count, largest)
    items, group_of_item, group_ends, prefix, position, met, stack, partial = room_for_walks(
        rows, colour_count, largest, len(table.penalties)
    )
    cluster = np.empty(largest, np.int64)
    low = np.empty(dimension)
    high = np.empty(dimension)
    sums_of_cuts = np.zeros(len(table.penalties), np.int64)
    limit = threshold + 1e-12

    for _ in range(budget):
        if state[OPEN] == 0:
            return True
        top = state[OPEN] - 1
        state[OPEN] = top
        state[WORK] += 1
        begin, end = spans[top, 0], spans[top, 1]
        candidates = lists[begin:end]
        radius = shrink_box(points, candidates, boxes[top], low, high)
        if radius < 0.0:
            continue
        count, sizes, bound = value_box(
            points,
            colours,
            duals,
            shift,
            low,
            high,
            radius,
            candidates,
            smallest,
            largest,
            near,
            far,
            best,
            argbest,
            touched,
            order,
            sums,
            rank,
        )
        if bound < limit:
            kept = keep_candidates(
                colours, candidates, near, far, best, rank, sums, smallest, sizes, radius, limit, lists, end
            )
            found, listed = state[FOUND], state[LISTED]
            sort_items(
                colours,
                candidates,
                near,
                best,
                touched,
                count,
                items,
                group_of_item,
                group_ends,
                prefix,
                position,
            )
            may_halve = smallest * radius > _SMALL * threshold
            allowed = _LEAF_NODES if may_halve else NODES_A_BOX * max(0, most_work - state[WORK])
            depth, nodes = 0, allowed
            while True:
                depth, nodes = next_cluster(
                    candidates,
                    items[: len(candidates)],
                    group_of_item,
                    group_ends,
                    count,
                    near,
                    prefix,
                    smallest,
                    largest,
                    radius,
                    limit,
                    table,
                    met,
                    stack,
                    partial,
                    depth,
                    nodes,
                )
                if depth <= 0:
                    break
                for k in range(depth):
                    cluster[k] = candidates[items[stack[k]]]
                reduced = cluster_reduced_cost(points, duals, table, sums_of_cuts, cluster, depth)
                if reduced > threshold or not inside(points, cluster, depth, low, high):
                    continue
                cost = cluster_cost(points, cluster, depth)
                if not append_column(cluster, depth, 0, -1, cost, state, starts, members, costs):
                    return False
            state[WORK] += (allowed - nodes) // NODES_A_BOX
            if state[WORK] >= most_work:
                return False
            if depth < 0:  # too many to walk: take back and halve
                state[FOUND], state[LISTED] = found, listed
                state[OPEN] = push_halves(low, high, end, kept, boxes, spans, top)
        forget(touched, count, largest, argbest, rank)
    return True
