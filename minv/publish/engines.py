"""Which solver and which pricer work on an instance."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from minv.colgen.covering import covering_of
from minv.colgen.exact import PricerFactory, Solvers
from minv.compiled import BoolArray, FloatArray, IntArray
from minv.errors import UsageError
from minv.instance import Instance
from minv.pricing.alternating import AlternatingPricer
from minv.pricing.box import BoxPricer
from minv.pricing.heuristic_first import HeuristicFirst
from minv.pricing.integer import MinimiseSize, SizeBySizePricer
from minv.pricing.integer_signature import SignaturePrograms
from minv.pricing.protocol import ExactPricer
from minv.pricing.release import ReleasePricer
from minv.pricing.signature import SignaturePricer
from minv.solvers.cplex import CplexMaster, CplexSetPartition
from minv.solvers.cplex_engine import CplexOptions, check_size, require
from minv.solvers.cplex_pricing import SizeMilp, SizeMiqp
from minv.solvers.highs import HighsMaster, HighsSetPartition
from minv.solvers.log import SolverLog, begin_log

MOST_COORDINATES = 6  # beyond these the box search takes too long
PRICINGS = ("auto", "box", "miqp", "milp")
_PROGRAM_ACCURACY = 1e-6  # of CPLEX's bounds, in units of the mean squared coordinate
_PROGRAMS: dict[str, type[SizeMiqp] | type[SizeMilp]] = {"miqp": SizeMiqp, "milp": SizeMilp}

Pricing = Literal["box", "miqp", "milp"]


def resolve_solver(name: str) -> str:
    """Return the solver that `name` stands for: `auto` is HiGHS, whatever is installed.

    Raises
    ------
    UsageError
        There is no such solver, or it is not installed.
    """
    if name == "cplex":
        require()
        return name
    if name in ("auto", "highs"):
        return "highs"
    raise UsageError(f"there is no solver {name!r}; choose auto, highs or cplex")


@dataclass(frozen=True, slots=True)
class SolverChoice:
    """Who solves linear and integer programs, and the file that receives what the solver says, if any.

    Attributes
    ----------
    name
        `highs` or `cplex`.
    """

    name: str
    log: Path | None = None

    @property
    def stream(self) -> SolverLog | None:
        """The log, to append to."""
        return None if self.log is None else SolverLog(self.log)


HIGHS = SolverChoice("highs")


def choose_solver(name: str, log: Path | None = None) -> SolverChoice:
    """Return the solver that `name` stands for, with its log, which begins anew.

    Raises
    ------
    UsageError
        There is no such solver, it is not installed, or the log cannot be written.
    """
    chosen = SolverChoice(resolve_solver(name), log)
    if log is not None:
        begin_log(log)
    return chosen


def resolve_pricing(name: str, solver: str, *, later: bool = False) -> Pricing:
    """Return the pricing of the method `paper`, or of a later release, that `name` stands for with a (resolved) solver.

    Raises
    ------
    UsageError
        There is no such pricing, or not with this solver.
    """
    if name not in PRICINGS:
        raise UsageError(f"there is no pricing {name!r}; choose one of {', '.join(PRICINGS)}")
    if name == "auto":
        return "milp" if solver == "cplex" and not later else "box"
    if name != "box" and solver != "cplex":
        raise UsageError(f"the pricing {name!r} is a program for CPLEX: choose the solver cplex too")
    return "box" if name == "box" else "miqp" if name == "miqp" else "milp"


def can_price(instance: Instance) -> bool:
    """Whether exact pricing, and with it a bound, is within reach."""
    return 0 < instance.dimension <= MOST_COORDINATES


def check_relaxation(instance: Instance, solver: str) -> None:
    """Refuse an instance whose linear relaxation has more rows than the (resolved) solver takes.

    Raises
    ------
    UsageError
        With the number of rows and what to do.
    """
    if solver == "cplex":
        check_size("master LP", rows=len(covering_of(instance).multiplicity))


def make_pricer(instance: Instance, tolerance: float) -> ExactPricer:
    """Return the exact pricer of an instance, or the heuristic one where it has too many coordinates."""
    make = BoxPricer if instance.continues or can_price(instance) else AlternatingPricer

    def make_free(points: FloatArray, colours: IntArray) -> ExactPricer:
        return make(points, colours, instance.m, instance.max_size, tolerance=tolerance)

    if not instance.continues:
        return make_free(instance.rows.points, instance.rows.colours)
    make_signature = partial(SignaturePricer, tolerance=tolerance)
    return ReleasePricer(instance, make_free, make_signature, tolerance=tolerance)


def make_program_pricer(
    program: type[SizeMiqp] | type[SizeMilp], options: CplexOptions, instance: Instance, tolerance: float
) -> ExactPricer:
    """Return the pricer of an instance that has CPLEX solve one program a size.

    In a first release a heuristic answers as long as it finds columns
    (docs/decisions/0017-heuristic-before-programs.md).

    Raises
    ------
    UsageError
        The programs exceed the Community Edition.
    """
    spread = float((instance.points**2).mean()) if instance.points.size else 0.0
    tolerance = max(tolerance, _PROGRAM_ACCURACY * spread)

    def minimiser(points: FloatArray, colours: IntArray, anchors: BoolArray | None = None) -> MinimiseSize:
        return program(points, colours, options, anchors).minimise

    def make_free(points: FloatArray, colours: IntArray) -> ExactPricer:
        programs = minimiser(points, colours)
        return SizeBySizePricer(points, colours, instance.m, instance.max_size, programs, tolerance=tolerance)

    rows = instance.rows
    if instance.continues:
        make_signature = partial(SignaturePrograms, make_program=minimiser, tolerance=tolerance)
        return ReleasePricer(instance, make_free, make_signature, tolerance=tolerance)
    quick = AlternatingPricer(rows.points, rows.colours, instance.m, instance.max_size, tolerance=tolerance)
    return HeuristicFirst(quick, make_free(rows.points, rows.colours))


def default_solvers() -> Solvers:
    """Return HiGHS for both masters and the box search for pricing."""
    return make_solvers(HIGHS, 0)


def make_solvers(solver: SolverChoice, seed: int, pricing: Pricing = "box") -> Solvers:
    """Return who solves both masters, and who prices.

    Parameters
    ----------
    solver
        Either works on one thread: processes share the machine.
    seed
        Of CPLEX. HiGHS is given one with each integer program.
    pricing
        See `resolve_pricing`.
    """
    if solver.name != "cplex":
        return Solvers(partial(HighsMaster, log=solver.stream), HighsSetPartition(solver.stream), make_pricer)
    options = CplexOptions(seed=seed, log=solver.stream)
    pricer: PricerFactory = make_pricer
    if pricing != "box":
        pricer = partial(make_program_pricer, _PROGRAMS[pricing], options)
    return Solvers(partial(CplexMaster, options=options), CplexSetPartition(options), pricer)
