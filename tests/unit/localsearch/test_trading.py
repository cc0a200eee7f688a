"""Counterfeits against loss: what is left has no improving move, computed from the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minv.heuristics.editions import Allowance
from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance
from minv.localsearch import Requirements, allowed_colours
from minv.localsearch.limits import SizeLimits, limits_for_moves
from minv.localsearch.trading import Terms, counterfeits, trade

SIGNATURES = ((0, 1, 2), (1, 3), (0, 3))


def cost(instance: Instance, labels: np.ndarray, kinds: np.ndarray, terms: Terms) -> float:
    """Return SSE and the price of the counterfeits, class by class; infinite where a rule is broken."""
    total = 0.0
    for label, kind in enumerate(kinds.tolist()):
        members = np.flatnonzero(labels == label)
        held = instance.colours[members].tolist()
        wanted = set(instance.required[members].tolist())
        if not held or len(held) != len(set(held)):
            return np.inf
        if kind == FREE:
            if wanted != {FREE} or len(held) > instance.max_size:
                return np.inf
            lacking = max(0, instance.m - len(held))
            if lacking and not terms.adding:
                return np.inf
        else:
            if kind not in wanted or wanted - {kind, FREE} or set(held) - set(SIGNATURES[kind]):
                return np.inf
            lacking = len(SIGNATURES[kind]) - len(held)
        part = instance.points[members]
        total += float(((part - part.mean(axis=0)) ** 2).sum()) + terms.price * lacking
    return total


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), price=st.sampled_from([0.0, 0.1, 1.0, 10.0, 1e4]), adding=st.booleans())
def test_no_single_move_improves(seed: int, price: float, adding: bool) -> None:
    rng = np.random.default_rng(seed)
    old = [
        (kind, colour)
        for kind, signature in enumerate(SIGNATURES)
        for colour in signature
        for _ in range(rng.integers(0, 3))
    ]
    fresh = rng.permutation(np.tile(np.arange(5), 3))[: rng.integers(5, 12)].tolist()
    fresh += list(range(5)) * 2  # so that they are eligible
    colours = np.array([colour for _, colour in old] + fresh, dtype=np.int64)
    required = np.array([kind for kind, _ in old] + [FREE] * len(fresh), dtype=np.int64)
    points = rng.normal(size=(len(colours), 2)) * 3 + 7
    instance = Instance(points, colours, 2, 3, required, SIGNATURES)
    start = staged(instance, seed, split_by_halving, Allowance(adding=adding))
    kinds = start.signature_of_class
    wanted = Requirements(required, kinds, allowed_colours(SIGNATURES, instance.colour_count))
    limits = limits_for_moves(start.labels, 2, 3, wanted)
    if adding:
        limits = SizeLimits(np.ones_like(limits.least), limits.most)
    terms = Terms(price, 2, adding)
    before = cost(instance, start.labels, kinds, terms)
    labels = trade(points, colours, start.labels, terms=terms, limits=limits, requirements=wanted)
    after = cost(instance, labels, kinds, terms)
    assert after <= before * (1 + 1e-9)
    sse = cost(instance, labels, kinds, terms._replace(price=0.0))
    assert after == pytest.approx(sse + price * counterfeits(labels, wanted, 2))
    for point in np.flatnonzero(required == FREE):
        for target in range(len(kinds)):
            moved = labels.copy()
            moved[point] = target
            assert cost(instance, moved, kinds, terms) >= after * (1 - 1e-7) - 1e-7
