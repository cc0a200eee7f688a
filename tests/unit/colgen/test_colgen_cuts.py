"""Subset-row cuts: exactly the violated triples are found, and no integer solution violates one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minv.colgen.cuts import violated_triples
from minv.colgen.pool import columns_of_partition
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.pricing.protocol import Columns


def columns(*members: list[int]) -> Columns:
    """Columns without a cost."""
    starts = np.cumsum([0, *map(len, members)])
    return Columns(starts, np.concatenate(members), np.zeros(len(members)))


def violation(pool: Columns, values: np.ndarray, triple: tuple[int, ...], multiplicity: np.ndarray) -> float:
    """By the definition."""
    parts = np.split(pool.members, pool.starts[1:-1])
    left = sum(
        value for part, value in zip(parts, values, strict=True) if len(set(part.tolist()) & set(triple)) >= 2
    )
    return float(left - multiplicity[list(triple)].sum() // 2)


def test_three_halves_of_a_triangle_are_cut_off() -> None:
    """Pairs of three rows, each taken half: 3/2 where at most one can be taken."""
    pool = columns([0, 1], [1, 2], [0, 2], [3, 4])
    values = np.array([0.5, 0.5, 0.5, 1.0])
    found = violated_triples(pool, values, np.ones(5, np.int64), most=10, least=0.02)
    assert found.tolist() == [[0, 1, 2]]


def test_a_repeated_row_raises_the_right_side() -> None:
    """With row 0 twice, the three pairs may have a total of (2 + 1 + 1) / 2."""
    pool = columns([0, 1], [1, 2], [0, 2])
    values = np.full(3, 0.5)
    multiplicity = np.array([2, 1, 1])
    assert len(violated_triples(pool, values, multiplicity, most=10, least=0.02)) == 0
    values = np.array([1.0, 0.5, 1.0])
    assert violated_triples(pool, values, multiplicity, most=10, least=0.02).tolist() == [[0, 1, 2]]


def half_cover(rng: np.random.Generator, multiplicity: np.ndarray) -> tuple[Columns, np.ndarray]:
    """Pairs of five rows, the early rows first, then any sets, each taken half until a row is full."""
    pairs = sorted(combinations(range(5), 2), key=lambda pair: pair[1] + rng.random())
    others = [list(members) for size in (3, 4) for members in combinations(range(5), size)]
    chosen: list[list[int]] = []
    covered = np.zeros(5)
    for members in [*map(list, pairs), *(others[i] for i in rng.permutation(len(others)))]:
        if (covered[members] < multiplicity[members]).all() and rng.random() < 0.8:
            covered[members] += 0.5
            chosen.append(members)
    return columns(*chosen), np.full(len(chosen), 0.5)


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_the_violated_triples_are_those_of_brute_force(seed: int) -> None:
    """Five rows: no row is in more than six triples, so none is left out; the worst comes first.

    No row is covered more often than it occurs, as in every solution of a master.
    """
    rng = np.random.default_rng(seed)
    multiplicity = rng.integers(1, 3, 5)
    pool, values = half_cover(rng, multiplicity)
    expected = {
        triple: violation(pool, values, triple, multiplicity)
        for triple in combinations(range(5), 3)
        if violation(pool, values, triple, multiplicity) > 0.02
    }
    found = [tuple(triple) for triple in violated_triples(pool, values, multiplicity, most=10, least=0.02)]
    assert set(found) == set(expected)
    scores = [expected[triple] for triple in found]
    assert scores == pytest.approx(sorted(scores, reverse=True))
    limited = violated_triples(pool, values, multiplicity, most=2, least=0.02)
    assert [tuple(triple) for triple in limited] == found[:2]


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_no_partition_violates_any_cut(seed: int) -> None:
    """Not even one whose rows are repeated."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 2, (24, 2)).astype(float)
    instance = Instance(points, np.arange(24) % 5, 3)
    labels = sorted_start(rng.normal(size=(24, 1)), instance.colours, 3)
    rows = instance.rows
    pool = columns_of_partition(rows.points, rows.row_of_point, labels)
    values = np.ones(pool.number)
    assert len(violated_triples(pool, values, rows.multiplicity, most=100, least=1e-6)) == 0
    for triple in combinations(range(len(rows.points)), 3):
        assert violation(pool, values, triple, rows.multiplicity) <= 0
