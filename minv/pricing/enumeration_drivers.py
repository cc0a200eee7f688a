"""Compiled uses of the implicit enumeration: repair duals, find the best cluster, list all clusters."""

from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.pricing.enumeration_node import FRESH, LEVEL, WORK, Problem, Scratch, Tree, added_penalty, expand

# What a call ended with.
DONE, PAUSED, FOUND, FULL = 0, 1, 2, 3  # FULL: there is no room for another column


class Store(NamedTuple):
    """Room for columns in compressed form; `number` holds how many there are."""

    starts: IntArray
    members: IntArray
    costs: FloatArray
    number: IntArray  # (1,)


@kernel
def present_size(tree: Tree) -> int:
    """Return the number of members of the cluster that a search has just found."""
    size: int = tree.state[LEVEL] + 1
    return size


@kernel
def present_cost(tree: Tree) -> float:
    """Return the SSE of the cluster that a search has just found."""
    level = tree.state[LEVEL]
    pair_sum = tree.pair_sums[level] + tree.distance_sums[level, tree.positions[level] - 1]
    cost: float = pair_sum / (level + 1)
    return cost


@kernel
def present_reduced_cost(problem: Problem, tree: Tree, duals: FloatArray) -> float:
    """Return the reduced cost of the cluster that a search has just found, penalties included."""
    level = tree.state[LEVEL]
    reduced: float = present_cost(tree) + tree.penalties[level]
    reduced += added_penalty(problem, tree.members, level + 1)
    for k in range(level + 1):
        reduced -= duals[tree.members[k]]
    return reduced


@kernel
def next_cluster(
    problem: Problem,
    tree: Tree,
    scratch: Scratch,
    duals: FloatArray,
    limit: float,
    margin: float,
    until: int,
) -> int:
    """Go on to the next cluster with a reduced cost below `limit`, or until the work done reaches `until`.

    `duals` and `limit` may fall between two calls: what was pruned stays pruned.

    margin
        0 if clusters that are no worse without some row need not be found; infinite if all must be.
    """
    while True:
        if tree.state[FRESH]:
            tree.state[FRESH] = 0
            expand(problem, tree, scratch, duals, limit, margin)
        if tree.state[WORK] >= until:
            return PAUSED
        level = tree.state[LEVEL]
        while level >= 0 and tree.positions[level] == tree.ends[level]:
            level -= 1
        tree.state[LEVEL] = level
        if level < 0:
            return DONE
        at = tree.positions[level]
        tree.positions[level] = at + 1
        tree.members[level] = tree.candidates[level, at]
        tree.state[FRESH] = 1
        tree.state[WORK] += 1
        size = level + 1
        if (size == problem.smallest or (size > problem.smallest and tree.gaining[level, at])) and (
            present_reduced_cost(problem, tree, duals) < limit
        ):
            return FOUND


@kernel
def store_present(tree: Tree, store: Store) -> bool:
    """Append the cluster that a search has just found; False if there is no room."""
    column = store.number[0]
    size = present_size(tree)
    start = store.starts[column]
    if column == len(store.costs) or start + size > len(store.members):
        return False
    for k in range(size):
        store.members[start + k] = tree.members[k]
    store.starts[column + 1] = start + size
    store.costs[column] = present_cost(tree)
    store.number[0] = column + 1
    return True


@kernel
def repair_duals(
    problem: Problem,
    tree: Tree,
    scratch: Scratch,
    duals: FloatArray,
    limit: float,
    budget: int,
    store: Store,
) -> int:
    """Search for `budget` units of work; store each column found and lower the duals of its rows, equally.

    When the search is done no feasible column has a reduced cost below `limit` with the final duals. Where
    there is no more room for columns, duals are still repaired.
    """
    until = tree.state[WORK] + budget
    while True:
        outcome = next_cluster(problem, tree, scratch, duals, limit, 0.0, until)
        if outcome != FOUND:
            return outcome
        store_present(tree, store)
        size = present_size(tree)
        share = present_reduced_cost(problem, tree, duals) / size
        for k in range(size):
            duals[tree.members[k]] += share


@kernel
def find_best(
    problem: Problem,
    tree: Tree,
    scratch: Scratch,
    duals: FloatArray,
    least: FloatArray,
    budget: int,
    store: Store,
) -> int:
    """Search for `budget` units of work; keep the best column of reduced cost below `least[0]`, which falls."""
    until = tree.state[WORK] + budget
    while True:
        outcome = next_cluster(problem, tree, scratch, duals, least[0], 0.0, until)
        if outcome != FOUND:
            return outcome
        least[0] = present_reduced_cost(problem, tree, duals)
        store.number[0] = 0
        store_present(tree, store)


@kernel
def list_clusters(
    problem: Problem,
    tree: Tree,
    scratch: Scratch,
    duals: FloatArray,
    threshold: float,
    budget: int,
    store: Store,
) -> int:
    """Search for `budget` units of work; store every column of reduced cost at most `threshold`."""
    until = tree.state[WORK] + budget
    above = np.nextafter(threshold, np.inf)
    while True:
        outcome = next_cluster(problem, tree, scratch, duals, above, np.inf, until)
        if outcome != FOUND:
            return outcome
        if not store_present(tree, store):
            return FULL
