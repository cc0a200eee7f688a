"""The restricted master against the same linear program written out densely."""

import numpy as np
import pytest
from cuts_by_definition import times_held
from scipy.optimize import linprog

from minv.colgen.master import Master
from minv.colgen.pool import costed
from minv.pricing.cuts import RankOneCuts, subset_row_cuts
from minv.pricing.protocol import Columns
from minv.solvers.highs import HighsMaster

ROWS = 14


def random_columns(seed: int, number: int, scale: float = 1.0) -> Columns:
    """Clusters of three or four rows of random points, the first of which cover every row once."""
    rng = np.random.default_rng(seed)
    points = scale * np.random.default_rng(99).normal(size=(ROWS, 2))
    parts = list(np.array_split(rng.permutation(ROWS), 4))
    parts += [rng.choice(ROWS, rng.integers(3, 5), replace=False) for _ in range(number - 4)]
    starts = np.cumsum([0, *map(len, parts)]).astype(np.int64)
    return costed(points, starts, np.concatenate(parts))


def made(triples: np.ndarray) -> RankOneCuts:
    """The subset-row cuts on these rows, each of which occurs once."""
    return subset_row_cuts(triples, np.ones(ROWS, np.int64))


def times_in(columns: Columns, cuts: RankOneCuts) -> np.ndarray:
    """How often each column holds each cut: (cuts, columns)."""
    parts = np.split(columns.members, columns.starts[1:-1])
    return np.array([times_held(cuts, part.tolist()) for part in parts], float).T


def dense_optimum(columns: Columns, triples: np.ndarray) -> float:
    """Cover every row exactly once; hold every cut."""
    cover = np.zeros((ROWS, columns.number))
    owner = np.repeat(np.arange(columns.number), np.diff(columns.starts))
    cover[columns.members, owner] = 1.0
    cuts = times_in(columns, made(triples))
    unit = columns.costs.mean()
    solution = linprog(
        columns.costs / unit,
        A_ub=cuts if len(cuts) else None,
        b_ub=np.ones(len(cuts)) if len(cuts) else None,
        A_eq=cover,
        b_eq=np.ones(ROWS),
        method="highs-ds",
    )
    assert solution.status == 0
    return float(solution.fun * unit)


def settled(master: Master) -> tuple[float, np.ndarray]:
    """Objective and values once no row and no cut is broken any more."""
    for _ in range(100):
        solution = master.solve(tolerance=1e-9, time_limit=60.0)
        assert solution is not None
        if not master.raise_cut_prices() and solution.penalised <= 1e-8 * solution.objective:
            return solution.objective, solution.values
    raise AssertionError("the penalties never left the solution")


def master_with(columns: Columns, scale: float) -> Master:
    """Rows of equal shares."""
    master = Master(HighsMaster, np.ones(ROWS, np.int64), np.full(ROWS, 0.1 * scale**2))
    master.add(columns)
    return master


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
def test_prices_rise_until_the_master_is_the_program_itself(scale: float) -> None:
    """In any unit of the points."""
    columns = random_columns(1, 40, scale)
    objective, _ = settled(master_with(columns, scale))
    assert objective == pytest.approx(dense_optimum(columns, np.zeros((0, 3), int)), rel=1e-6)


def test_duals_and_values_are_those_of_an_optimum() -> None:
    """Every row is covered once, and no column of the pool has a negative reduced cost."""
    master = master_with(random_columns(2, 40), 1.0)
    columns = master.pool.columns
    _, values = settled(master)
    covered = np.bincount(columns.members, np.repeat(values, np.diff(columns.starts)), minlength=ROWS)
    np.testing.assert_allclose(covered, 1.0, atol=1e-5)
    solution = master.solve(tolerance=1e-9, time_limit=60.0)
    assert solution is not None
    assert solution.duals.sum() == pytest.approx(solution.objective, rel=1e-6)
    reduced = columns.costs - np.add.reduceat(solution.duals[columns.members], columns.starts[:-1])
    assert reduced.min() >= -1e-6


def test_columns_cuts_and_more_columns_in_any_order_are_one_program() -> None:
    """Columns that come after a cut are in it, those that are dropped leave it."""
    first, second = random_columns(3, 60), random_columns(4, 200)
    triples = np.array([[0, 1, 2], [2, 5, 9], [3, 4, 13]])
    master = master_with(first, 1.0)
    master.add_cuts(made(triples[:2]))
    objective, _ = settled(master)
    assert objective == pytest.approx(dense_optimum(first, triples[:2]), rel=1e-6)
    master.add(second)
    master.add_cuts(made(triples[2:]))
    objective, values = settled(master)
    pool = master.pool.columns
    assert objective == pytest.approx(dense_optimum(pool, triples), rel=1e-6)
    assert len(values) == pool.number
    assert (times_in(pool, made(triples)) @ values <= 1 + 1e-5).all()


def test_shrinking_keeps_what_the_solution_uses() -> None:
    """About a dozen columns a row stay, those of least reduced cost, so that the optimum is the same."""
    master = master_with(random_columns(5, 400), 1.0)
    triples = np.array([[0, 1, 2], [6, 7, 8]])
    master.add_cuts(made(triples))
    objective, _ = settled(master)
    before = master.pool.columns.number
    solution = master.solve(tolerance=1e-9, time_limit=60.0)
    assert solution is not None
    master.shrink(solution.duals, solution.cuts)
    pool = master.pool.columns
    assert pool.number == 12 * ROWS < before
    again, values = settled(master)
    assert again == pytest.approx(objective, rel=1e-6)
    assert again == pytest.approx(dense_optimum(pool, triples), rel=1e-6)
    assert len(values) == pool.number


def test_the_right_side_of_a_cut_is_half_the_multiplicity() -> None:
    """Rounded down."""
    triples = np.array([[0, 1, 2], [1, 2, 3], [0, 3, 4]])
    assert subset_row_cuts(triples, np.array([1, 1, 1, 2, 4])).right.tolist() == [1, 2, 3]
