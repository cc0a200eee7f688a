"""Local searches beside plain implementations of what they claim to be, and beside brute force."""

import itertools

import numpy as np
import pytest

from minv.heuristics import sorted_start
from minv.localsearch import anneal, two_swap
from minv.loss import sum_of_squared_errors


def random_instance(seed, size, number_of_colours):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(size, 2)), rng.permutation(np.arange(size) % number_of_colours)


def plain_two_swap(points, colours, labels):
    """The definition: all pairs, each SSE anew, apply the best, repeat."""
    labels = labels.copy()
    while True:
        best, least = None, sum_of_squared_errors(points, labels) - 1e-9
        for one, other in itertools.combinations(range(len(labels)), 2):
            candidate = labels.copy()
            candidate[[one, other]] = labels[[other, one]]
            if len(np.unique(candidate * 1000 + colours)) < len(labels):
                continue
            sse = sum_of_squared_errors(points, candidate)
            if sse < least:
                best, least = candidate, sse
        if best is None:
            return labels
        labels = best


def clusters_of(labels):
    return {frozenset(np.flatnonzero(labels == cluster).tolist()) for cluster in np.unique(labels)}


@pytest.mark.parametrize("seed", range(10))
def test_two_swap_takes_the_steps_of_the_definition(seed):
    """Ties are only between swaps that make the same clusters, so the sequence of partitions is unique."""
    points, colours = random_instance(seed, 24, 6)
    rng = np.random.default_rng(seed)
    labels = np.empty(24, dtype=np.int64)
    for colour in range(6):
        labels[colours == colour] = rng.choice(7, 4, replace=False)
    labels = np.unique(labels, return_inverse=True)[1]
    found, wanted = two_swap(points, colours, labels), plain_two_swap(points, colours, labels)
    assert clusters_of(found) == clusters_of(wanted)


def partitions(size, most):
    """All partitions of 0..size-1 into sets of at most `most`, as label lists."""

    def extend(labels, sizes):
        if len(labels) == size:
            yield labels
            return
        for cluster in range(len(sizes) + 1):
            if cluster == len(sizes):
                yield from extend([*labels, cluster], [*sizes, 1])
            elif sizes[cluster] < most:
                grown = [*sizes]
                grown[cluster] += 1
                yield from extend([*labels, cluster], grown)

    yield from extend([], [])


def optimum(points, colours, m, clusters):
    """The least SSE with a given number of clusters, over all feasible partitions."""
    best = np.inf
    for labels in map(np.array, partitions(len(colours), 2 * m - 1)):
        feasible = (
            labels.max() + 1 == clusters
            and np.bincount(labels).min() >= m
            and len(np.unique(labels * 1000 + colours)) == len(labels)
        )
        if feasible:
            best = min(best, sum_of_squared_errors(points, labels))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_annealing_finds_the_optimum_of_small_instances(seed):
    m = 2
    points, colours = random_instance(seed, 9, 3 + seed % 3)
    for clusters in range(3, 5):
        start = sorted_start(points, colours, m, clusters=clusters)
        labels = anneal(points, colours, start, m=m, moves=200_000, seed=seed)
        found = sum_of_squared_errors(points, labels)
        assert found == pytest.approx(optimum(points, colours, m, clusters))
