"""The solver that was asked for solves every program, or the command says why it cannot."""

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from coloured_clusters import assert_feasible

from minv.colgen.exact import open_generation
from minv.errors import UsageError
from minv.heuristics import tau
from minv.instance import Instance
from minv.publish import annealing, exact_search, neighbourhoods
from minv.publish.engines import SolverChoice, default_solvers, make_solvers, resolve_pricing, resolve_solver
from minv.publish.partition import METHODS, partition
from minv.publish.result import Partition
from minv.solvers import cplex_engine, highs
from minv.stopping import Stop

REASON = "the extra minv[cplex] is not installed"
RANDOM = np.random.default_rng(6)
POINTS = RANDOM.normal(size=(48, 3))
COLOURS = np.arange(48) % 8


@pytest.fixture
def installed() -> None:
    """Skips where CPLEX is not."""
    pytest.importorskip("docplex", reason=REASON)
    pytest.importorskip("cplex", reason=REASON)


@pytest.fixture
def community(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Community Edition, whatever is installed."""
    monkeypatch.setattr(cplex_engine, "community", lambda: True)


@pytest.fixture
def no_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS that refuses to work."""

    def refuse(*_: Any) -> None:
        pytest.fail("HiGHS solved a program that CPLEX was asked to solve")

    monkeypatch.setattr(highs, "silent_highs", refuse)


def solve(points: Any = POINTS, colours: Any = COLOURS, **options: Any) -> Partition:
    """With m = 3, one worker and little effort, unless told otherwise."""
    return partition(points, colours, 3, **{"workers": 1, "effort": 2, **options})


@pytest.fixture
def short_annealing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit of effort anneals for 20 000 moves."""
    monkeypatch.setattr(annealing, "MOVES_A_UNIT", 20_000)


def test_auto_is_highs_whatever_is_installed() -> None:
    """So that an extra that is installed later changes no result."""
    assert resolve_solver("auto") == resolve_solver("highs") == "highs"


@pytest.mark.parametrize("method", METHODS)
def test_without_cplex_every_method_refuses_it(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name of the extra, before anything is solved."""
    monkeypatch.setitem(sys.modules, "cplex", None)
    with pytest.raises(UsageError, match=r"minv\[cplex\]"):
        solve(method=method, solver="cplex")


def test_cplex_and_highs_close_the_same_instance(
    installed: None, no_highs: None, short_annealing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Optimal by both, with the same loss and bounds; HiGHS has no part in the run of CPLEX."""
    theirs = solve(POINTS[:24], COLOURS[:24], solver="cplex", effort=20)
    monkeypatch.undo()
    monkeypatch.setattr(annealing, "MOVES_A_UNIT", 20_000)
    ours = solve(POINTS[:24], COLOURS[:24], solver="highs", effort=20)
    assert (theirs.solver, ours.solver) == ("cplex", "highs")
    assert theirs.status == ours.status == "optimal"
    assert theirs.il == pytest.approx(ours.il, rel=1e-6)
    assert theirs.lower_bound_il == pytest.approx(ours.lower_bound_il, rel=1e-5)
    assert theirs.lp_bound_il == pytest.approx(ours.lp_bound_il, rel=1e-3)  # each stops at a gap of 0.01 %


def test_neighbourhoods_are_solved_by_cplex_too(
    installed: None, no_highs: None, short_annealing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In tables too large to be closed as a whole."""
    monkeypatch.setattr(exact_search, "SMALL", 10)
    asked: list[str] = []
    original = neighbourhoods.make_solvers

    def record(solver: SolverChoice, seed: int) -> Any:
        asked.append(solver.name)
        return original(solver, seed)

    monkeypatch.setattr(neighbourhoods, "make_solvers", record)
    found = solve(solver="cplex")
    assert_feasible(found.labels, COLOURS, 3)
    assert asked
    assert set(asked) == {"cplex"}


@pytest.mark.parametrize("pricing", ["box", "miqp", "milp"])
def test_papers_method_with_cplex_reaches_the_same_linear_bound(
    installed: None, no_highs: None, pricing: str
) -> None:
    """Whoever prices."""
    points, colours = POINTS[:12], COLOURS[:12]
    found = solve(points, colours, method="paper", solver="cplex", pricing=pricing)
    assert_feasible(found.labels, colours, 3)
    assert found.lp_bound_il is not None
    generation = open_generation(
        Instance(points, colours, 3), tau(points, colours, 3, 0), make_solvers(SolverChoice("cplex"), 0)
    )
    while generation.step(Stop()):
        pass
    optimum = 100 * generation.objective / float(((points - points.mean(axis=0)) ** 2).sum())
    assert found.lp_bound_il == pytest.approx(optimum, rel=2e-4)


def test_the_same_seed_gives_the_same_partition(installed: None, short_annealing: None) -> None:
    """Also by CPLEX."""
    for method in ("paper", "optimise"):
        first, second = (solve(method=method, solver="cplex", seed=3, subsets=4) for _ in range(2))
        np.testing.assert_array_equal(first.labels, second.labels)


def test_a_relaxation_over_the_limit_is_refused(community: None) -> None:
    """Before it is solved, with its size and what to do; and by this solver only."""
    points = np.arange(3 * 340.0)[:, None]
    colours = np.arange(3 * 340) % 3
    with pytest.raises(UsageError, match=r"master LP with 1020 rows.*Community Edition.*more subsets.*highs"):
        solve(points, colours, solver="cplex")


def test_programs_of_large_subsets_are_refused(community: None) -> None:
    """As the linear program has one variable a pair of points."""
    with pytest.raises(UsageError, match=r"pricing MILP with \d+ variables and \d+ rows.*more subsets"):
        solve(POINTS, COLOURS, method="paper", solver="cplex", pricing="milp")


def test_column_management_keeps_programs_within_the_limit(
    community: None, short_annealing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As though the Community Edition solved 60 rows and columns: masters and programs would have more."""
    monkeypatch.setattr(cplex_engine, "COMMUNITY_LIMIT", 60)
    monkeypatch.setattr("minv.solvers.cplex.COMMUNITY_LIMIT", 60)
    for method in ("paper", "optimise"):
        found = solve(POINTS[:24], COLOURS[:24], method=method, solver="cplex", pricing="box")
        assert_feasible(found.labels, COLOURS[:24], 3)
        assert found.lp_bound_il is not None


@pytest.mark.parametrize("room", [0, 2])
def test_cuts_stop_where_the_solver_has_no_room(room: int) -> None:
    """Of an instance that violates many more."""

    class Small(highs.HighsMaster):
        most_rows = len(POINTS) + room

    generation = open_generation(
        Instance(POINTS, COLOURS, 3), tau(POINTS, COLOURS, 3, 0), replace(default_solvers(), master=Small)
    )
    while generation.step(Stop()):
        pass
    random = np.random.default_rng(0)
    assert generation.cut(100, random) == room
    generation.step(Stop())
    assert generation.cut(100, random) == 0


def test_pricing_follows_the_solver() -> None:
    """The paper's program with CPLEX, our search without; and no program without a solver for it."""
    assert resolve_pricing("auto", "cplex") == "milp"
    assert resolve_pricing("auto", "highs") == "box"
    assert [resolve_pricing(name, "cplex") for name in ("box", "miqp", "milp")] == ["box", "miqp", "milp"]
    for name in ("miqp", "milp"):
        with pytest.raises(UsageError, match="choose the solver cplex"):
            resolve_pricing(name, "highs")
    with pytest.raises(UsageError, match=r"no pricing 'abacus'.*miqp"):
        solve(method="tau", pricing="abacus")
