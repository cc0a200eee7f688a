"""What a partition run returns."""

from dataclasses import dataclass, field
from typing import Literal

from minv.compiled import IntArray
from minv.publish.certificate import Certificate

Status = Literal["optimal", "feasible", "infeasible", "limit"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a method: IL after it and the wall seconds it took."""

    name: str
    il: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Partition:
    """A feasible partition with what is known about it.

    Attributes
    ----------
    labels
        (n,) class of each point, 0..K-1, numbered by first appearance.
    sse, sst, il
        The loss; IL in percent.
    lp_bound_il, lower_bound_il, certified_bound_il
        Proved lower bounds on IL over all feasible partitions: of the linear relaxation, the best known
        (cuts, branching, enumeration included), and what the certificate alone proves; None where there
        is none.
    status
        `optimal` when the relative gap is within 1e-6.
    certificate
        The proof of `certified_bound_il`, or None.
    """

    labels: IntArray
    m: int
    sse: float
    sst: float
    il: float
    method: str
    solver: str
    seed: int
    seconds: float
    status: Status
    lp_bound_il: float | None = None
    lower_bound_il: float | None = None
    certified_bound_il: float | None = None
    steps: tuple[Step, ...] = field(default=())
    certificate: Certificate | None = None

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.labels.max()) + 1 if len(self.labels) else 0

    @property
    def gap(self) -> float | None:
        """(IL - bound) / IL; 0 where IL is 0; None without a bound."""
        if self.il <= 0:
            return 0.0
        if self.lower_bound_il is None:
            return None
        return max(0.0, (self.il - self.lower_bound_il) / self.il)
