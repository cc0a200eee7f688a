"""CPLEX as an optional extra: absent, limited, logging, interrupted."""

import io
import sys
import threading
from typing import Any

import numpy as np
import pytest

from minv.errors import UsageError
from minv.solvers import cplex_engine
from minv.solvers.cplex import CplexMaster, CplexSetPartition
from minv.solvers.cplex_engine import STATUS, CplexOptions
from minv.solvers.protocol import SolveStatus
from minv.stopping import CancelToken, Stop

REASON = "the extra minv[cplex] is not installed"


@pytest.fixture
def installed() -> None:
    """Skips where CPLEX is not."""
    pytest.importorskip("docplex", reason=REASON)
    pytest.importorskip("cplex", reason=REASON)


@pytest.mark.parametrize("absent", ["cplex", "docplex.mp.model"])
def test_without_cplex_the_error_names_the_extra(absent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install, with the exit code of a usage error."""
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(UsageError, match=r"minv\[cplex\]") as caught:
        CplexMaster(np.ones(1), np.ones(1))
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


def test_importing_our_modules_imports_no_cplex() -> None:
    """In a process of its own, where no other test has imported it."""
    import subprocess

    code = (
        "import sys, minv.solvers.cplex, minv.solvers.cplex_pricing; "
        "sys.exit(any(name.split('.')[0] in ('cplex', 'docplex') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_model_over_the_limit_is_refused_before_it_is_solved(
    installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its sizes and what to do."""
    monkeypatch.setattr(cplex_engine, "community", lambda: True)
    columns = 1001
    with pytest.raises(UsageError, match=r"1001 variables and 1 row\b") as caught:
        CplexSetPartition().solve(
            np.arange(columns + 1),
            np.zeros(columns, np.int64),
            np.ones(columns),
            np.ones(1, np.int64),
            start=None,
            time_limit=1.0,
            relative_gap=0.0,
            seed=1,
        )
    for remedy in ("more subsets", "full licence", "solver highs"):
        assert remedy in str(caught.value)


def test_a_refusal_by_cplex_itself_gives_the_same_advice(
    installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the licence changes under a running process."""
    if not cplex_engine.community():
        pytest.skip("a full CPLEX refuses nothing")
    monkeypatch.setattr(cplex_engine, "check_size", lambda *_, **__: None)
    model = cplex_engine.new_model("test")
    model.get_cplex().variables.add(obj=[1.0] * 1001)
    with pytest.raises(UsageError, match="Community Edition of CPLEX"):
        cplex_engine.solve(model, time_limit=10.0)


def hard_model() -> Any:
    """A quadratic program that takes CPLEX far longer than any test would wait."""
    model = cplex_engine.new_model("hard")
    points = np.random.default_rng(1).normal(size=(200, 6))
    engine = model.get_cplex()
    engine.variables.add(obj=[-50.0] * 200, types="B" * 200)
    engine.linear_constraints.add([[list(range(200)), [1.0] * 200]], senses="E", rhs=[12.0])
    squares = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    engine.objective.set_quadratic([[list(range(200)), row.tolist()] for row in squares])
    model.parameters.optimalitytarget = 3
    return model


def test_a_time_limit_holds(installed: None) -> None:
    """Set on the model; on the engine it would be lost."""
    stop = Stop()
    assert cplex_engine.solve(hard_model(), time_limit=0.5) in (SolveStatus.LIMIT, SolveStatus.FEASIBLE)
    assert stop.elapsed < 5.0


def test_cancelling_aborts_a_running_solve(installed: None) -> None:
    """From another thread, well before the time limit."""
    token = CancelToken()
    stop = Stop(cancel=token)
    timer = threading.Timer(0.5, token.cancel)
    timer.start()
    status = cplex_engine.solve(hard_model(), time_limit=60.0, stop=stop)
    timer.join()
    assert status in (SolveStatus.LIMIT, SolveStatus.FEASIBLE)
    assert stop.elapsed < 10.0


def test_logs_come_only_on_request(installed: None, capfd: pytest.CaptureFixture[str]) -> None:
    """To the stream asked for, and never to the program's output."""
    log = io.StringIO()
    for stream in (None, log):
        master = CplexMaster(np.ones(1), np.ones(1), CplexOptions(log=stream))
        master.add_columns(np.array([0, 1]), np.array([0]), np.ones(1), np.ones(1))
        assert master.solve(tolerance=1e-6, time_limit=10.0).objective == pytest.approx(1.0)
    output = capfd.readouterr()
    assert output.out == output.err == ""
    assert log.getvalue()


def test_threads_and_seed_reach_cplex(installed: None) -> None:
    """Seeds beyond CPLEX's range wrap round."""
    model = cplex_engine.new_model("test", CplexOptions(threads=2, seed=2_100_000_005))
    model.get_cplex().variables.add(obj=[1.0])
    cplex_engine.solve(model, time_limit=10.0)
    assert model.get_cplex().parameters.threads.get() == 2
    assert model.get_cplex().parameters.randomseed.get() == 5


def test_every_status_code_of_cplex_is_known(installed: None) -> None:
    """The numbers of the table mean what its comments say, by CPLEX's own names."""
    import cplex

    statuses = cplex.Cplex().solution.status
    for code, ours in STATUS.items():
        name = statuses[code].lower()
        if "infeasible" in name and "optimal" not in name:
            assert ours in (SolveStatus.LIMIT, SolveStatus.INFEASIBLE, SolveStatus.FAILED), name
        if name in ("optimal", "mip_optimal", "optimal_tolerance"):
            assert ours is SolveStatus.OPTIMAL, name
        if name.endswith("_feasible"):
            assert ours is SolveStatus.FEASIBLE, name
