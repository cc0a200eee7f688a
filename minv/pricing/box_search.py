"""Compiled search of all boxes for columns of negative reduced cost, repairing the duals as it goes."""

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.pricing.box_kernels import (
    best_at_centre,
    cluster_cost,
    cluster_reduced_cost,
    forget,
    keep_candidates,
    push_halves,
    room_for_boxes,
    shrink_box,
    value_box,
)
from minv.pricing.cut_kernels import charge_cuts, discharge_cuts
from minv.pricing.cuts import CutTable
from minv.pricing.leaf_kernels import next_cluster, room_for_walks, sort_items
from minv.pricing.recording import OPEN, WORK, append_column, lower_duals

_LEAF_NODES = 500  # a blocked box with a longer list of clusters is halved instead
_FEW = 32  # candidates: of so few all clusters can be listed as a rule, which beats halving by far
_NODES_OF_FEW = 300_000
_TINY = 0.05  # of the tolerance: a box this small is listed to the end
_CHARGES = 8  # rounds of charging cuts in one box
NODES_A_BOX = 20  # nodes of a list that take about as long as a box


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
    """Record a column, if there is room, and lower the duals of its rows so that its reduced cost becomes 0."""
    lower_duals(duals, reduced, cluster, size)
    cost = cluster_cost(points, cluster, size)
    append_column(cluster, size, 0, -1, cost, state, starts, members, costs)


@kernel
def search_boxes(
    points: FloatArray,
    colours: IntArray,
    duals: FloatArray,
    table: CutTable,
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
    """Examine boxes, depth first, for about `budget` units of work; record columns and repair `duals` in place.

    Whenever a column of reduced cost below -tolerance/2 is met it is recorded and the dual of each of its rows
    lowered by an equal share. Duals only fall, so what was pruned stays pruned, and once no box is open no
    feasible column has a reduced cost below -tolerance. Where a box stays open only because bounds cannot count
    the penalties of cuts in full, its clusters are listed one by one.

    boxes
        (S, 2, d) lower and upper ends of the open boxes, a stack.
    spans
        (S, 2) where in `lists` the candidates of a box begin and end.
    state
        Numbers of open boxes, recorded columns, recorded members and units of work.
    starts, members, costs
        Room for the recorded columns; when full, duals are still repaired.
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
    form = np.zeros(len(table.penalties), np.int64)
    charged = np.empty(len(table.penalties), np.int64)

    until = state[WORK] + budget
    while state[OPEN] > 0 and state[WORK] < until:
        top = state[OPEN] - 1
        state[OPEN] = top
        begin, end = spans[top, 0], spans[top, 1]
        candidates = lists[begin:end]
        radius = shrink_box(points, candidates, boxes[top], low, high)
        if radius < 0.0:
            continue
        charges, rounds, limit, uncharged = 0, 0, -tolerance, -np.inf
        while True:  # until the centre yields no further column and no cut to charge
            state[WORK] += 1
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
            if bound >= limit:
                break
            size = best_at_centre(best, argbest, order, smallest, sizes, cluster)
            reduced = cluster_reduced_cost(points, duals, table, sums_of_cuts, cluster, size)
            if reduced < -0.5 * tolerance:
                record(points, duals, reduced, cluster, size, state, starts, members, costs)
            else:
                if charges == 0:
                    uncharged = bound
                constant, changed = 0.0, False
                if sums[0, size] < 0.5 * tolerance + limit and rounds < _CHARGES:
                    charges, constant, changed = charge_cuts(
                        table,
                        cluster,
                        size,
                        sums_of_cuts,
                        form,
                        charged,
                        charges,
                        shift,
                    )
                if not changed:
                    if charges == 0 or bound - limit > uncharged + tolerance:
                        break
                    # The charges did not help here: go on without them.
                    discharge_cuts(table, form, charged, charges, shift)
                    charges, rounds, constant = 0, _CHARGES, -tolerance - limit
                limit += constant
                rounds += 1
            forget(touched, count, largest, argbest, rank)

        if bound < limit:
            blocked = len(table.penalties) > 0 and sums[0, size] < 0.5 * tolerance + limit
            if blocked:
                # Its clusters are walked with the penalties themselves in place of the linear charges.
                forget(touched, count, largest, argbest, rank)
                discharge_cuts(table, form, charged, charges, shift)
                charges, limit = 0, -tolerance
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
                allowed = _NODES_OF_FEW if len(candidates) <= _FEW else _LEAF_NODES
                if largest * radius <= _TINY * tolerance:
                    allowed = 2**62
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
                        -tolerance,
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
                    if reduced < -0.5 * tolerance:
                        record(points, duals, reduced, cluster, depth, state, starts, members, costs)
                blocked = depth == 0  # the whole list was walked: the box is done
                state[WORK] += (allowed - nodes) // NODES_A_BOX
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
                    limit,
                    lists,
                    end,
                )
                state[OPEN] = push_halves(low, high, end, kept, boxes, spans, top)
        forget(touched, count, largest, argbest, rank)
        discharge_cuts(table, form, charged, charges, shift)
