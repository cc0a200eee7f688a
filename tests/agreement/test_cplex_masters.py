"""CPLEX and HiGHS solve the same masters."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from minv.solvers.cplex import CplexMaster, CplexSetPartition
from minv.solvers.highs import HighsMaster, HighsSetPartition
from minv.solvers.protocol import LinearSolution, MasterSolver, SolveStatus

pytest.importorskip("docplex", reason="the extra minv[cplex] is not installed")
pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")


class Cover(NamedTuple):
    """Columns of three or four rows each, over rows that occur once or twice."""

    starts: np.ndarray
    rows: np.ndarray
    costs: np.ndarray
    rhs: np.ndarray


def random_cover(seed: int, rows: int, columns: int) -> Cover:
    """Two disjoint covers of all rows among the columns make the program feasible, whatever the rest."""
    rng = np.random.default_rng(seed)
    parts = [part for _ in range(2) for part in np.array_split(rng.permutation(rows), rows // 3)]
    while len(parts) < columns:
        parts.append(rng.choice(rows, rng.integers(3, 5), replace=False))
    starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
    return Cover(starts, np.concatenate(parts), rng.random(len(parts)) + 0.1, rng.integers(1, 3, rows))


def solve(make: Callable[[np.ndarray, np.ndarray], MasterSolver], cover: Cover) -> LinearSolution:
    """Of the LP with expensive columns of single rows in front, as the penalties of a master are."""
    rows = len(cover.rhs)
    master = make(cover.rhs.astype(float), cover.rhs.astype(float))
    master.add_columns(np.arange(rows + 1), np.arange(rows), np.ones(rows), np.full(rows, 50.0))
    master.add_columns(cover.starts, cover.rows, np.ones(len(cover.rows)), cover.costs)
    return master.solve(tolerance=1e-9, time_limit=60.0)


def check_optimal(cover: Cover, solution: LinearSolution) -> None:
    """Primal and dual feasible, at equal objectives."""
    rows = len(cover.rhs)
    values = solution.values[rows:]
    covered = np.bincount(cover.rows, np.repeat(values, np.diff(cover.starts)), minlength=rows)
    np.testing.assert_allclose(covered + solution.values[:rows], cover.rhs, atol=1e-6)
    assert values.min() >= -1e-9
    reduced = cover.costs - np.add.reduceat(solution.duals[cover.rows], cover.starts[:-1])
    assert reduced.min() >= -1e-6
    assert solution.duals @ cover.rhs == pytest.approx(solution.objective, rel=1e-6)


@pytest.mark.parametrize(("rows", "columns"), [(12, 40), (60, 500), (150, 4000)])
def test_the_same_linear_optimum(rows: int, columns: int) -> None:
    """The largest has four times the columns that the Community Edition solves at a time."""
    cover = random_cover(rows, rows, columns)
    ours, theirs = solve(CplexMaster, cover), solve(HighsMaster, cover)
    assert ours.status is theirs.status is SolveStatus.OPTIMAL
    check_optimal(cover, ours)
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-7)


def test_a_master_that_grows_and_shrinks_stays_the_same() -> None:
    """Every operation of the protocol, on both, with the optimum compared after each."""
    first, second = random_cover(1, 30, 80), random_cover(2, 30, 1500)
    bounds = first.rhs.astype(float)
    masters: list[MasterSolver] = [CplexMaster(bounds, bounds), HighsMaster(bounds, bounds)]

    def both(operation: Callable[[MasterSolver], object]) -> None:
        for master in masters:
            operation(master)
        ours, theirs = (master.solve(tolerance=1e-9, time_limit=60.0) for master in masters)
        assert ours.status is theirs.status is SolveStatus.OPTIMAL
        assert ours.objective == pytest.approx(theirs.objective, rel=1e-6)
        assert len(ours.values) == len(theirs.values)
        assert len(ours.duals) == len(theirs.duals)

    def columns(cover: Cover) -> Callable[[MasterSolver], None]:
        return lambda master: master.add_columns(
            cover.starts, cover.rows, np.ones(len(cover.rows)), cover.costs
        )

    both(lambda master: master.add_columns(np.arange(31), np.arange(30), np.ones(30), np.full(30, 9.0)))
    both(columns(first))
    both(columns(second))
    cut_columns = np.arange(40, 100, 3)
    both(
        lambda master: master.add_rows(
            np.array([0, 10, 20]), cut_columns, np.ones(20), np.array([-np.inf, 0.5]), np.array([0.3, np.inf])
        )
    )
    both(lambda master: master.change_costs(np.arange(35, 60), np.full(25, 0.01)))
    both(lambda master: master.keep_columns(np.r_[0:30, 50:1400]))
    both(lambda master: master.keep_rows(np.r_[0:30, 31]))
    both(lambda master: master.keep_rows(np.arange(30)))
    both(lambda master: master.keep_columns(np.arange(30)))


def test_an_infeasible_master_is_said_to_be() -> None:
    """One row with no column to cover it."""
    master = CplexMaster(np.ones(2), np.ones(2))
    master.add_columns(np.array([0, 1]), np.array([0]), np.ones(1), np.ones(1))
    solution = master.solve(tolerance=1e-6, time_limit=60.0)
    assert solution.status is SolveStatus.INFEASIBLE
    assert len(solution.values) == len(solution.duals) == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_same_integer_optimum(seed: int) -> None:
    """Whose columns cover every row exactly, at the cost that is told."""
    cover = random_cover(seed, 24, 200)
    answers = [
        solver.solve(*cover, start=None, time_limit=60.0, relative_gap=0.0, seed=1)
        for solver in (CplexSetPartition(), HighsSetPartition())
    ]
    for answer in answers:
        assert answer.status is SolveStatus.OPTIMAL
        members = np.concatenate([cover.rows[cover.starts[j] : cover.starts[j + 1]] for j in answer.chosen])
        np.testing.assert_array_equal(np.bincount(members, minlength=24), cover.rhs)
        assert answer.objective == pytest.approx(cover.costs[answer.chosen].sum())
        assert answer.bound == pytest.approx(answer.objective, rel=1e-6)
    assert answers[0].objective == pytest.approx(answers[1].objective, rel=1e-9)


def test_a_start_survives_an_immediate_limit() -> None:
    """With no time at all, the known solution, or a better one, comes back."""
    cover = random_cover(3, 90, 900)
    known = np.arange(30)  # the first of the two disjoint covers
    answer = CplexSetPartition().solve(
        cover.starts,
        cover.rows,
        cover.costs,
        np.ones(90, np.int64),
        start=known,
        time_limit=0.0,
        relative_gap=0.0,
        seed=1,
    )
    assert answer.status in (SolveStatus.FEASIBLE, SolveStatus.OPTIMAL)
    assert answer.objective <= cover.costs[known].sum() + 1e-9
    assert answer.bound <= answer.objective


def test_an_infeasible_cover_is_said_to_be() -> None:
    """Two columns that overlap in the middle row."""
    answer = CplexSetPartition().solve(
        np.array([0, 2, 4]),
        np.array([0, 1, 1, 2]),
        np.ones(2),
        np.ones(3, np.int64),
        start=None,
        time_limit=60.0,
        relative_gap=0.0,
        seed=1,
    )
    assert answer.status is SolveStatus.INFEASIBLE
    assert len(answer.chosen) == 0
