"""HiGHS behind our protocols: small models with known answers, a dense rebuild, starts that must not bind."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

from minv.colgen.exact import open_generation
from minv.colgen.pool import columns_of_partition
from minv.compiled import IntArray
from minv.heuristics import random_bucket
from minv.instance import Instance
from minv.pricing.protocol import joined
from minv.publish.engines import default_solvers
from minv.solvers.highs import HighsMaster, HighsSetPartition
from minv.solvers.protocol import IntegerSolution, LinearSolution, SolveStatus
from minv.stopping import Stop

INFINITE = np.inf


def solve(master: HighsMaster) -> LinearSolution:
    """To a tight tolerance."""
    return master.solve(tolerance=1e-9, time_limit=60.0)


def choose(
    parts: list[list[int]],
    costs: list[float],
    rhs: list[int],
    *,
    start: list[int] | None = None,
    relative_gap: float = 0.0,
) -> IntegerSolution:
    """Cover the rows by parts."""
    return HighsSetPartition().solve(
        np.cumsum([0, *map(len, parts)]),
        np.concatenate(parts),
        np.array(costs),
        np.array(rhs),
        start=None if start is None else np.array(start),
        time_limit=60.0,
        relative_gap=relative_gap,
        seed=0,
    )


# --- the master ------------------------------------------------------------------------------------------------


def triangle() -> HighsMaster:
    """Three rows, their pairs at cost 2 and single rows at cost 3: the pairs are taken half, at cost 3 in all."""
    master = HighsMaster(np.ones(3), np.ones(3))
    master.add_columns(
        np.array([0, 2, 4, 6, 7, 8, 9]),
        np.array([0, 1, 1, 2, 0, 2, 0, 1, 2]),
        np.ones(9),
        np.array([2.0, 2.0, 2.0, 3.0, 3.0, 3.0]),
    )
    return master


def test_a_triangle_is_covered_by_half_pairs() -> None:
    """Every row's dual is 1."""
    solution = solve(triangle())
    assert solution.status is SolveStatus.OPTIMAL
    assert solution.objective == pytest.approx(3.0, rel=1e-6)
    np.testing.assert_allclose(solution.values, [0.5, 0.5, 0.5, 0, 0, 0], atol=1e-5)
    np.testing.assert_allclose(solution.duals, 1.0, atol=1e-5)


def test_a_cut_on_the_triangle_has_a_dual_of_at_most_zero() -> None:
    """One pair at most: one pair and one single row cost 5."""
    master = triangle()
    master.add_rows(np.array([0, 3]), np.array([0, 1, 2]), np.ones(3), np.array([-INFINITE]), np.array([1.0]))
    solution = solve(master)
    assert solution.objective == pytest.approx(5.0, rel=1e-6)
    assert solution.duals[3] < -1.0
    assert solution.duals[:3].sum() + solution.duals[3] == pytest.approx(5.0, rel=1e-5)


def test_an_infeasible_master_has_no_values() -> None:
    """A row that no column covers."""
    master = HighsMaster(np.ones(2), np.ones(2))
    master.add_columns(np.array([0, 1]), np.array([0]), np.ones(1), np.ones(1))
    solution = solve(master)
    assert solution.status is SolveStatus.INFEASIBLE
    assert len(solution.values) == len(solution.duals) == 0


class Dense(NamedTuple):
    """The same linear program as full arrays."""

    matrix: np.ndarray
    costs: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def optimum(self) -> float:
        """By scipy, inequalities from both sides."""
        above, below = np.isfinite(self.upper), np.isfinite(self.lower)
        rows = np.concatenate([self.matrix[above], -self.matrix[below]])
        sides = np.concatenate([self.upper[above], -self.lower[below]])
        solution = linprog(self.costs, A_ub=rows, b_ub=sides, method="highs-ds")
        assert solution.status == 0
        return float(solution.fun)


def compressed(matrix: np.ndarray) -> tuple[IntArray, IntArray, np.ndarray]:
    """Columns of a dense array: starts, rows, values."""
    columns, rows = np.nonzero(matrix.T)
    counts = np.bincount(columns, minlength=matrix.shape[1])
    return np.concatenate([[0], np.cumsum(counts)]), rows, matrix.T[columns, rows]


