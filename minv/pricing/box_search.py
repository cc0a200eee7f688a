"""Compiled search of all boxes for columns of negative reduced cost, repairing the duals as it goes."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.pricing.box_kernels import (
    choose_colours,
    cluster_cost,
    cluster_reduced_cost,
    forget,
    keep_candidates,
    least_bound,
    prefix_sums,
    push_halves,
    shrink_box,
    weigh,
)
from minv.pricing.leaf_kernels import next_cluster, sort_items

# Positions in the state vector of a search.
OPEN, FOUND, LISTED, EXAMINED = 0, 1, 2, 3

_LEAF_NODES = 2000  # a blocked box with a longer list of clusters is halved instead
_TINY = 0.05  # of the tolerance: a box this small is listed to the end


@kernel
def record(
    points: FloatArray,
    duals: FloatArray,
    reduced: float,
    cluster: IntArray,
    size: int,
    state: IntArray,
    starts: IntArray,
    members: IntArray,
    costs: FloatArray,
) -> None:
    """Record a column and lower the duals of its rows so that its reduced cost becomes 0."""
    for k in range(size):
        duals[cluster[k]] += reduced / size
    column = state[FOUND]
    if column < len(costs) and state[LISTED] + size <= len(members):
        for k in range(size):
            members[state[LISTED] + k] = cluster[k]
        state[LISTED] += size
        costs[column] = cluster_cost(points, cluster, size)
        starts[column + 1] = state[LISTED]
        state[FOUND] = column + 1


@kernel
def search_boxes(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    cuts_of_row: IntArray,
    cut_starts: IntArray,
    penalties: FloatArray,
    smallest: int,
    largest: int,
    tolerance: float,
    boxes: FloatArray,
    spans: IntArray,
    lists: IntArray,
    state: IntArray,
    starts: IntArray,
    members: IntArray,
    costs: FloatArray,
    budget: int,
) -> None:
    """Examine up to `budget` boxes, depth first; record columns and repair `duals` in place.

    Whenever a column of reduced cost below -tolerance/2 is met it is recorded and the dual of each of its rows
    lowered by an equal share. Duals only fall, so what was pruned stays pruned, and once no box is open no
    feasible column has a reduced cost below -tolerance. Penalties of cuts are left out of all bounds, which
    stay valid; where a box stays open only because of that, its clusters are listed one by one.

    boxes
        (S, 2, d) lower and upper ends of the open boxes, a stack.
    spans
        (S, 2) where in `lists` the candidates of a box begin and end.
    state
        Numbers of open boxes, recorded columns, recorded members and examined boxes.
    starts, members, costs
        Room for the recorded columns; when full, duals are still repaired.
    """
    rows, dimension = points.shape
    colour_count = colours.max() + 1
    near = np.empty(rows)
    far = np.empty(rows)
    best = np.empty((2, colour_count))
    argbest = np.full(colour_count, -1)
    touched = np.empty(colour_count, np.int64)
    order = np.empty((2, largest), np.int64)
    sums = np.empty((2, largest + 1))
    rank = np.full((2, colour_count), largest)
    cluster = np.empty(largest, np.int64)
    low = np.empty(dimension)
    high = np.empty(dimension)
    hits = np.zeros(len(penalties), np.int64)
    items = np.empty(rows, np.int64)
    group_of_item = np.empty(rows, np.int64)
    group_ends = np.empty(colour_count, np.int64)
    prefix = np.empty(colour_count + 1)
    position = np.empty(colour_count, np.int64)
    stack = np.empty(largest + 1, np.int64)
    partial = np.zeros(largest + 1)

    for _ in range(budget):
        if state[OPEN] == 0:
            return
        top = state[OPEN] - 1
        state[OPEN] = top
        state[EXAMINED] += 1
        begin, end = spans[top, 0], spans[top, 1]
        candidates = lists[begin:end]
        radius = shrink_box(points, candidates, boxes[top], low, high)
        if radius < 0.0:
            continue
        while True:  # until the centre yields no further column
            count = weigh(points, colours, duals, low, high, candidates, near, far, best, argbest, touched)
            sizes = choose_colours(best[0], touched, count, largest, order[0])
            choose_colours(best[1], touched, count, largest, order[1])
            bound, reduced, relaxed = np.inf, np.inf, np.inf
            if sizes >= smallest:
                prefix_sums(best[0], order[0], sizes, sums[0], rank[0])
                prefix_sums(best[1], order[1], sizes, sums[1], rank[1])
                bound = least_bound(sums[0], sums[1], smallest, sizes, radius)
            if bound < -tolerance:
                size = smallest
                while size < sizes and best[0, order[0, size]] < 0.0:
                    size += 1
                for k in range(size):
                    cluster[k] = argbest[order[0, k]]
                relaxed = sums[0, size]
                reduced = cluster_reduced_cost(
                    points, duals, cuts_of_row, cut_starts, penalties, hits, cluster, size
                )
            if reduced >= -0.5 * tolerance:
                break
            record(points, duals, reduced, cluster, size, state, starts, members, costs)
            forget(touched, count, largest, argbest, rank)

        if bound < -tolerance:
            blocked = len(penalties) > 0 and relaxed < -0.5 * tolerance
            if blocked:
                sort_items(
                    colours, candidates, near, best, touched, count, items, group_ends, prefix, position
                )
                for k in range(len(candidates)):
                    group_of_item[k] = position[colours[candidates[items[k]]]]
                nodes = _LEAF_NODES if largest * radius > _TINY * tolerance else 2**62
                depth = 0
                while True:
                    depth, nodes = next_cluster(
                        items[: len(candidates)],
                        group_of_item,
                        group_ends,
                        count,
                        near,
                        prefix,
                        smallest,
                        largest,
                        radius,
                        -tolerance,
                        stack,
                        partial,
                        depth,
                        nodes,
                    )
                    if depth <= 0:
                        break
                    for k in range(depth):
                        cluster[k] = candidates[items[stack[k]]]
                    reduced = cluster_reduced_cost(
                        points, duals, cuts_of_row, cut_starts, penalties, hits, cluster, depth
                    )
                    if reduced < -0.5 * tolerance:
                        record(points, duals, reduced, cluster, depth, state, starts, members, costs)
                blocked = depth == 0  # the whole list was walked: the box is done
            if not blocked:
                kept = keep_candidates(
                    colours,
                    candidates,
                    near,
                    far,
                    best,
                    rank,
                    sums,
                    smallest,
                    sizes,
                    radius,
                    -tolerance,
                    lists,
                    end,
                )
                state[OPEN] = push_halves(low, high, end, kept, boxes, spans, top)
        forget(touched, count, largest, argbest, rank)
