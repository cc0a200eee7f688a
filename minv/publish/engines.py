"""Which solver and which pricer work on an instance."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from minv.colgen.covering import covering_of
from minv.colgen.exact import PricerFactory, Solvers
from minv.errors import UsageError
from minv.instance import Instance
from minv.pricing.alternating import AlternatingPricer
from minv.pricing.box import BoxPricer
from minv.pricing.integer import SizeBySizePricer
from minv.pricing.protocol import ExactPricer
from minv.pricing.release import ReleasePricer
from minv.solvers.cplex import CplexMaster, CplexSetPartition
from minv.solvers.cplex_engine import CplexOptions, check_size, require
from minv.solvers.cplex_pricing import SizeMilp, SizeMiqp
from minv.solvers.highs import HighsMaster, HighsSetPartition

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


def resolve_pricing(name: str, solver: str) -> Pricing:
    """Return the pricing of the method `paper` that `name` stands for with a (resolved) solver.

    Raises
    ------
    UsageError
        There is no such pricing, or not with this solver.
    """
    if name not in PRICINGS:
        raise UsageError(f"there is no pricing {name!r}; choose one of {', '.join(PRICINGS)}")
    if name == "auto":
        return "milp" if solver == "cplex" else "box"
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
    if instance.continues:
        return ReleasePricer(instance, tolerance=tolerance)
    rows = instance.rows
    make = BoxPricer if can_price(instance) else AlternatingPricer
    return make(rows.points, rows.colours, instance.m, instance.max_size, tolerance=tolerance)


def make_program_pricer(
    program: Callable[..., SizeMiqp | SizeMilp], options: CplexOptions, instance: Instance, tolerance: float
) -> SizeBySizePricer:
    """Return the pricer of an instance that has CPLEX solve one program a size.

    Raises
    ------
    UsageError
        The programs exceed the Community Edition.
    """
    rows = instance.rows
    spread = float((rows.points**2).mean()) if rows.points.size else 0.0
    return SizeBySizePricer(
        rows.points,
        rows.colours,
        instance.m,
        instance.max_size,
        program(rows.points, rows.colours, options).minimise,
        tolerance=max(tolerance, _PROGRAM_ACCURACY * spread),
    )


def default_solvers() -> Solvers:
    """Return HiGHS for both masters and the box search for pricing."""
    return Solvers(HighsMaster, HighsSetPartition(), make_pricer)


def make_solvers(solver: str, seed: int, pricing: Pricing = "box") -> Solvers:
    """Return who solves both masters, and who prices.

    Parameters
    ----------
    solver
        `highs` or `cplex`; see `resolve_solver`. Either works on one thread: processes share the machine.
    seed
        Of CPLEX. HiGHS is given one with each integer program.
    pricing
        See `resolve_pricing`.
    """
    if solver != "cplex":
        return default_solvers()
    options = CplexOptions(seed=seed)
    pricer: PricerFactory = make_pricer
    if pricing != "box":
        pricer = partial(make_program_pricer, _PROGRAMS[pricing], options)
    return Solvers(partial(CplexMaster, options=options), CplexSetPartition(options), pricer)
