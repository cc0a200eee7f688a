"""Branch and cut over listed columns against the optimum found by trying every partition."""

import math
from typing import Any

import numpy as np
import pytest
from coloured_clusters import feasible_clusters
from cuts_by_definition import random_cuts
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import ROUNDING, Problem, problems

from minv.colgen.branching import Search, fractional_pairs
from minv.colgen.exact import columns_near, open_generation
from minv.colgen.generation import LinearBound
from minv.colgen.pool import costed
from minv.colgen.rank_one import violated_cuts
from minv.compiled import IntArray
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch import first_improvement
from minv.loss import sum_of_squared_errors
from minv.pricing.cuts import CutPenalties
from minv.pricing.protocol import Columns
from minv.pricing.reduced_costs import holdings, priced
from minv.publish.engines import default_solvers
from minv.solvers.protocol import UNLIMITED, IntegerSolution, SetPartitionSolver, SolveStatus
from minv.solvers.vertex import highs_vertex
from minv.stopping import Stop


class GivesUp(SetPartitionSolver):
    """An integer solver that never finds anything, so that the search has to divide to the end."""

    most_columns = UNLIMITED

    def solve(self, *_: Any, **__: Any) -> IntegerSolution:
        """Return nothing."""
        return IntegerSolution(SolveStatus.LIMIT, math.nan, np.zeros(0, np.int64), -math.inf)


def all_columns(instance: Instance) -> Columns:
    """Every feasible column of an instance."""
    rows = instance.rows
    clusters = feasible_clusters(rows.colours, instance.m, instance.max_size)
    starts = np.concatenate([[0], np.cumsum([len(members) for members in clusters])]).astype(np.int64)
    members = np.concatenate([np.array(members, np.int64) for members in clusters])
    return costed(rows.points, starts, members)


def search_of(problem: Problem, ceiling: float = math.inf) -> Search:
    """A search over all columns from the problem's start, told duals and cuts at random: it must not rely on them."""
    multiplicity = problem.instance.rows.multiplicity
    rng = np.random.default_rng(len(multiplicity))
    cuts = random_cuts(rng, multiplicity, 3)
    proof = LinearBound(
        0.0, rng.random(len(multiplicity)), CutPenalties(cuts, np.array([0.0, 0.1, 0.2])), 0.0
    )
    columns = all_columns(problem.instance)
    return Search(problem.instance, problem.start, columns, ceiling, GivesUp(), proof=proof, seed=0)


def run(search: Search, stop: Stop, *, node_limit: int | None = None, workers: int = 1) -> list[float]:
    """Run a search; return the bounds that it told."""
    bounds: list[float] = []
    search.run(stop, node_limit=node_limit, workers=workers, heard=lambda bound, _: bounds.append(bound))
    return bounds


@settings(max_examples=80)
@given(problems())
def test_the_search_ends_at_the_optimum(problem: Problem) -> None:
    """Together, apart, and numbers of clusters are enough to divide; no bound on the way is above the optimum."""
    if sum_of_squared_errors(problem.instance.points, problem.start) <= problem.optimum * (1 + ROUNDING):
        return
    search = search_of(problem)
    bounds = run(search, Stop())
    assert all(bound <= problem.optimum * (1 + 1e-7) + 1e-12 for bound in bounds)
    assert bounds == sorted(bounds)
    # Points that occur more than once may leave a part that cannot be divided, which the search admits.
    if (problem.instance.rows.multiplicity == 1).all():
        assert search.proved
    if search.proved:
        assert search.sse == pytest.approx(problem.optimum, rel=1e-6, abs=1e-12)
    assert search.sse == pytest.approx(sum_of_squared_errors(problem.instance.points, search.labels))


@settings(max_examples=40)
@given(problems(), st.floats(0.5, 0.999))
def test_below_the_optimum_there_is_nothing(problem: Problem, share: float) -> None:
    """A search up to a ceiling below the optimum proves the ceiling as a bound, and no more."""
    if problem.optimum <= 0:
        return
    search = search_of(problem, share * problem.optimum)
    run(search, Stop())
    assert search.bound <= share * problem.optimum * (1 + ROUNDING)
    if (problem.instance.rows.multiplicity == 1).all():
        assert search.finished
        assert search.bound == pytest.approx(share * problem.optimum)


