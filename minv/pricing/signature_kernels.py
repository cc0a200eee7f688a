"""Compiled branch and bound over the centroid of a cluster whose colours are fixed (docs/bound.md, section 7).

A cluster of signature S has a *slot* for each colour of S: a row that requires S, a free row of the colour, or a
counterfeit at a price mu; at least one of its rows requires S. With v_i(c) = |a_i - c|^2 - lambda_i, the least
reduced cost is the minimum over c of the sum over slots of min(least v, mu), and what it costs more to let one slot
hold a row that requires S.
"""

from typing import NamedTuple

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, kernel
from minv.pricing.box_kernels import cluster_cost, push_halves, shrink_box
from minv.pricing.recording import OPEN, WORK, append_column, lower_duals


@kernel
def value_candidates(
    points: FloatArray,
    duals: FloatArray,
    low: FloatArray,
    high: FloatArray,
    radius: float,
    candidates: IntArray,
    values: FloatArray,
) -> None:
    """Value each candidate at the centre less `radius` (`values[0]`) and at the nearest point of the box.

    The sum of either over a cluster whose centroid lies in the box, less its other duals, is at most its reduced
    cost.
    """
    for k in range(len(candidates)):
        i = candidates[k]
        at_centre = 0.0
        at_box = 0.0
        for j in range(points.shape[1]):
            position = points[i, j]
            gap = position - 0.5 * (low[j] + high[j])
            at_centre += gap * gap
            gap = max(low[j] - position, position - high[j], 0.0)
            at_box += gap * gap
        values[0, k] = at_centre - duals[i] - radius
        values[1, k] = at_box - duals[i]


@kernel
def least_of_slots(
    values: FloatArray,
    candidates: IntArray,
    slots: IntArray,
    requiring: BoolArray,
    price: float,
    least: FloatArray,
    choice: IntArray,
    regret: FloatArray,
    anchor: IntArray,
) -> None:
    """Find for each slot the least value, and what a row that requires the signature costs more.

    least, choice
        (slots,) the least of the price and the values of a slot, and its position among the candidates; -1 for
        a counterfeit.
    regret, anchor
        (slots,) how much more the best row that requires the signature costs, and its position; infinite and
        -1 where there is none.
    """
    least[:] = price
    choice[:] = -1
    regret[:] = np.inf
    anchor[:] = -1
    for k in range(len(candidates)):
        slot = slots[candidates[k]]
        if values[k] < least[slot]:
            least[slot] = values[k]
            choice[slot] = k
        if requiring[candidates[k]] and values[k] < regret[slot]:
            regret[slot] = values[k]
            anchor[slot] = k
    for slot in range(len(least)):
        if anchor[slot] >= 0:
            regret[slot] -= least[slot]


class SlotRoom(NamedTuple):
    """Room for what `value_slots` finds out, in either way to value a candidate."""

    values: FloatArray
    least: FloatArray
    choice: IntArray
    regret: FloatArray
    anchor: IntArray
    total: FloatArray


@kernel
def room_for_slots(candidates: int, width: int) -> SlotRoom:
    """Return room for boxes of up to so many candidates, and so many slots."""
    return SlotRoom(
        np.empty((2, candidates)),
        np.empty((2, width)),
        np.empty((2, width), np.int64),
        np.empty((2, width)),
        np.empty((2, width), np.int64),
        np.empty(2),
    )


@kernel
def value_slots(
    points: FloatArray,
    duals: FloatArray,
    slots: IntArray,
    requiring: BoolArray,
    price: float,
    low: FloatArray,
    high: FloatArray,
    radius: float,
    candidates: IntArray,
    values: FloatArray,
    least: FloatArray,
    choice: IntArray,
    regret: FloatArray,
    anchor: IntArray,
    total: FloatArray,
) -> float:
    """Value a box; return its lower bound, infinite or no number where a slot or the anchor cannot be filled.

    All arrays from `values` on are results.
    """
    value_candidates(points, duals, low, high, radius, candidates, values)
    bound = -np.inf
    for way in range(2):
        least_of_slots(
            values[way, : len(candidates)],
            candidates,
            slots,
            requiring,
            price,
            least[way],
            choice[way],
            regret[way],
            anchor[way],
        )
        total[way] = least[way].sum()
        bound = max(bound, total[way] + regret[way].min())
    return bound


@kernel
def filled_cost(
    points: FloatArray, duals: FloatArray, cluster: IntArray, size: int, width: int, price: float
) -> tuple[float, float]:
    """Return the SSE of the first `size` rows, and the reduced cost with counterfeits in the other slots."""
    cost = cluster_cost(points, cluster, size)
    reduced = cost
    if size < width:  # the price may be infinite
        reduced += (width - size) * price
    for k in range(size):
        reduced -= duals[cluster[k]]
    return cost, reduced


