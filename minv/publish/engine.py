"""What a release asks of the optimisation, and what it gets back."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from minv.compiled import IntArray
from minv.errors import UsageError
from minv.progress import ProgressCallback, silent
from minv.publish.result import Partition
from minv.stopping import CancelToken

Counterfeits = Literal["balance", "eligibility", "forbid"]


@dataclass(frozen=True, slots=True)
class Budget:
    """How hard to try: the options that `publish`, `partition` and `kanon` have in common.

    Attributes
    ----------
    time_limit
        Wall seconds, or None.
    gap
        Relative gap at which to stop.
    effort
        Deterministic work units, or None.
    workers
        Processes, or None for one a core.
    solver, solver_log
        Who solves linear and integer programs, and the file for what the solver says, or None.
    pricing
        Of the method `paper` and of releases after the first; see `resolve_pricing`.
    """

    method: str = "optimise"
    time_limit: float | None = None
    gap: float = 0.0
    effort: int | None = None
    workers: int | None = None
    seed: int = 0
    solver: str = "auto"
    solver_log: Path | None = None
    pricing: str = "auto"
    progress: ProgressCallback = silent
    cancel: CancelToken = field(default_factory=CancelToken)


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be added to or left out of a release so that it has a partition.

    Attributes
    ----------
    counterfeits
        `balance`: only to complete required signatures; `eligibility`: also to make new persons m-eligible;
        `forbid`: none.
    price
        Of a counterfeit, in squared distance; None minimises their number first.
    deletions
        Number of new persons that may be left out.
    """

    counterfeits: Counterfeits = "balance"
    price: float | None = None
    deletions: int = 0

    def __post_init__(self) -> None:
        if self.counterfeits not in ("balance", "eligibility", "forbid"):
            raise UsageError("--counterfeits must be balance, eligibility or forbid")
        if self.price is not None and not 0 <= self.price < float("inf"):
            raise UsageError("the price of a counterfeit must be a number, 0 or more")
        if self.deletions < 0:
            raise UsageError("the number of deletions must be 0 or more")


@dataclass(frozen=True, eq=False)
class Solution:
    """A partition of the points of a plan.

    Attributes
    ----------
    partition
        Its labels are NO_CLASS for deleted points.
    counterfeits
        Class and colour of each counterfeit.
    deleted
        Points that are left out.
    """

    partition: Partition
    counterfeits: tuple[tuple[int, int], ...] = ()
    deleted: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