@pytest.mark.parametrize("seed", range(8))
def test_every_change_leaves_the_program_that_a_dense_rebuild_has(seed: int) -> None:
    """Columns and rows come and go in random order; after each step the optimum and the lengths agree."""
    rng = np.random.default_rng(seed)
    dense = Dense(np.eye(6), np.full(6, 10.0), np.ones(6), np.ones(6))
    master = HighsMaster(dense.lower, dense.upper)
    master.add_columns(*compressed(dense.matrix), dense.costs)
    for step in rng.permutation(["columns", "rows", "costs", "keep rows", "keep columns"] * 3):
        dense = change(master, dense, str(step), rng)
        solution = solve(master)
        assert solution.status is SolveStatus.OPTIMAL
        assert solution.objective == pytest.approx(dense.optimum(), rel=1e-6)
        assert solution.values.shape == dense.costs.shape
        assert solution.duals.shape == dense.lower.shape
        np.testing.assert_allclose(
            dense.matrix @ solution.values,
            np.clip(dense.matrix @ solution.values, dense.lower, dense.upper),
            atol=1e-5,
        )


def change(master: HighsMaster, dense: Dense, step: str, rng: np.random.Generator) -> Dense:
    """Make one change to both; the six first columns and rows, which keep it feasible, stay."""
    rows, columns = dense.matrix.shape
    if step == "columns":
        fresh = (rng.random((rows, 7)) < 0.4) * rng.choice([1.0, 2.0], (rows, 7))
        costs = rng.random(7) + 0.2
        master.add_columns(*compressed(fresh), costs)
        return dense._replace(
            matrix=np.hstack([dense.matrix, fresh]), costs=np.concatenate([dense.costs, costs])
        )
    if step == "rows":
        fresh = (rng.random((2, columns)) < 0.4) * 1.0
        fresh[:, :6] = 0.0  # what single columns cover is never cut off
        upper = np.array([0.5, 1.0])
        lower = np.full(2, -INFINITE)
        master.add_rows(*compressed(fresh.T), lower, upper)
        return Dense(
            np.vstack([dense.matrix, fresh]),
            dense.costs,
            np.concatenate([dense.lower, lower]),
            np.concatenate([dense.upper, upper]),
        )
    if step == "costs":
        chosen = rng.choice(columns, min(4, columns), replace=False)
        costs = dense.costs.copy()
        costs[chosen] = rng.random(len(chosen)) * 5 + 0.2
        master.change_costs(chosen, costs[chosen])
        return dense._replace(costs=costs)
    if step == "keep rows":
        keep = np.flatnonzero((np.arange(rows) < 6) | (rng.random(rows) < 0.6))
        master.keep_rows(keep)
        return Dense(dense.matrix[keep], dense.costs, dense.lower[keep], dense.upper[keep])
    keep = np.flatnonzero((np.arange(columns) < 6) | (rng.random(columns) < 0.7))
    master.keep_columns(keep)
    return dense._replace(matrix=dense.matrix[:, keep], costs=dense.costs[keep])


# --- the integer program ---------------------------------------------------------------------------------------

PAIRS = [[0, 1], [1, 2], [2, 3], [0, 3], [0, 2], [1, 3]]


def test_the_cheapest_perfect_matching_is_chosen() -> None:
    """Of four rows."""
    solution = choose(PAIRS, [1.0, 5.0, 1.5, 5.0, 2.0, 2.0], [1, 1, 1, 1])
    assert solution.status is SolveStatus.OPTIMAL
    assert solution.chosen.tolist() == [0, 2]
    assert solution.objective == pytest.approx(2.5)
    assert solution.bound == pytest.approx(2.5)


def test_a_column_is_chosen_as_often_as_its_rows_occur() -> None:
    """Two rows that occur twice, one pair."""
    solution = choose([[0, 1], [0], [1]], [1.0, 2.0, 2.0], [2, 2])
    assert solution.chosen.tolist() == [0, 0]
    assert solution.objective == pytest.approx(2.0)


def test_what_cannot_be_covered_is_infeasible() -> None:
    """Three rows by pairs."""
    solution = choose([[0, 1], [1, 2], [0, 2]], [1.0, 1.0, 1.0], [1, 1, 1])
    assert solution.status is SolveStatus.INFEASIBLE
    assert len(solution.chosen) == 0