@kernel
def two_least(regret: FloatArray) -> tuple[int, float, float]:
    """Return the place of the least regret, that regret, and the next one."""
    place, first, second = 0, np.inf, np.inf
    for slot in range(len(regret)):
        if regret[slot] < first:
            place, first, second = slot, regret[slot], first
        elif regret[slot] < second:
            second = regret[slot]
    return place, first, second


@kernel
def keep_relevant(
    values: FloatArray,
    candidates: IntArray,
    slots: IntArray,
    requiring: BoolArray,
    least: FloatArray,
    regret: FloatArray,
    total: FloatArray,
    limit: float,
    lists: IntArray,
    at: int,
) -> int:
    """Copy to `lists[at:]` the candidates of clusters that may cost less than `limit`; return where they end.

    All arrays but the candidates' have one row for each of the two ways to value them.
    """
    places = np.empty(2, np.int64)
    regrets = np.empty((2, 2))
    for way in range(2):
        places[way], regrets[way, 0], regrets[way, 1] = two_least(regret[way])
    for k in range(len(candidates)):
        i = candidates[k]
        slot = slots[i]
        relevant = True
        for way in range(2):
            bound = total[way] - least[way, slot] + values[way, k]
            if not requiring[i]:
                bound += regrets[way, 1] if slot == places[way] else regrets[way, 0]
            relevant = relevant and bound < limit
        if relevant:
            lists[at] = i
            at += 1
    return at


@kernel
def choose_at_centre(
    candidates: IntArray, choice: IntArray, regret: FloatArray, anchor: IntArray, cluster: IntArray
) -> int:
    """Write the rows of the cheapest cluster at the centre of the box; return their number."""
    anchored, _, _ = two_least(regret)
    size = 0
    for slot in range(len(choice)):
        k = anchor[slot] if slot == anchored else choice[slot]
        if k >= 0:
            cluster[size] = candidates[k]
            size += 1
    return size


@kernel
def search_signature(
    points: FloatArray,
    duals: FloatArray,
    slots: IntArray,
    requiring: BoolArray,
    width: int,
    price: float,
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
    """Examine up to about `budget` boxes of one signature, depth first; record columns and repair `duals`.

    Whenever a cluster of reduced cost below -tolerance/2 is met it is recorded and the dual of each of its rows
    lowered by an equal share. Once no box is open, no cluster has a reduced cost below -tolerance.

    slots, requiring
        (r,) slot of each row and whether it requires the signature. In recorded columns, r is a counterfeit.
    width
        Number of slots.
    price
        Of a counterfeit; infinite where there may be none.
    boxes, spans, lists, state, starts, members, costs
        As in `box_search.search_boxes`.
    """
    dimension = points.shape[1]
    most = spans[0, 1] - spans[0, 0]
    for k in range(1, state[OPEN]):
        most = max(most, spans[k, 1] - spans[k, 0])
    values, least, choice, regret, anchor, total = room_for_slots(most, width)
    cluster = np.empty(width, np.int64)
    low = np.empty(dimension)
    high = np.empty(dimension)
    until = state[WORK] + budget
    while state[OPEN] > 0 and state[WORK] < until:
        top = state[OPEN] - 1
        state[OPEN] = top
        begin, end = spans[top, 0], spans[top, 1]
        candidates = lists[begin:end]
        radius = shrink_box(points, candidates, boxes[top], low, high)
        if radius < 0.0:
            continue
        while True:  # until the centre yields no further column
            state[WORK] += 1
            bound = value_slots(
                points,
                duals,
                slots,
                requiring,
                price,
                low,
                high,
                radius,
                candidates,
                values,
                least,
                choice,
                regret,
                anchor,
                total,
            )
            if not bound < -tolerance:  # also where a slot or the anchor cannot be filled
                break
            size = choose_at_centre(candidates, choice[0], regret[0], anchor[0], cluster)
            cost, reduced = filled_cost(points, duals, cluster, size, width, price)
            if reduced >= -0.5 * tolerance:
                kept = keep_relevant(
                    values, candidates, slots, requiring, least, regret, total, -tolerance, lists, end
                )
                state[OPEN] = push_halves(low, high, end, kept, boxes, spans, top)
                break
            lower_duals(duals, reduced, cluster, size)
            append_column(cluster, size, width - size, len(points), cost, state, starts, members, costs)
