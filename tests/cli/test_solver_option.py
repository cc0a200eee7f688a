"""`--solver` on the command line: which one works, and what is said of it."""

import json
import sys
from pathlib import Path

import pytest

from .conftest import ROLES, Run, everything

PUBLISH = (*ROLES, "--id", "person", "--m", "2", "--series", "out")
OPTIMISE = ("--method", "optimise", "--effort", "2")


@pytest.mark.parametrize("command", ["partition", "publish"])
def test_auto_says_which_solver_it_chose(run: Run, table: Path, command: str) -> None:
    arguments = PUBLISH if command == "publish" else (*ROLES, "--m", "2")
    assert "solver auto: highs" in run(command, table, *arguments).stderr


@pytest.mark.parametrize("command", ["partition", "publish"])
def test_a_named_or_quiet_solver_says_nothing(run: Run, table: Path, command: str) -> None:
    arguments = PUBLISH if command == "publish" else (*ROLES, "--m", "2")
    assert "solver" not in run(command, table, *arguments, "--quiet").stderr
    assert "solver" not in run(command, table, *arguments, "--solver", "highs").stderr


@pytest.mark.parametrize("command", ["partition", "publish"])
def test_cplex_that_is_not_installed_is_exit_2(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setitem(sys.modules, "cplex", None)
    before = everything(work)
    arguments = PUBLISH if command == "publish" else (*ROLES, "--m", "2")
    outcome = run(command, table, *arguments, "--solver", "cplex")
    assert outcome.code == 2
    assert "minv[cplex]" in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    assert everything(work) == before


def test_a_later_release_needs_the_solver_too(run: Run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("publish", table, *PUBLISH)
    monkeypatch.setitem(sys.modules, "cplex", None)
    outcome = run("publish", table, *PUBLISH, "--solver", "cplex")
    assert outcome.code == 2
    assert "minv[cplex]" in outcome.stderr


@pytest.mark.parametrize("method", ["paper", "optimise"])
def test_cplex_publishes(run: Run, table: Path, method: str) -> None:
    pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")
    outcome = run(
        "publish", table, *PUBLISH, "--solver", "cplex", "--method", method, "--effort", "1", "--json"
    )
    assert outcome.code == 0
    assert json.loads(outcome.stdout)["solver"] == "cplex"


def test_pricing_by_a_program_needs_its_solver(run: Run, table: Path) -> None:
    outcome = run("partition", table, *ROLES, "--m", "2", "--method", "paper", "--pricing", "milp")
    assert outcome.code == 2
    assert "choose the solver cplex" in outcome.stderr


def test_cplex_publishes_later_releases_without_highs(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")

    def refuse(*_: object) -> None:
        pytest.fail("HiGHS solved a program that CPLEX was asked to solve")

    monkeypatch.setattr("minv.solvers.highs.silent_highs", refuse)
    options = ("--solver", "cplex", "--method", "optimise", "--effort", "1", "--json")
    figures = [json.loads(run("publish", table, *PUBLISH, *options).stdout) for _ in range(2)]
    assert [found["solver"] for found in figures] == ["cplex", "cplex"]
    assert figures[1]["lp_bound_il"] is not None


def test_the_log_of_the_solver_is_written_on_request_only(run: Run, table: Path, work: Path) -> None:
    """Anew by every command, for its owner; never into the public part of a series."""
    log = work / "solver.log"
    run("partition", table, *ROLES, "--m", "2", *OPTIMISE)
    assert not log.exists()
    log.write_text("of an earlier run")
    outcome = run("partition", table, *ROLES, "--m", "2", "--solver-log", log, "--json", *OPTIMISE)
    assert outcome.code == 0
    json.loads(outcome.stdout)
    assert "== HiGHS: master LP" in log.read_text()
    assert "earlier" not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0
    assert run("publish", table, *PUBLISH).code == 0
    assert run("publish", table, *PUBLISH, "--solver-log", "out/public/solver.log").code == 2
    outcome = run("partition", table, *ROLES, "--m", "2", "--solver-log", work / "no" / "folder.log")
    assert outcome.code == 3
    assert outcome.stderr.count("\n") == 1


def test_cplex_writes_its_log_too(run: Run, table: Path, work: Path) -> None:
    pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")
    log = work / "solver.log"
    options = ("--solver", "cplex", "--solver-log", log, *OPTIMISE)
    assert run("partition", table, *ROLES, "--m", "2", *options).code == 0
    assert "== CPLEX: master LP" in log.read_text()


def test_later_releases_are_priced_by_programs_on_request(run: Run, table: Path, work: Path) -> None:
    pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")
    log = work / "solver.log"
    options = ("--solver", "cplex", "--json", "--solver-log", log, *OPTIMISE)
    assert run("publish", table, *PUBLISH, *options).code == 0
    outcome = run("publish", table, *PUBLISH, *options, "--pricing", "miqp")
    assert outcome.code == 0
    assert json.loads(outcome.stdout)["lp_bound_il"] is not None
    assert "== CPLEX: pricing MIQP" in log.read_text()
    assert run("publish", table, *PUBLISH, "--pricing", "miqp").code == 2


@pytest.mark.parametrize("command", ["kanon", "reproduce"])
def test_kanon_and_reproduce_need_the_solver_that_is_named(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setitem(sys.modules, "cplex", None)
    arguments = (table, "--qi", "age", "--k", "2") if command == "kanon" else ("4",)
    outcome = run(command, *arguments, "--solver", "cplex")
    assert outcome.code == 2
    assert "minv[cplex]" in outcome.stderr
    assert outcome.stderr.count("\n") == 1


def test_kanon_names_its_solver_where_it_has_programs(run: Run, table: Path) -> None:
    arguments = (table, "--qi", "age", "--k", "2", "--json")
    optimised = run("kanon", *arguments, "--time-limit", "5")
    assert "solver auto: highs" in optimised.stderr
    assert json.loads(optimised.stdout)["solver"] == "highs"
    published = run("kanon", *arguments, "--method", "mdav")
    assert "solver" not in published.stderr
    assert json.loads(published.stdout)["solver"] is None


def test_the_coaa_experiments_refuse_a_solver(run: Run) -> None:
    outcome = run("reproduce", "coaa", "--solver", "highs")
    assert outcome.code == 2
    assert "solves no linear or integer programs" in outcome.stderr
