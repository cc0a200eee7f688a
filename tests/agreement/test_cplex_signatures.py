"""CPLEX's programs price the clusters of a required signature as brute force does."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.instance import FREE, Instance
from minv.pricing.cuts import CutPenalties
from minv.pricing.integer import MinimiseSize
from minv.pricing.integer_signature import SignatureSizePricer
from minv.pricing.protocol import PricingStatus
from minv.solvers.cplex_pricing import SizeMiqp
from minv.stopping import CancelToken, Stop

pytest.importorskip("docplex", reason="the extra minv[cplex] is not installed")
pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")

TOLERANCE = 1e-6


def make_program(points: FloatArray, colours: IntArray, anchors: BoolArray) -> MinimiseSize:
    """The quadratic program."""
    return SizeMiqp(points, colours, anchors=anchors).minimise


def random_release(seed: int) -> tuple[Instance, float]:
    """At most nine points, of which some are free and some require one of two signatures; a counterfeit's price."""
    rng = np.random.default_rng(seed)
    size, values = int(rng.integers(1, 10)), int(rng.integers(2, 7))
    signatures = tuple(
        tuple(sorted(rng.choice(values, rng.integers(1, min(values, 5) + 1), replace=False).tolist()))
        for _ in range(2)
    )
    required = rng.integers(FREE, 2, size)
    colours = np.array(
        [rng.integers(values) if r == FREE else rng.choice(signatures[r]) for r in required.tolist()]
    )
    points = np.rint(2 * rng.normal(size=(size, int(rng.integers(1, 4)))))
    return Instance(points, colours, 2, required=required, signatures=signatures), float(rng.random())


def clusters(instance: Instance, index: int, price: float) -> Iterator[tuple[list[int], float]]:
    """Rows and cost of every cluster of a signature, by trying all subsets of the rows."""
    rows, signature = instance.rows, set(instance.signatures[index])
    for size in range(1, len(signature) + 1):
        for members in map(list, combinations(range(len(rows.points)), size)):
            colours, required = set(rows.colours[members].tolist()), set(rows.required[members].tolist())
            if len(colours) == size and colours <= signature and index in required <= {index, FREE}:
                points = rows.points[members]
                squares = float(((points - points.mean(axis=0)) ** 2).sum())
                yield members, squares + price * (len(signature) - size)


@pytest.mark.parametrize("block", range(0, 120, 20))
def test_the_programs_agree_with_brute_force(block: int) -> None:
    """On the least reduced cost and on costs; the repaired duals leave no negative reduced cost."""
    for seed in range(block, block + 20):
        instance, price = random_release(seed)
        duals = np.random.default_rng(seed).normal(0.5, 0.8, len(instance.rows.points))
        for index in range(2):
            every = list(clusters(instance, index, price))
            signature = instance.signatures[index]
            pricer = SignatureSizePricer(
                instance.rows, index, signature, price, make_program, tolerance=TOLERANCE
            )
            result = pricer.price(duals, Stop())
            least = min((cost - duals[members].sum() for members, cost in every), default=np.inf)
            assert result.status is PricingStatus.OPTIMAL
            assert result.best_reduced_cost == pytest.approx(least, abs=TOLERANCE)
            assert result.bound <= least
            assert result.repaired is not None
            assert (result.repaired <= duals).all()
            assert all(cost - result.repaired[members].sum() >= -result.slack for members, cost in every)
            found = {tuple(members): cost for members, cost in every}
            for j, cost in enumerate(result.columns.costs):
                begin, end = result.columns.starts[j : j + 2]
                assert found[tuple(result.columns.members[begin:end].tolist())] == pytest.approx(cost)


def test_what_counterfeits_cost_decides_whether_they_are_used() -> None:
    """Two far points of one signature: together where counterfeits are dear, apart where they are cheap."""
    points, colours = np.array([[0.0], [4.0]]), np.array([0, 1])
    instance = Instance(points, colours, 2, required=np.zeros(2, np.int64), signatures=((0, 1),))
    price_at = partial(
        SignatureSizePricer,
        instance.rows,
        0,
        (0, 1),
        make_program=make_program,
        tolerance=TOLERANCE,
    )
    duals = np.array([5.0, 5.0])
    assert price_at(price=100.0).price(duals, Stop()).best_reduced_cost == pytest.approx(8.0 - 10.0)
    assert price_at(price=1.0).price(duals, Stop()).best_reduced_cost == pytest.approx(1.0 - 5.0)


def test_cuts_and_limits_are_admitted() -> None:
    """Not applicable with cuts; nothing proved where cancelled."""
    token = CancelToken()
    token.cancel()
    rng = np.random.default_rng(3)
    instance = Instance(
        rng.normal(size=(40, 3)),
        np.arange(40) % 4,
        3,
        required=np.zeros(40, np.int64),
        signatures=((0, 1, 2, 3),),
    )
    pricer = SignatureSizePricer(instance.rows, 0, (0, 1, 2, 3), 1.0, make_program, tolerance=TOLERANCE)
    stopped = pricer.price(np.ones(40), Stop(cancel=token))
    assert stopped.status is PricingStatus.LIMIT
    assert stopped.repaired is None
    cuts = CutPenalties(np.array([[0, 1, 2]]), np.ones(1))
    assert pricer.price(np.ones(40), Stop(), cuts).status is PricingStatus.NOT_APPLICABLE
