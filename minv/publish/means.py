"""With what a run may work: solvers, effort, seed and workers, handed down together."""

from concurrent.futures import Executor
from dataclasses import dataclass

from minv.publish.engines import SolverChoice


@dataclass(frozen=True, slots=True)
class Means:
    """What all phases of a run share.

    Attributes
    ----------
    solver
        Who solves the linear and integer programs.
    effort
        Work units, whatever the machine and the number of workers; None where time limits the run.
    seed
        Of every random choice.
    workers, executor
        How many tasks are solved at a time, and by whom; None solves them here.
    """

    solver: SolverChoice
    effort: int | None
    seed: int
    workers: int = 1
    executor: Executor | None = None

    def units(self, parts: int = 1) -> int:
        """Return the effort of one of so many equal parts, rounded up; 0 where time limits the run."""
        return -(-(self.effort or 0) // parts)
