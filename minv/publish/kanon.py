"""k-anonymous classes of the rows of a table, by a published method or by our search, with their losses."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.encoding import encode
from minv.errors import UsageError
from minv.kanonymity import (
    coaa,
    gaa_cp,
    kaca,
    mdav,
    minimise_certainty_penalty,
    optimal_on_a_line,
    v_mdav,
)
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance
from minv.loss import (
    AverageClassSize,
    CertaintyPenalty,
    Discernibility,
    MixedRecords,
    QuasiIdentifier,
    information_loss,
    sum_of_squared_errors,
    total_sum_of_squares,
)
from minv.loss.tables import has_penalty, penalised, with_trees
from minv.publish.engine import Budget
from minv.publish.engines import SolverChoice, choose_solver
from minv.publish.microaggregation import microaggregate
from minv.publish.result import Status
from minv.stopping import Stop
from minv.tables.microdata import Microdata
from minv.tables.missing import MissingRules
from minv.tables.roles import Kind, Roles
from minv.tables.source import Source
from minv.tables.validation import read_microdata
from minv.wording import counted

OPTIMAL_GAP = 1e-6
SECONDS_FOR_A_GAP = 60.0  # where a gap is asked for but no limit
_ROUNDING = 1e-12  # of all SSE
MANY = 4  # times k: a class so large, with half of all rows, is hardly meant
Objective = Literal["sse", "ncp"]

ON_POINTS: dict[str, Callable[[FloatArray, int], IntArray]] = {"mdav": mdav, "v-mdav": v_mdav}
ON_RECORDS: dict[str, Callable[[list[QuasiIdentifier], int, int], IntArray]] = {
    "coaa": lambda attributes, k, _: coaa(MixedRecords(attributes), k),
    "kaca": kaca,
    "gaa-cp": lambda attributes, k, seed: gaa_cp(MixedRecords(attributes), k, seed),
}
METHODS = (*ON_RECORDS, *ON_POINTS, "optimise")


@dataclass(frozen=True, eq=False)
class Anonymisation:
    """k-anonymous classes of the rows of a table that have no missing value to drop.

    Attributes
    ----------
    microdata
        The rows, in the order of the input.
    labels
        (n,) class of each row, numbered by first appearance.
    objective
        What the method minimises.
    sse, sst
        Of the encoded quasi-identifiers.
    ncp
        Mean loss of a cell, 0..1; None where numbers are missing.
    seconds
        Wall seconds of the method.
    lower_bound_il
        Proved lower bound on IL over all partitions into classes of at least k; None where there is none.
    solver
        Who was to solve linear and integer programs; None where the method has none.
    """

    microdata: Microdata
    labels: IntArray
    k: int
    method: str
    objective: Objective
    seed: int
    sse: float
    sst: float
    ncp: float | None
    seconds: float
    lower_bound_il: float | None = None
    solver: str | None = None

    @property
    def il(self) -> float:
        """IL in percent."""
        return information_loss(self.sse, self.sst)

    @property
    def gap(self) -> float | None:
        """(IL - bound) / IL; 0 where IL is 0; None without a bound, as for NCP, which has none."""
        if self.objective == "ncp":
            return 0.0 if self.ncp == 0 else None
        if self.il <= 0:
            return 0.0
        return None if self.lower_bound_il is None else max(0.0, (self.il - self.lower_bound_il) / self.il)

    @property
    def status(self) -> Status:
        """`optimal` when the relative gap is within 1e-6."""
        return "optimal" if self.gap is not None and self.gap <= OPTIMAL_GAP else "feasible"

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.labels.max(initial=-1)) + 1

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the classes of little use although they are k-anonymous, for people."""
        rows, sizes = len(self.labels), np.bincount(self.labels, minlength=1)
        largest = int(sizes.max())
        if self.classes == 1 and 0 < rows < 2 * self.k:
            return (
                f"{counted(rows, 'row is', 'rows are')} fewer than 2k = {2 * self.k}: only one class is "
                "possible, and it tells no more"
                " than the range of each column",
            )
        if 2 * largest < rows or largest < MANY * self.k or self._lossless:
            return ()
        advice = "" if self.method == "optimise" else "; --method optimise divides it"
        if self.classes == 1:
            return (
                f"{self.method} left all {rows} rows in one class, which tells no more than the range of each"
                f" column{advice}",
            )
        return (
            f"{self.method} left {largest} of {rows} rows in one class, {largest / self.k:.0f} times k{advice}",
        )

    @property
    def _lossless(self) -> bool:
        """Whether no class could be divided with profit; SSE is compared with what rounding leaves."""
        return self.ncp == 0 or self.sse <= _ROUNDING * self.sst

    @property
    def discernibility(self) -> float:
        """Sum over rows of the size of their class."""
        return Discernibility().total(self.labels)

    @property
    def average_class_size(self) -> float:
        """Rows a class."""
        return AverageClassSize().total(self.labels)


