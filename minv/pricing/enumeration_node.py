"""Compiled implicit enumeration of clusters, one member at a time, depth first.

A node is a set S of s rows with distinct colours, and a list of rows that may still join it. Let D_ij be squared
distances. The SSE of a cluster of n rows is the sum of D over its pairs, divided by n. So if t further rows T join S
to a cluster of n = s + t, its reduced cost is, with lambda the duals,

    (pairs(S) + pairs(T) + sum over x in T of D_x(S)) / n - lambda(S) - lambda(T),    D_x(S) = sum over i in S of D_ix,

and pairs(T) is at least the sum over x in T of half the t - 1 least distances from x to rows of other colours. That
makes a lower bound which is a sum over T: the best t rows of different colours bound all of them. Every size n has its
own bound; a row stays listed while one of them permits it (cf. Aloise, Hansen, Rocha, Santi 2014).

Clusters of more than m rows need not be formed if leaving out a row makes a feasible cluster that is no worse. In all
others each row x gains by belonging: n/(n-1) |x - c|^2 < lambda_x, with c the centroid. So two of its rows have a
distance below sqrt((n-1)/n) (sqrt(lambda_x) + sqrt(lambda_y)).
"""

from typing import NamedTuple

import numpy as np

from minv.compiled import BoolArray, FloatArray, IntArray, kernel
from minv.pricing.cuts import CutTable
from minv.pricing.enumeration_bounds import insert, may_both_gain, sort_candidates, sum_of_others

# Positions in the state vector of a search.
LEVEL, FRESH, WORK = 0, 1, 2


class Problem(NamedTuple):
    """What does not change during a search; see `EnumerationPricer`."""

    distances: FloatArray  # (r, r) squared
    near: (
        FloatArray  # (r, u) half the sum of the t least distances to rows of other, mutually distinct colours
    )
    colours: IntArray  # (r,)
    cuts: CutTable
    smallest: int
    largest: int  # u


class Tree(NamedTuple):
    """The path from the root to the present node; level l holds the candidates to be member number l."""

    candidates: IntArray  # (u + 1, r)
    distance_sums: FloatArray  # (u + 1, r) to the members before
    gaining: BoolArray  # (u + 1, r) whether the candidate may gain by belonging to a cluster of more than m
    counts: IntArray  # (u + 1,) candidates of a level
    ends: IntArray  # (u + 1,) candidates that may be tried as next member; the others only join later
    positions: IntArray  # (u + 1,) candidates tried already
    members: IntArray  # (u + 1,)
    pair_sums: FloatArray  # (u + 1,) of the members before
    penalties: FloatArray  # (u + 1,) that the members before pay
    state: IntArray  # level, whether the newest member's node is still to be expanded, work done


class Scratch(NamedTuple):
    """Room for the evaluation of one node's candidates, one line a size."""

    values: FloatArray  # (u, r) a candidate's term of the bound
    keys: FloatArray  # (r,)
    least: FloatArray  # (u, u) the least terms of distinct colours, ascending
    least_colours: IntArray  # (u, u)
    counts: IntArray  # (u,)


