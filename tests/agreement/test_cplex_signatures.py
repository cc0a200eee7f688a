"""CPLEX's programs price the clusters of a required signature as brute force and our search do."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from small_releases import random_release as random_instance

from minv.colgen.exact import open_generation
from minv.colgen.generation import ColumnGeneration
from minv.compiled import BoolArray, FloatArray, IntArray
from minv.errors import InfeasibleError
from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance
from minv.pricing.integer import MinimiseSize
from minv.pricing.integer_signature import SignaturePrograms
from minv.pricing.signature import SignaturePricer
from minv.publish.editions import allowance
from minv.publish.engine import Policy
from minv.publish.engines import Pricing, SolverChoice, make_solvers
from minv.solvers.cplex_pricing import SizeMilp, SizeMiqp
from minv.stopping import CancelToken, Stop

pytest.importorskip("docplex", reason="the extra minv[cplex] is not installed")
pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")

TOLERANCE = 1e-6
PROGRAMS = pytest.mark.parametrize("program", [SizeMiqp, SizeMilp])
Program = type[SizeMiqp] | type[SizeMilp]


def make_program(program: Program, points: FloatArray, colours: IntArray, anchors: BoolArray) -> MinimiseSize:
    """The quadratic or the linear program."""
    return program(points, colours, anchors=anchors).minimise


def programs_of(program: Program, instance: Instance, index: int) -> SignaturePrograms:
    """For the clusters of one signature."""
    return SignaturePrograms(
        instance.rows,
        index,
        instance.signatures[index],
        partial(make_program, program),
        tolerance=TOLERANCE,
    )


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
    price = float(rng.random()) if rng.random() < 0.8 else np.inf
    return Instance(points, colours, 2, required=required, signatures=signatures), price


def clusters(instance: Instance, index: int, price: float) -> Iterator[tuple[list[int], float, float]]:
    """Rows, SSE and price of the counterfeits of every cluster of a signature, by trying all subsets of the rows."""
    rows, signature = instance.rows, set(instance.signatures[index])
    for size in range(1, len(signature) + 1):
        lacking = len(signature) - size
        if lacking and np.isinf(price):
            continue
        for members in map(list, combinations(range(len(rows.points)), size)):
            colours, required = set(rows.colours[members].tolist()), set(rows.required[members].tolist())
            if len(colours) == size and colours <= signature and index in required <= {index, FREE}:
                points = rows.points[members]
                squares = float(((points - points.mean(axis=0)) ** 2).sum())
                yield members, squares, price * lacking if lacking else 0.0


@PROGRAMS
@pytest.mark.parametrize("block", range(0, 120, 30))
def test_the_programs_agree_with_brute_force_and_our_search(block: int, program: Program) -> None:
    """On whether there are columns, costs and counterfeits; the lowered duals leave no negative reduced cost."""
    for seed in range(block, block + 30):
        instance, price = random_release(seed)
        rows = instance.rows
        duals = np.append(np.random.default_rng(seed).normal(0.5, 0.8, len(rows.points)), -price)
        for index, signature in enumerate(instance.signatures):
            every = {tuple(members): rest for members, *rest in clusters(instance, index, price)}
            least = min((sum(rest) - duals[list(c)].sum() for c, rest in every.items()), default=np.inf)
            lowered, ours = duals.copy(), duals.copy()
            found = programs_of(program, instance, index).search(lowered, price, Stop())
            assert found is not None
            assert (lowered <= duals).all()
            left = [sum(rest) - lowered[list(c)].sum() for c, rest in every.items()]
            assert min(left, default=0.0) >= -TOLERANCE
            assert (found.number > 0) == (least < -TOLERANCE)
            for j, cost in enumerate(found.costs):
                members = found.members[found.starts[j] : found.starts[j + 1]]
                real = tuple(sorted(members[members < len(rows.points)].tolist()))
                assert cost == pytest.approx(every[real][0])
                assert len(members) == len(signature)
            if (rows.required == index).any():
                search = SignaturePricer(rows, index, signature, tolerance=TOLERANCE)
                theirs = search.search(ours, price, Stop())
                assert theirs is not None
                assert (theirs.number > 0) == (found.number > 0)


def linear_optimum(instance: Instance, labels: IntArray, pricing: Pricing) -> ColumnGeneration:
    """Column generation to its end, with CPLEX as the solver of the master."""
    generation = open_generation(instance, labels, make_solvers(SolverChoice("cplex"), 0, pricing))
    while generation.step(Stop()):
        pass
    return generation


@pytest.mark.parametrize("pricing", ["miqp", "milp"])
def test_later_releases_have_the_same_linear_bound_by_programs_and_by_searches(pricing: Pricing) -> None:
    """Random releases with free points, remembered signatures and counterfeits; each run ends at a gap of 0.01 %."""
    compared = 0
    for seed in range(12):
        release = random_instance(seed, 14, m=2, dimension=2)
        if not release.continues:
            continue
        try:
            start = staged(release, 0, split_by_halving, allowance(Policy("balance")))
        except InfeasibleError:
            continue
        instance = replace(release, counterfeits=start.counterfeits)
        ours, theirs = (linear_optimum(instance, start.labels, way) for way in ("box", pricing))
        assert theirs.bound.value == pytest.approx(ours.bound.value, rel=2e-4)
        assert theirs.objective == pytest.approx(ours.objective, rel=2e-4)
        assert theirs.bound.value <= ours.objective * (1 + 1e-6)
        compared += ours.bound.value > 0
    assert compared > 3


def test_what_counterfeits_cost_decides_whether_they_are_used() -> None:
    """Two far points of one signature: together where counterfeits are dear, apart where they are cheap."""
    points, colours = np.array([[0.0], [4.0]]), np.array([0, 1])
    instance = Instance(points, colours, 2, required=np.zeros(2, np.int64), signatures=((0, 1),))
    programs = programs_of(SizeMiqp, instance, 0)
    dear = programs.search(np.array([5.0, 5.0, -100.0]), 100.0, Stop())
    cheap = programs.search(np.array([5.0, 5.0, -1.0]), 1.0, Stop())
    assert dear is not None
    assert cheap is not None
    assert [sorted(dear.members.tolist()), dear.costs.tolist()] == [[0, 1], [8.0]]
    assert sorted(map(sorted, cheap.members.reshape(-1, 2).tolist())) == [[0, 2], [1, 2]]


def test_a_cancelled_search_proves_nothing() -> None:
    """It answers None, and the duals are as they were."""
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
    duals = np.ones(41)
    assert programs_of(SizeMiqp, instance, 0).search(duals, 1.0, Stop(cancel=token)) is None
    assert (duals == 1.0).all()