def anonymise(
    source: Source,
    roles: Roles,
    k: int,
    *,
    objective: Objective | None = None,
    missing: MissingRules | None = None,
    budget: Budget | None = None,
) -> Anonymisation:
    """Read a table and partition its rows into classes of at least k.

    The methods see the rows sorted by content, so that their order in the table plays no part.

    Parameters
    ----------
    roles
        The sensitive column may be NO_COLUMN.
    objective
        Of `optimise`: by default SSE where all quasi-identifiers are numeric or ordinal, else NCP. The
        published methods have one of their own.
    budget
        Its method is one of METHODS; its limits hold for `optimise`.

    Raises
    ------
    UsageError
        An argument is out of range or names nothing, CPLEX is not installed, or has too many rows to solve for.
    DataError
        The table cannot be used.
    InfeasibleError
        There are fewer rows than k.
    """
    started = time.monotonic()
    budget = budget or Budget()
    solver = choose_solver(budget.solver, budget.solver_log)
    microdata = with_trees(read_microdata(source, roles, missing, number_trees=True))
    check_k(microdata.size, k)
    aim = _objective(budget.method, objective, microdata)
    points = encode(microdata.attributes)
    order = np.lexsort((microdata.colours, *points.T[::-1]))
    limit = budget.time_limit
    if limit is None and budget.effort is None and budget.gap > 0:
        limit = SECONDS_FOR_A_GAP
    if limit is not None:
        limit = max(0.0, limit - (time.monotonic() - started))
    stop = Stop(time_limit=limit, effort=budget.effort, gap=budget.gap, cancel=budget.cancel)
    found, bound = _partition(microdata.take(order), points[order], k, aim, budget, stop, solver)
    labels = np.empty(microdata.size, np.int64)
    labels[order] = found
    labels = by_first_appearance(labels)
    sse, sst = sum_of_squared_errors(points, labels), total_sum_of_squares(points)
    if np.bincount(labels).min() < k:  # nothing may be published on the word of one method alone
        raise AssertionError("a class has fewer than k rows")
    return Anonymisation(
        microdata,
        labels,
        k,
        budget.method,
        aim,
        budget.seed,
        sse,
        sst,
        _certainty_penalty(microdata, labels),
        stop.elapsed,
        None if bound is None else information_loss(min(bound, sse), sst),
        solver.name if budget.method == "optimise" and aim == "sse" else None,
    )


def _objective(method: str, wanted: Objective | None, microdata: Microdata) -> Objective:
    if method not in METHODS:
        raise UsageError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    if method == "optimise":
        generalised = any(
            attribute.kind is Kind.NOMINAL or attribute.hierarchy is not None
            for attribute in microdata.attributes
        )
        return wanted or ("ncp" if generalised else "sse")
    own: Objective = "sse" if method in ON_POINTS else "ncp"
    if wanted not in (None, own):
        raise UsageError(f"the method {method!r} looks at {own} only; --objective is for optimise")
    return own


def _partition(
    microdata: Microdata,
    points: FloatArray,
    k: int,
    objective: Objective,
    budget: Budget,
    stop: Stop,
    solver: SolverChoice,
) -> tuple[IntArray, float | None]:
    """Return classes, and a proved lower bound on SSE where there is one."""
    if budget.method in ON_POINTS:
        return ON_POINTS[budget.method](points, k), None
    if objective == "sse":
        if points.shape[1] == 1:
            labels = optimal_on_a_line(points[:, 0], k)
            return labels, sum_of_squared_errors(points, labels)
        found = microaggregate(
            points, k, seed=budget.seed, stop=stop, solver=solver, progress=budget.progress
        )
        return found.labels, found.bound
    attributes = penalised(microdata.attributes)
    if budget.method in ON_RECORDS:
        return ON_RECORDS[budget.method](attributes, k, budget.seed), None
    records = MixedRecords(attributes)
    return minimise_certainty_penalty(records, k, seed=budget.seed, stop=stop, progress=budget.progress), None


def _certainty_penalty(microdata: Microdata, labels: IntArray) -> float | None:
    if not has_penalty(microdata.attributes):
        return None
    return CertaintyPenalty(MixedRecords(penalised(microdata.attributes))).normalised(labels)
