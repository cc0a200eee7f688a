"""Companions for persons whose new signature must be disjoint from their earlier ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import InfeasibleError
from minv.instance import FREE, Instance
from minv.publish.disjoint import settle_disjoint

COLOURS = 7


def instance(
    colours: list[int], m: int, positions: list[float] | None = None, required: list[int] | None = None
) -> Instance:
    coordinates = list(range(len(colours))) if positions is None else positions
    return Instance(
        points=np.array(coordinates, dtype=np.float64)[:, None],
        colours=np.array(colours),
        m=m,
        required=None if required is None else np.array(required),
        signatures=() if required is None else ((0, 1),),
    )


def test_nothing_to_settle_changes_nothing() -> None:
    plain = instance([0, 1, 2], 2)
    assert settle_disjoint(plain, {}) is plain


def test_nearest_allowed_point_becomes_the_companion() -> None:
    settled = settle_disjoint(instance([0, 1, 2, 3, 4, 5, 6], 2), {2: frozenset({1, 3})})
    assert settled.signatures == ((0, 2),)
    assert settled.required is not None
    assert settled.required.tolist() == [0, FREE, 0, FREE, FREE, FREE, FREE]


def test_colour_that_the_rest_could_not_hold_is_taken_first() -> None:
    """Two of four rows have colour 5; without one of them the other two would be alike."""
    settled = settle_disjoint(instance([0, 1, 5, 5], 2), {0: frozenset({6})})
    assert settled.signatures == ((0, 5),)


def test_two_such_persons_may_be_companions() -> None:
    settled = settle_disjoint(instance([0, 1], 2), {0: frozenset({2}), 1: frozenset({3})})
    assert settled.signatures == ((0, 1),)
    with pytest.raises(InfeasibleError, match="2 persons"):
        settle_disjoint(instance([0, 1], 2), {0: frozenset({2}), 1: frozenset({0})})


def test_points_with_a_required_signature_are_no_companions() -> None:
    with pytest.raises(InfeasibleError):
        settle_disjoint(instance([0, 1, 4], 2, required=[0, 0, FREE]), {2: frozenset({6})})


def test_known_signature_is_used_again() -> None:
    settled = settle_disjoint(instance([0, 1, 0, 1], 2, required=[0, 0, FREE, FREE]), {2: frozenset({6})})
    assert settled.signatures == ((0, 1),)
    assert settled.required is not None
    assert settled.required.tolist() == [0, 0, 0, 0]


@given(
    colours=st.lists(st.integers(0, COLOURS - 1), min_size=2, max_size=16),
    m=st.integers(2, 3),
    forbidden=st.dictionaries(
        st.integers(0, 15), st.frozensets(st.integers(0, COLOURS - 1), max_size=3), max_size=3
    ),
    seed=st.integers(0, 99),
)
def test_every_signature_obeys_the_rules(
    colours: list[int], m: int, forbidden: dict[int, frozenset[int]], seed: int
) -> None:
    positions = np.random.default_rng(seed).random(len(colours)).tolist()
    barred = {point: found - {colours[point]} for point, found in forbidden.items() if point < len(colours)}
    plain = instance(colours, m, positions)
    try:
        settled = settle_disjoint(plain, barred)
    except InfeasibleError:
        return
    assert settled.required is not None
    assert all(settled.required[point] != FREE for point in barred)
    for place, signature in enumerate(settled.signatures):
        members = np.flatnonzero(settled.required == place)
        assert len(signature) == len(set(signature)) == m
        counts = [int((settled.colours[members] == colour).sum()) for colour in signature]
        assert len(members) == sum(counts)
        assert min(counts) == max(counts) >= 1
        for point in members.tolist():
            assert not barred.get(point, frozenset()) & set(signature)
    counts = np.bincount(plain.colours, minlength=COLOURS)
    if barred and m * counts.max() <= len(colours) and len(colours) >= 2 * m:
        rest = np.bincount(settled.colours[settled.required == FREE], minlength=1)
        critical_barred = any(m * counts[c] > len(colours) - m for found in barred.values() for c in found)
        assert critical_barred or len(barred) > 1 or m * rest.max() <= rest.sum()
