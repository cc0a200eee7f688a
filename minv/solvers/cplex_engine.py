"""What all models for CPLEX share: import on demand, the Community Edition's limit, parameters, statuses.

CPLEX and DOcplex are an optional extra and import nothing until a model is made.
"""

import os
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as NotYet
from functools import cache
from io import TextIOBase
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minv.compiled import FloatArray
from minv.errors import UsageError
from minv.solvers.protocol import UNLIMITED, SolveStatus
from minv.stopping import Stop
from minv.wording import counted

AnyArray = NDArray[Any]

COMMUNITY_LIMIT = 1000  # variables, and rows, of the free Community Edition
_COMMUNITY_ERROR = 1016
_LARGEST_SEED = 2_100_000_000
_POLL_SECONDS = 0.05
_NO_LIMIT = 1e75

STATUS = {
    # linear programs
    1: SolveStatus.OPTIMAL,
    2: SolveStatus.FAILED,  # unbounded: no master is, so a numerical failure
    3: SolveStatus.INFEASIBLE,
    4: SolveStatus.INFEASIBLE,  # or unbounded
    5: SolveStatus.FAILED,  # optimal only after scaling
    6: SolveStatus.FAILED,  # stopped for numerical difficulties
    10: SolveStatus.LIMIT,  # iterations
    11: SolveStatus.LIMIT,  # time
    12: SolveStatus.LIMIT,  # objective
    13: SolveStatus.LIMIT,  # aborted
    25: SolveStatus.LIMIT,  # deterministic time
    # integer programs
    101: SolveStatus.OPTIMAL,
    102: SolveStatus.OPTIMAL,  # within the gap asked for
    103: SolveStatus.INFEASIBLE,
    104: SolveStatus.FEASIBLE,  # number of solutions
    105: SolveStatus.FEASIBLE,  # nodes
    106: SolveStatus.LIMIT,
    107: SolveStatus.FEASIBLE,  # time
    108: SolveStatus.LIMIT,
    109: SolveStatus.FEASIBLE,  # failure
    110: SolveStatus.FAILED,
    111: SolveStatus.FEASIBLE,  # memory for the tree
    112: SolveStatus.LIMIT,
    113: SolveStatus.FEASIBLE,  # aborted
    114: SolveStatus.LIMIT,
    115: SolveStatus.FEASIBLE,  # optimal only after scaling
    116: SolveStatus.FEASIBLE,  # memory
    117: SolveStatus.LIMIT,
    118: SolveStatus.FAILED,  # unbounded
    119: SolveStatus.INFEASIBLE,  # or unbounded
    131: SolveStatus.FEASIBLE,  # deterministic time
    132: SolveStatus.LIMIT,
}
"""What CPLEX's status codes mean here; any other is a failure."""


def require() -> tuple[Any, Any]:
    """Import and return the modules `cplex` and `docplex.mp.model`.

    Raises
    ------
    UsageError
        One of them is not installed.
    """
    # Ctrl-C belongs to the program, which asks the work to stop, not to the solver.
    os.environ.setdefault("CPLEX_PY_DISABLE_SIGHANDLER", "1")
    try:
        import cplex
        import docplex.mp.model as modelling
    except ImportError as error:
        raise UsageError(
            "the solver cplex is not installed: install the extra minv[cplex] (the free Community Edition), "
            "or choose the solver highs"
        ) from error
    return cplex, modelling


@cache
def community() -> bool:
    """Whether the CPLEX that is installed is the Community Edition."""
    _, modelling = require()
    return bool(modelling.Model.is_cplex_ce())


def most_of_either() -> int:
    """Return how many variables, and how many rows, the CPLEX that is installed solves."""
    return COMMUNITY_LIMIT if community() else UNLIMITED


def check_size(task: str, *, rows: int, variables: int = 0) -> None:
    """Refuse a model that the Community Edition would not solve, before it is made.

    Raises
    ------
    UsageError
        With the sizes and what to do.
    """
    if max(variables, rows) > COMMUNITY_LIMIT and community():
        sizes = counted(rows, "row")
        if variables:
            sizes = f"{counted(variables, 'variable')} and {sizes}"
        raise UsageError(_limit_message(f"the {task} with {sizes} is"))


class CplexOptions(NamedTuple):
    """How CPLEX works: its threads (0 for as many as it likes), its seed, and where its own output goes."""

    threads: int = 1
    seed: int = 0
    log: TextIOBase | None = None


def new_model(task: str, options: CplexOptions | None = None) -> Any:
    """Return an empty DOcplex model.

    Parameters must be set on the model: those of its engine are overwritten when it is solved.

    Raises
    ------
    UsageError
        CPLEX is not installed.
    """
    options = options or CplexOptions()
    _, modelling = require()
    model = modelling.Model(name=task, ignore_names=True, checker="off", log_output=options.log or False)
    if options.log is not None:
        options.log.write(f"== CPLEX: {task}\n")
    model.parameters.threads = options.threads
    model.parameters.randomseed = options.seed % _LARGEST_SEED
    return model


def solve(model: Any, *, time_limit: float, stop: Stop | None = None) -> SolveStatus:
    """Solve in a thread of its own, so that signals arrive and `stop` can abort it.

    Raises
    ------
    UsageError
        The model is larger than the Community Edition allows.
    """
    cplex, _ = require()
    engine = model.get_cplex()
    model.parameters.timelimit = min(max(0.0, time_limit), _NO_LIMIT)
    with cplex.Aborter() as aborter, ThreadPoolExecutor(1) as pool:
        engine.use_aborter(aborter)
        solving = pool.submit(_solve, model)
        try:
            while not _ended(solving):
                if stop is not None and stop.remaining() <= 0:
                    aborter.abort()
        finally:
            aborter.abort()
            wait([solving])
            engine.remove_aborter()
    return STATUS.get(engine.solution.get_status(), SolveStatus.FAILED)


def compressed(starts: AnyArray, indices: AnyArray, values: AnyArray) -> list[list[list[Any]]]:
    """Return compressed vectors in the engine's form; it takes no numpy numbers."""
    flat_indices, flat_values = indices.tolist(), values.tolist()
    return [[flat_indices[begin:end], flat_values[begin:end]] for begin, end in pairwise(starts.tolist())]


def to_array(values: Any) -> FloatArray:
    """Return the numbers that the engine answered with."""
    return np.fromiter(values, np.float64, len(values))


def _ended(solving: "Future[None]") -> bool:
    try:
        solving.result(_POLL_SECONDS)
    except NotYet:
        return False
    return True


def _solve(model: Any) -> None:
    """Solve, with the Community Edition's refusal as our error."""
    import cplex.exceptions
    from docplex.mp.utils import DOcplexLimitsExceeded

    try:
        model.solve()
    except DOcplexLimitsExceeded as error:
        raise UsageError(_limit_message(f"the {model.name} is")) from error
    except cplex.exceptions.CplexSolverError as error:
        if len(error.args) > 2 and error.args[2] == _COMMUNITY_ERROR:
            raise UsageError(_limit_message(f"the {model.name} is")) from error
        raise


def _limit_message(subject: str) -> str:
    return (
        f"{subject} too large for the Community Edition of CPLEX, which solves up to {COMMUNITY_LIMIT} variables "
        f"and {COMMUNITY_LIMIT} rows: use more subsets, a full licence of CPLEX, or the solver highs"
    )
