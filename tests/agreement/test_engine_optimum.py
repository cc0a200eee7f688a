"""Column generation against the optimum found by trying every partition, and the relaxation over every column."""

import numpy as np
import pytest
from coloured_clusters import feasible_clusters, squared_error
from cuts_by_definition import penalty_of
from hypothesis import given, settings
from scipy.optimize import linprog
from small_problems import ROUNDING, Problem, problems

from minv.colgen.exact import close_gap, open_generation
from minv.colgen.generation import ColumnGeneration
from minv.colgen.rounding import choose_partition
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.loss import sum_of_squared_errors
from minv.pricing.reduced_costs import least_reduced_cost
from minv.publish.engines import default_solvers
from minv.stopping import Stop


def relaxation(instance: Instance) -> float:
    """Optimum of the linear relaxation over all columns, by another solver."""
    rows = instance.rows
    clusters = feasible_clusters(rows.colours, instance.m, instance.max_size)
    cover = np.zeros((len(rows.points), len(clusters)))
    for column, members in enumerate(clusters):
        cover[list(members), column] = 1.0
    costs = np.array([squared_error(rows.points, members) for members in clusters])
    unit = float(costs.max()) or 1.0
    solution = linprog(costs / unit, A_eq=cover, b_eq=rows.multiplicity, method="highs-ds")
    assert solution.status == 0
    return float(solution.fun * unit)


def generate(problem: Problem) -> ColumnGeneration:
    """Column generation to its end, each bound on the way compared with the optimum."""
    generation = open_generation(problem.instance, problem.start, default_solvers())
    more = True
    while more:
        more = generation.step(Stop())
        assert generation.bound.value <= problem.optimum * (1 + ROUNDING) + 1e-12
        assert generation.iterations < 200
    return generation


@settings(max_examples=60)
@given(problems())
def test_the_linear_bound_is_the_relaxation_over_all_columns(problem: Problem) -> None:
    """To 0.01 %, from below, and below the integer optimum on the way."""
    generation = generate(problem)
    relaxed = relaxation(problem.instance)
    assert generation.bound.value <= relaxed * (1 + 1e-7) + 1e-12
    assert generation.bound.value >= relaxed * (1 - 2e-4) - 1e-9 * problem.instance.size


@settings(max_examples=40)
@given(problems())
def test_bounds_with_cuts_do_not_exceed_the_optimum(problem: Problem) -> None:
    """Nor are they below the bound without cuts; and their proof holds for every cluster."""
    generation = generate(problem)
    root = generation.bound.value
    random = np.random.default_rng(0)
    for _ in range(4):
        if not generation.cut(20, random):
            break
        while generation.step(Stop()):
            pass
        assert generation.bound.value <= problem.optimum * (1 + ROUNDING) + 1e-12
    assert generation.bound.value >= root
    check_proof(problem.instance, generation)


def check_proof(instance: Instance, generation: ColumnGeneration) -> None:
    """Every cluster's reduced cost under the proof's duals and penalties is at least minus its slack."""
    bound, rows = generation.bound, instance.rows
    for members in feasible_clusters(rows.colours, instance.m, instance.max_size):
        reduced = squared_error(rows.points, members) - bound.duals[list(members)].sum()
        reduced += penalty_of(bound.cuts, members)
        assert reduced >= -bound.slack - 1e-12 * max(1.0, float(np.abs(bound.duals).max()))
    cuts = bound.cuts.cuts
    right = (rows.multiplicity[cuts.rows] * cuts.numerators).sum(axis=1) // cuts.denominators
    value = rows.multiplicity @ bound.duals - right @ bound.cuts.penalties
    value -= instance.size // instance.m * bound.slack
    assert bound.value == pytest.approx(value, rel=1e-9, abs=1e-12)


@settings(max_examples=60)
@given(problems())
def test_a_closed_gap_is_the_optimum(problem: Problem) -> None:
    """Whatever the start and the unit of the points, and the bound is true."""
    closed = close_gap(
        problem.instance,
        problem.start,
        default_solvers(),
        Stop(),
        most_columns=10_000,
        cut_rounds=20,
        seed=0,
    )
    assert closed.proved
    assert closed.sse == pytest.approx(problem.optimum, rel=1e-6, abs=1e-12)
    assert closed.sse == pytest.approx(sum_of_squared_errors(problem.instance.points, closed.labels))
    assert closed.bound <= problem.optimum * (1 + ROUNDING) + 1e-12


@settings(max_examples=40)
@given(problems())
def test_columns_below_the_gap_hold_an_optimal_partition(problem: Problem) -> None:
    """Reduced-cost fixing: the integer program over those columns alone reaches the optimum."""
    generation = generate(problem)
    gap = sum_of_squared_errors(problem.instance.points, problem.start) - generation.bound.value
    columns = generation.columns_below(max(gap, 0.0), 100_000, Stop())
    assert columns is not None
    labels, _ = choose_partition(
        default_solvers().integer, problem.instance, columns, problem.start, time_limit=60.0
    )
    found = sum_of_squared_errors(problem.instance.points, labels)
    assert found == pytest.approx(problem.optimum, rel=1e-6, abs=1e-12)


def test_the_duals_of_the_bound_price_out_the_pool() -> None:
    """No column that the loop has seen is below the slack of the proof, on an instance of 60 points."""
    rng = np.random.default_rng(12)
    instance = Instance(rng.normal(size=(60, 3)), np.arange(60) % 9, 3)
    start = sorted_start(instance.points, instance.colours, 3)
    generation = open_generation(instance, start, default_solvers())
    while generation.step(Stop()):
        pass
    bound = generation.bound
    pool = generation.master.pool.columns
    assert least_reduced_cost(pool, bound.duals, bound.cuts) >= -bound.slack - 1e-12
    assert generation.gap <= 1e-4