@pytest.mark.parametrize("start", [[0, 2], [1, 3], [4, 5]])
def test_any_start_leads_to_the_optimum(start: list[int]) -> None:
    """A good one, and bad ones."""
    solution = choose(PAIRS, [1.0, 5.0, 1.5, 5.0, 2.0, 2.0], [1, 1, 1, 1], start=start)
    assert solution.status is SolveStatus.OPTIMAL
    assert solution.chosen.tolist() == [0, 2]


def test_a_repeated_start_is_understood() -> None:
    """A column that the start chooses twice."""
    solution = choose([[0, 1], [0], [1]], [3.0, 1.0, 1.0], [2, 2], start=[0, 0])
    assert sorted(solution.chosen.tolist()) == [1, 1, 2, 2]


class Restricted(NamedTuple):
    """A restricted master of a random instance with a bad start at its end."""

    starts: IntArray
    members: IntArray
    costs: np.ndarray
    rhs: IntArray
    start: IntArray

    def solve(self, *, start: bool, time_limit: float = 120.0, relative_gap: float = 0.0) -> IntegerSolution:
        """With the start or without any."""
        return HighsSetPartition().solve(
            self.starts,
            self.members,
            self.costs,
            self.rhs,
            start=self.start if start else None,
            time_limit=time_limit,
            relative_gap=relative_gap,
            seed=1,
        )

    @property
    def start_cost(self) -> float:
        """Cost of the start."""
        return float(self.costs[self.start].sum())


def restricted(seed: int, n: int) -> Restricted:
    """Columns of column generation, and a partition at random as the start."""
    rng = np.random.default_rng(seed)
    instance = Instance(rng.normal(size=(n, 2)), rng.permutation(np.arange(n) % 7), 3)
    labels = random_bucket(instance.points, instance.colours, 3, seed)
    generation = open_generation(instance, labels, default_solvers())
    while generation.step(Stop()):
        pass
    rows = instance.rows
    pool = generation.master.pool.columns
    known = columns_of_partition(rows.points, rows.row_of_point, labels)
    everything = joined([pool, known])
    start = pool.number + np.arange(known.number)
    return Restricted(everything.starts, everything.members, everything.costs, rows.multiplicity, start)


@pytest.mark.parametrize(("seed", "n"), [(0, 60), (1, 78), (2, 96)])
def test_a_bad_start_does_not_end_the_search(seed: int, n: int) -> None:
    """The optimum is the one that is found without a start, far below the start.

    With its presolve, HiGHS 1.16 stops at the start of each of these.
    """
    problem = restricted(seed, n)
    free, started = problem.solve(start=False), problem.solve(start=True)
    assert free.status is started.status is SolveStatus.OPTIMAL
    assert free.objective < 0.5 * problem.start_cost
    assert started.objective == pytest.approx(free.objective, rel=1e-6)
    for solution in (free, started):
        assert solution.bound <= solution.objective * (1 + 1e-9)
        assert solution.objective == pytest.approx(problem.costs[solution.chosen].sum())
        check_cover(problem, solution.chosen)


def test_without_time_the_start_is_what_is_left() -> None:
    """Or something better; optimality is not claimed."""
    problem = restricted(3, 66)
    solution = problem.solve(start=True, time_limit=0.0)
    if len(solution.chosen):
        check_cover(problem, solution.chosen)
        assert solution.objective <= problem.start_cost * (1 + 1e-9)
        assert solution.status is not SolveStatus.OPTIMAL or solution.objective < problem.start_cost
    else:
        assert solution.status is SolveStatus.LIMIT


def test_a_gap_may_end_the_search_early() -> None:
    """Within the gap that was allowed."""
    problem = restricted(1, 78)
    optimum = problem.solve(start=False).objective
    solution = problem.solve(start=True, relative_gap=0.05)
    assert optimum * (1 - 1e-9) <= solution.objective <= 1.0527 * optimum


def check_cover(problem: Restricted, chosen: IntArray) -> None:
    """Every row as often as it occurs."""
    lengths = np.diff(problem.starts)
    times = np.bincount(chosen, minlength=len(lengths))
    covered = np.bincount(problem.members, np.repeat(times, lengths), minlength=len(problem.rhs))
    np.testing.assert_array_equal(covered, problem.rhs)
