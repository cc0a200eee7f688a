"""Compiled listing of all clusters of one signature whose reduced cost lies at or below a threshold."""

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, kernel
from minv.pricing.box_enumeration import inside
from minv.pricing.box_kernels import push_halves, shrink_box
from minv.pricing.recording import FOUND, LISTED, OPEN, WORK, append_column
from minv.pricing.signature_kernels import filled_cost, keep_relevant, room_for_slots, value_slots

_LEAF_NODES = 5000  # a box with a longer walk is halved instead
_SMALL = 0.25  # of the threshold: halving such a box further would only list its clusters again and again


@kernel
def sort_by_slot(
    values: FloatArray, candidates: IntArray, slots: IntArray, items: IntArray, ends: IntArray
) -> None:
    """Write the positions of the candidates to `items`, slot after slot, ascending; `ends` is where slots end."""
    ends[:] = 0
    for i in candidates:
        ends[slots[i]] += 1
    for slot in range(1, len(ends)):
        ends[slot] += ends[slot - 1]
    filled = np.zeros(len(ends), np.int64)
    for k in np.argsort(values):
        slot = slots[candidates[k]]
        items[(ends[slot - 1] if slot > 0 else 0) + filled[slot]] = k
        filled[slot] += 1


@kernel
def next_filling(
    values: FloatArray,
    items: IntArray,
    ends: IntArray,
    price: float,
    rest: FloatArray,
    limit: float,
    picks: IntArray,
    partial: FloatArray,
    depth: int,
    nodes: int,
) -> tuple[int, int]:
    """Advance a depth-first walk to the next filling of all slots whose values sum to less than the limit.

    `picks[slot]` is a place in `items`, or the end of the slot for a counterfeit; `partial[s]` the sum over the
    first s slots and `rest[s]` the least that the others add. Returns the depth, -1 when the walk is over, and the
    nodes left, -1 when it is broken off.
    """
    width = len(ends)
    if depth == width:
        depth -= 1
        picks[depth] += 1
    while depth >= 0:
        if picks[depth] < ends[depth]:
            value = values[items[picks[depth]]]
            if partial[depth] + value + rest[depth + 1] >= limit:
                picks[depth] = ends[depth]  # the others of the slot cost more
                continue
        else:
            value = price
            if picks[depth] > ends[depth] or not partial[depth] + value + rest[depth + 1] < limit:
                depth -= 1
                if depth >= 0:
                    picks[depth] += 1
                continue
        nodes -= 1
        if nodes < 0:
            return depth, -1
        partial[depth + 1] = partial[depth] + value
        depth += 1
        if depth == width:
            return depth, nodes
        picks[depth] = ends[depth - 1]
    return -1, nodes


@kernel
def enumerate_signature(
    points: FloatArray,
    duals: FloatArray,
    slots: IntArray,
    requiring: BoolArray,
    width: int,
    price: float,
    threshold: float,
    boxes: FloatArray,
    spans: IntArray,
    lists: IntArray,
    state: IntArray,
    starts: IntArray,
    members: IntArray,
    costs: FloatArray,
    budget: int,
) -> bool:
    """Examine up to `budget` boxes and list their clusters; False when there is no room for more.

    The arrays are those of `signature_kernels.search_signature`; `duals` are not changed.
    """
    dimension = points.shape[1]
    values, least, choice, regret, anchor, total = room_for_slots(len(points), width)
    items = np.empty(len(points), np.int64)
    ends = np.empty(width, np.int64)
    rest = np.zeros(width + 1)
    picks = np.zeros(width, np.int64)
    partial = np.zeros(width + 1)
    cluster = np.empty(width, np.int64)
    low = np.empty(dimension)
    high = np.empty(dimension)
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
        if not bound < limit:
            continue
        near = values[0, : len(candidates)]
        sort_by_slot(near, candidates, slots, items, ends)
        for slot in range(width - 1, -1, -1):
            rest[slot] = rest[slot + 1] + least[0, slot]
        found, listed = state[FOUND], state[LISTED]
        depth, nodes = 0, _LEAF_NODES if width * radius > _SMALL * threshold else 2**62
        picks[0] = 0
        while True:
            depth, nodes = next_filling(near, items, ends, price, rest, limit, picks, partial, depth, nodes)
            if depth < 0 or nodes < 0:
                break
            size, anchored = 0, False
            for slot in range(width):
                if picks[slot] < ends[slot]:
                    cluster[size] = candidates[items[picks[slot]]]
                    anchored = anchored or requiring[cluster[size]]
                    size += 1
            if not anchored:
                continue
            cost, reduced = filled_cost(points, duals, cluster, size, width, price)
            if reduced > threshold or not inside(points, cluster, size, low, high):
                continue
            if not append_column(
                cluster, size, width - size, len(points), cost, state, starts, members, costs
            ):
                return False
        if nodes < 0:  # too many to walk: take back and halve
            state[FOUND], state[LISTED] = found, listed
            kept = keep_relevant(
                values, candidates, slots, requiring, least, regret, total, limit, lists, end
            )
            state[OPEN] = push_halves(low, high, end, kept, boxes, spans, top)
    return True