def hard(seed: int) -> tuple[Instance, IntArray, Columns, LinearBound]:
    """Eighty points around a few places, a start, columns near the bound, and it; the relaxation is fractional."""
    rng = np.random.default_rng(seed)
    colours = rng.choice(9, 80, p=[0.19, 0.17, 0.15, 0.13, 0.1, 0.09, 0.07, 0.06, 0.04])
    points = np.column_stack(
        [rng.integers(0, 40, 80) / 13, rng.integers(0, 2, 80) * 2.0, rng.integers(0, 9, 80) / 2.5]
    )
    instance = Instance(points, colours, 5)
    start = sorted_start(instance.points, instance.colours, 5)
    start = first_improvement(instance.points, instance.colours, start, stop=Stop())
    generation = open_generation(instance, start, default_solvers())
    while generation.step(Stop()):
        pass
    columns, _ = columns_near(generation, 0.1 * generation.bound.value, 6000, Stop())
    assert columns is not None
    return instance, start, columns, generation.bound


@pytest.mark.parametrize("least_violation", [0.05, 1.0])  # cuts, no cuts
def test_two_threads_find_what_one_finds(monkeypatch: pytest.MonkeyPatch, least_violation: float) -> None:
    """The same labels and the same bounds after the same number of parts."""
    monkeypatch.setattr("minv.colgen.relaxation._VIOLATED", least_violation)
    instance, start, columns, proof = hard(1)
    told = []
    for workers in (1, 2):
        search = Search(instance, start, columns, math.inf, GivesUp(), proof=proof, seed=5)
        told.append((run(search, Stop(), node_limit=30, workers=workers), search.labels.tolist()))
    assert told[0] == told[1]
    assert len(told[0][0]) > 3 or least_violation < 1  # the root alone ends it where there are many cuts


def test_a_search_without_time_claims_nothing() -> None:
    """The start stays, and so does the bound of 0."""
    instance, start, columns, proof = hard(1)
    search = Search(instance, start, columns, math.inf, GivesUp(), proof=proof, seed=0)
    run(search, Stop(time_limit=0.0))
    assert search.bound == 0.0
    assert not search.proved
    assert search.labels is start


@settings(max_examples=40)
@given(problems(), st.integers(0, 2**31 - 1))
def test_cuts_are_what_they_say(problem: Problem, seed: int) -> None:
    """Violated by the fractional solution as counted by hand; kept by every partition; paid for by columns."""
    instance = problem.instance
    columns, multiplicity = all_columns(instance), instance.rows.multiplicity
    dear = np.full(len(multiplicity), 1 + float(columns.costs.sum()))
    values = highs_vertex(columns.starts, columns.members, columns.costs, multiplicity, dear, time_limit=60.0)
    assert values is not None
    cuts = violated_cuts(columns, values, multiplicity, np.random.default_rng(seed), most=50, least=0.01)
    lines = np.split(columns.members, columns.starts[1:-1])
    counted = np.zeros((columns.number, cuts.number))
    for cut in range(cuts.number):
        places = zip(cuts.rows[cut].tolist(), cuts.numerators[cut].tolist(), strict=True)
        numerators = {row: times for row, times in places if times}
        assert cuts.right[cut] == sum(times * multiplicity[row] for row, times in numerators.items()) // int(
            cuts.denominators[cut]
        )
        for column, line in enumerate(lines):
            held = sum(numerators.get(row, 0) for row in line.tolist())
            counted[column, cut] = held // int(cuts.denominators[cut])
    assert (values @ counted > cuts.right + 0.01 - 1e-9).all()
    owners, held, times = holdings(columns, cuts, len(multiplicity))
    rebuilt = np.zeros_like(counted)
    rebuilt[owners, held] = times
    assert (rebuilt == counted).all()
    penalties = np.random.default_rng(seed).random(cuts.number)
    paid = priced(columns, np.zeros(len(multiplicity)), CutPenalties(cuts, penalties))
    assert paid == pytest.approx(columns.costs + counted @ penalties)


def test_pairs_of_points_that_occur_twice_are_not_divided() -> None:
    """Rows 0 and 1 share two thirds of a cluster, rows 1 and 2 one third; row 0 and 1 occur twice."""
    columns = Columns(np.array([0, 2, 4]), np.array([0, 1, 1, 2]), np.zeros(2))
    values = np.array([2 / 3, 1 / 3])
    assert fractional_pairs(columns, values, np.array([1, 1, 1])) == [(0, 1), (1, 2)]
    assert fractional_pairs(columns, values, np.array([2, 2, 1])) == [(1, 2)]
