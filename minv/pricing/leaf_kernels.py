"""List all clusters of a small box whose reduced cost may lie below a threshold (compiled)."""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.pricing.cut_kernels import join, leave
from minv.pricing.cuts import CutTable


class WalkRoom(NamedTuple):
    """Room for `sort_items` and `next_cluster`."""

    items: IntArray
    group_of_item: IntArray
    group_ends: IntArray
    prefix: FloatArray
    position: IntArray
    met: IntArray
    stack: IntArray
    partial: FloatArray


@kernel
def room_for_walks(rows: int, colour_count: int, largest: int, cuts: int) -> WalkRoom:
    """Return room for walks over up to so many rows, colours and members of a cluster."""
    return WalkRoom(
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        np.empty(colour_count, np.int64),
        np.empty(colour_count + 1),
        np.empty(colour_count, np.int64),
        np.zeros(cuts, np.int64),
        np.empty(largest + 1, np.int64),
        np.zeros(largest + 1),
    )


@kernel
def sort_items(
    colours: IntArray,
    candidates: IntArray,
    near: FloatArray,
    best: FloatArray,
    touched: IntArray,
    count: int,
    items: IntArray,
    group_of_item: IntArray,
    group_ends: IntArray,
    prefix: FloatArray,
    position: IntArray,
) -> None:
    """Group the candidates by colour, colours by their least near value, members of a colour likewise.

    `items` receives positions within `candidates` and `group_of_item` their groups; `group_ends[g]` is where group
    g ends; `prefix[g]` the sum of the least values of the first g groups.
    """
    order = np.argsort(best[0][touched[:count]])
    prefix[0] = 0.0
    sizes = np.zeros(count, np.int64)
    for g in range(count):
        colour = touched[order[g]]
        position[colour] = g
        prefix[g + 1] = prefix[g] + best[0, colour]
    for k in range(len(candidates)):
        sizes[position[colours[candidates[k]]]] += 1
    end = 0
    for g in range(count):
        end += sizes[g]
        group_ends[g] = end
    filled = group_ends[:count] - sizes
    for k in np.argsort(near[: len(candidates)]):
        g = position[colours[candidates[k]]]
        items[filled[g]] = k
        group_of_item[filled[g]] = g
        filled[g] += 1


@kernel
def cheapest_completion(
    prefix: FloatArray, group: int, groups: int, chosen: int, smallest: int, largest: int, radius: float
) -> float:
    """Least that may still be added after `chosen` members, taking groups from `group` on, less the radius term."""
    least = np.inf
    for size in range(max(chosen, smallest), largest + 1):
        last = group + size - chosen
        if last > groups:
            break
        least = min(least, prefix[last] - prefix[group] - size * radius)
    return least


@kernel
def next_cluster(
    candidates: IntArray,
    items: IntArray,
    group_of_item: IntArray,
    group_ends: IntArray,
    groups: int,
    near: FloatArray,
    prefix: FloatArray,
    smallest: int,
    largest: int,
    radius: float,
    threshold: float,
    table: CutTable,
    met: IntArray,
    stack: IntArray,
    partial: FloatArray,
    depth: int,
    nodes: int,
) -> tuple[int, int]:
    """Advance a depth-first walk over rainbow subsets to the next one that may lie below the threshold.

    `stack[:depth]` holds the item numbers of the present subset, `partial[k]` the near value of its first k with
    the penalties they owe, and `met` the sum of their numerators in each cut; all 0 before and after a walk.
    Returns the new depth (0 when the walk is over) and the nodes left; when no nodes are left the walk is broken
    off with depth -1.
    """
    extend = True
    while True:
        if extend:
            item = 0 if depth == 0 else group_ends[group_of_item[stack[depth - 1]]]
        else:
            depth -= 1
            leave(candidates[items[stack[depth]]], table, met)
            item = stack[depth] + 1
        extend = False
        total = len(items)
        while item < total and depth < largest:
            nodes -= 1
            if nodes < 0:
                for k in range(depth):
                    leave(candidates[items[stack[k]]], table, met)
                return -1, 0
            group = group_of_item[item]
            value = partial[depth] + near[items[item]]
            rest = cheapest_completion(prefix, group + 1, groups, depth + 1, smallest, largest, radius)
            if value + rest < threshold:
                row = candidates[items[item]]
                value += join(row, table, met)
                if value + rest >= threshold:
                    leave(row, table, met)
                    item += 1
                    continue
                stack[depth] = item
                partial[depth + 1] = value
                depth += 1
                if depth >= smallest and value - depth * radius < threshold:
                    return depth, nodes
                item = group_ends[group]
                continue
            first = group_ends[group - 1] if group > 0 else 0
            # Groups ascend by their least value: when that fails, all later groups fail too.
            item = total if item == first else group_ends[group]
        if depth == 0:
            return 0, nodes
