"""Counterfeits at a price, on a release whose answers are plain."""

import numpy as np
import pytest

from minv.instance import FREE, Instance
from minv.publish.engine import Budget, Policy
from minv.publish.later import solve_later
from minv.publish.priced import trade_at_price

BUDGET = Budget(effort=1, workers=1)


def release() -> Instance:
    """Return one old person at 0 with {0, 1}, and newcomers of the colours 1, 0 and 2 around 10."""
    return Instance(
        np.array([[0.0], [10.0], [10.1], [10.2]]),
        np.array([0, 1, 0, 2]),
        2,
        required=np.array([0, FREE, FREE, FREE]),
        signatures=((0, 1),),
    )


def classes(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)}


@pytest.mark.parametrize("method", ["tau", "optimise"])
@pytest.mark.parametrize(
    ("price", "expected"),
    [(60.0, {frozenset({0, 1}), frozenset({2, 3})}), (40.0, {frozenset({0}), frozenset({1, 2, 3})})],
)
def test_the_price_decides(method: str, price: float, expected: set[frozenset[int]]) -> None:
    """The newcomer of colour 1 saves a counterfeit and costs 10 x 10 / 2 = 50."""
    instance, budget = release(), Budget(method=method, effort=1, workers=1)
    fewest = solve_later(instance, Policy(), budget)
    assert classes(fewest.labels) == {frozenset({0, 1}), frozenset({2, 3})}
    found = trade_at_price(instance, fewest, price, Policy(price=price), budget)
    assert classes(found.labels) == expected
    assert found.sse == pytest.approx(50.005 if price == 60.0 else 0.02)


def test_never_dearer_than_the_fewest() -> None:
    rng = np.random.default_rng(3)
    n, signatures = 60, ((0, 1, 2), (1, 3))
    colours = rng.integers(0, 4, n)
    required = np.full(n, FREE)
    for point in range(20):
        holding = [kind for kind, signature in enumerate(signatures) if colours[point] in signature]
        required[point] = holding[point % len(holding)]
    instance = Instance(rng.normal(size=(n, 2)), colours, 2, required=required, signatures=signatures)
    fewest = solve_later(instance, Policy(), BUDGET)

    def number(labels: np.ndarray) -> int:
        kinds = {int(labels[point]): signatures[required[point]] for point in range(20)}
        sizes = np.bincount(labels)
        return sum(len(signature) - int(sizes[label]) for label, signature in kinds.items())

    for price in (0.0, 0.05, 0.5, 5.0):
        found = trade_at_price(instance, fewest, price, Policy(price=price), BUDGET)
        assert number(found.labels) >= number(fewest.labels)
        theirs = fewest.sse + price * number(fewest.labels)
        assert found.sse + price * number(found.labels) <= theirs * (1 + 1e-12)
        if number(found.labels) != number(fewest.labels):
            assert found.lower_bound_il is None