@kernel
def added_penalty(problem: Problem, members: IntArray, count: int) -> float:
    """Penalty that the last of `count` members adds to those that the others pay."""
    last = members[count - 1]
    table = problem.cuts
    total = 0.0
    for entry in range(table.starts[last], table.starts[last + 1]):
        cut = table.cuts[entry]
        before = 0
        for a in range(table.rows.shape[1]):
            if table.numerators[cut, a] == 0:
                break
            for k in range(count - 1):
                if members[k] == table.rows[cut, a]:
                    before += table.numerators[cut, a]
        below = table.denominators[cut]
        total += table.penalties[cut] * ((before + table.of_row[entry]) // below - before // below)
    return total


@kernel
def list_candidates(
    problem: Problem, tree: Tree, scratch: Scratch, duals: FloatArray, margin: float, grow: bool, sizes: int
) -> int:
    """List the parent's later candidates that may join the newest member; return how many.

    Fills their terms of the bound for the `sizes` sizes from max(m, s + 1) and the least terms of each size.
    """
    level = tree.state[LEVEL]
    size = level + 1
    newest = tree.members[level]
    smallest = max(problem.smallest, size + 1)
    reach = duals[newest] + margin
    colours, near, distances = problem.colours, problem.near, problem.distances[newest]
    parents, parent_sums, parent_gaining = (
        tree.candidates[level],
        tree.distance_sums[level],
        tree.gaining[level],
    )
    rows, sums, gainings = tree.candidates[size], tree.distance_sums[size], tree.gaining[size]
    values, least, least_colours, counts = (
        scratch.values,
        scratch.least,
        scratch.least_colours,
        scratch.counts,
    )
    counts[:] = 0
    number = 0
    for k in range(tree.positions[level], tree.counts[level]):
        row = parents[k]
        colour = colours[row]
        if colour == colours[newest]:
            continue
        distance = distances[row]
        gaining = (
            grow
            and parent_gaining[k]
            and may_both_gain(distance, reach, duals[row] + margin, problem.largest)
        )
        if size >= problem.smallest and not gaining:
            continue
        distance_sum = parent_sums[k] + distance
        for j in range(sizes if gaining else 1):
            others = smallest + j - size
            value = (distance_sum + near[row, others - 1]) / (smallest + j) - duals[row]
            values[j, number] = value
            if counts[j] < others or value < least[j, others - 1]:
                counts[j] = insert(least[j], least_colours[j], counts[j], others, value, colour)
        rows[number] = row
        sums[number] = distance_sum
        gainings[number] = gaining
        number += 1
    return number


@kernel
def keep_candidates(
    problem: Problem, tree: Tree, scratch: Scratch, bases: FloatArray, limit: float, number: int
) -> int:
    """Keep the candidates that some size permits, those of least bound first; return how many.

    bases
        The bound's part of the members, one a size.
    """
    size = tree.state[LEVEL] + 1
    smallest = max(problem.smallest, size + 1)
    sizes = len(bases)
    rows, sums, gainings = tree.candidates[size], tree.distance_sums[size], tree.gaining[size]
    values, keys, least, least_colours, counts = (
        scratch.values,
        scratch.keys,
        scratch.least,
        scratch.least_colours,
        scratch.counts,
    )
    colours = problem.colours
    allowed = np.empty(sizes)  # terms from here on are too large, whatever the colour
    for j in range(sizes):
        allowed[j] = (
            limit
            - bases[j]
            - sum_of_others(least[j], least_colours[j], counts[j], smallest + j - size - 1, -1)
        )
    kept = 0
    for k in range(number):
        row = rows[k]
        bound, permitted_larger = np.inf, False
        for j in range(sizes if gainings[k] else 1):
            value = values[j, k]
            if value >= allowed[j]:
                continue
            others = smallest + j - size - 1
            value += bases[j] + sum_of_others(least[j], least_colours[j], counts[j], others, colours[row])
            bound = min(bound, value)
            if value < limit and smallest + j > problem.smallest:
                permitted_larger = True
        if bound < limit:
            rows[kept] = row
            sums[kept] = sums[k]
            gainings[kept] = permitted_larger
            for j in range(sizes):
                values[j, kept] = values[j, k]
            keys[kept] = bound
            kept += 1
    sort_candidates(rows, sums, gainings, values, keys, kept, sizes)
    return kept


@kernel
def last_worth_trying(
    problem: Problem, tree: Tree, scratch: Scratch, bases: FloatArray, limit: float, number: int
) -> int:
    """Return how many of the candidates are worth trying as next member.

    A candidate that is tried is joined only by later ones, so the bound is taken over these.
    """
    size = tree.state[LEVEL] + 1
    smallest = max(problem.smallest, size + 1)
    sizes = len(bases)
    rows, gainings, colours = tree.candidates[size], tree.gaining[size], problem.colours
    values, least, least_colours, counts = (
        scratch.values,
        scratch.least,
        scratch.least_colours,
        scratch.counts,
    )
    counts[:] = 0
    for k in range(number - 1, -1, -1):
        colour = colours[rows[k]]
        for j in range(sizes if gainings[k] else 1):
            value = values[j, k]
            others = smallest + j - size - 1
            if (
                counts[j] >= others
                and bases[j] + value + sum_of_others(least[j], least_colours[j], counts[j], others, colour)
                < limit
            ):
                return k + 1
            if counts[j] <= others or value < least[j, others]:
                counts[j] = insert(least[j], least_colours[j], counts[j], others + 1, value, colour)
    return 0


@kernel
def expand(
    problem: Problem, tree: Tree, scratch: Scratch, duals: FloatArray, limit: float, margin: float
) -> None:
    """Open the node of the newest member, unless nothing worth trying can join it."""
    level = tree.state[LEVEL]
    at = tree.positions[level] - 1
    size = level + 1
    grow = bool(tree.gaining[level, at])
    smallest = max(problem.smallest, size + 1)
    sizes = (problem.largest if grow else problem.smallest) - smallest + 1
    if sizes <= 0:
        return
    tree.state[WORK] += tree.counts[level] - tree.positions[level]
    pair_sum = tree.pair_sums[level] + tree.distance_sums[level, at]
    penalty = tree.penalties[level] + added_penalty(problem, tree.members, size)
    base = penalty
    for k in range(size):
        base -= duals[tree.members[k]]
    bases = np.empty(sizes)
    for j in range(sizes):
        bases[j] = base + pair_sum / (smallest + j)
    number = list_candidates(problem, tree, scratch, duals, margin, grow, sizes)
    number = keep_candidates(problem, tree, scratch, bases, limit, number)
    end = last_worth_trying(problem, tree, scratch, bases, limit, number)
    if end == 0:
        return
    tree.counts[size] = number
    tree.ends[size] = end
    tree.positions[size] = 0
    tree.pair_sums[size] = pair_sum
    tree.penalties[size] = penalty
    tree.state[LEVEL] = size
