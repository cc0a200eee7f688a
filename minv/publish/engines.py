"""Which solver and which pricer work on an instance."""

from minv.colgen.exact import Solvers
from minv.errors import UsageError
from minv.instance import Instance
from minv.pricing.box import BoxPricer
from minv.pricing.protocol import ExactPricer
from minv.pricing.release import ReleasePricer
from minv.solvers.highs import HighsMaster, HighsSetPartition

MOST_COORDINATES = 6  # beyond these the box search takes too long


def resolve_solver(name: str) -> str:
    """Return the solver that `name` stands for.

    Raises
    ------
    UsageError
        There is no such solver.
    """
    if name in ("auto", "highs"):
        return "highs"
    raise UsageError(f"there is no solver {name!r}; choose auto or highs")


def can_price(instance: Instance) -> bool:
    """Whether exact pricing, and with it a bound, is within reach."""
    return 0 < instance.dimension <= MOST_COORDINATES


def make_pricer(instance: Instance, tolerance: float) -> ExactPricer:
    """Return the exact pricer of an instance."""
    if instance.continues:
        return ReleasePricer(instance, tolerance=tolerance)
    rows = instance.rows
    return BoxPricer(rows.points, rows.colours, instance.m, instance.max_size, tolerance=tolerance)


def default_solvers() -> Solvers:
    """Return HiGHS for both masters and the box search for pricing."""
    return Solvers(HighsMaster, HighsSetPartition(), make_pricer)
