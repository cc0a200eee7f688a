"""Searches one after another: parts of two partitions, reheating, limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.kanonymity import minimise_squared_errors
from minv.loss import SquaredErrors
from minv.publish.restarts import Restarts, best_parts
from minv.stopping import Stop


def classes(generator: np.random.Generator, groups: int, k: int) -> np.ndarray:
    """Return classes of k..2k-1 within groups of 4k consecutive points: parts of any two of them."""
    labels = []
    for group in range(groups):
        inside = np.repeat(np.arange(4), k)
        if generator.random() < 0.5:  # three classes instead of four
            inside = np.minimum(np.arange(4 * k) // (4 * k // 3), 2)
        labels.append(4 * group + generator.permutation(inside))
    return np.unique(np.concatenate(labels), return_inverse=True)[1]


@given(seed=st.integers(0, 10**6), groups=st.integers(1, 4), k=st.integers(3, 5))
def test_each_part_is_the_better_of_both(seed, groups, k):
    """Groups never mix, so that the result is in each at most the better; its classes are those of one or other."""
    generator = np.random.default_rng(seed)
    first, second = classes(generator, groups, k), classes(generator, groups, k)
    points = generator.normal(size=(len(first), 2))
    chosen = best_parts(points, first, second)
    assert np.bincount(chosen).min() >= k
    known = {frozenset(np.flatnonzero(labels == c)) for labels in (first, second) for c in np.unique(labels)}
    assert all(frozenset(np.flatnonzero(chosen == c)) in known for c in np.unique(chosen))
    for group in range(groups):
        inside = slice(4 * k * group, 4 * k * (group + 1))
        least = min(SquaredErrors(points[inside]).total(labels[inside]) for labels in (first, second))
        assert SquaredErrors(points[inside]).total(chosen[inside]) <= least * (1 + 1e-9)


def test_parts_from_both_make_what_neither_has():
    points = np.array([[0.0], [0.1], [5.0], [5.1], [100.0], [100.1], [105.0], [105.1]])
    first = np.array([0, 0, 1, 1, 2, 3, 2, 3])
    second = np.array([0, 1, 0, 1, 2, 2, 3, 3])
    assert best_parts(points, first, second).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_classes_to_begin_with_are_kept_or_improved():
    points = np.random.default_rng(0).normal(size=(120, 3))
    start = minimise_squared_errors(points, 4, seed=0, stop=Stop(effort=2000))
    before = SquaredErrors(points).total(start)
    again = minimise_squared_errors(points, 4, seed=1, stop=Stop(effort=1), start=start)
    assert SquaredErrors(points).total(again) <= before * (1 + 1e-12)
    # a search that forgot where to begin would be worse after one step, as one without a start is
    anew = minimise_squared_errors(points, 4, seed=1, stop=Stop(effort=1))
    assert SquaredErrors(points).total(anew) > before


def test_more_effort_never_loses_more_and_effort_alone_decides():
    points = np.random.default_rng(1).normal(size=(90, 4))
    runs = [Restarts(points, 5, seed=3) for _ in range(2)]
    for restarts in runs:
        restarts.run(Stop(effort=9_000))
    first = runs[0].sse
    assert runs[0].labels.tolist() == runs[1].labels.tolist()
    runs[0].run(Stop(effort=30_000))
    assert runs[0].sse <= first
    assert runs[0].sse == pytest.approx(SquaredErrors(points).total(runs[0].labels))
    assert np.bincount(runs[0].labels).min() >= 5


def test_a_worse_offer_changes_nothing():
    points = np.random.default_rng(2).normal(size=(60, 2))
    restarts = Restarts(points, 3, seed=0)
    restarts.run(Stop(effort=6_000))
    labels = restarts.labels.tolist()
    restarts.offer(np.arange(60) // 3)
    assert restarts.labels.tolist() == labels
