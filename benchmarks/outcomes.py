"""Solve once, verify, keep what the tracks read: asv runs a track in a process of its own."""

import traceback
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

Case = TypeVar("Case", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One verified solution. Losses in percent; `bound` is None where only the trivial one, 0, is known."""

    il: float
    bound: float | None = None

    @property
    def gap(self) -> float:
        """(IL - bound)/IL in percent: 100 where nothing is proved."""
        return 100 * max(0.0, self.il - (self.bound or 0.0)) / self.il if self.il > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no solution: the traceback, or that the data are not on this machine."""

    reason: str
    skipped: bool


Outcomes = dict[str, Outcome | Failed]


def solve_all(cases: Iterable[Case], solve: Callable[[Case], Outcome]) -> Outcomes:
    """Return what became of each case, by its name: one failure must not hide the other results."""
    return {str(case): _solve(case, solve) for case in cases}


def _solve(case: Case, solve: Callable[[Case], Outcome]) -> Outcome | Failed:
    try:
        return solve(case)
    except NotImplementedError as error:
        return Failed(str(error), skipped=True)
    except Exception:
        return Failed(traceback.format_exc(), skipped=False)


def outcome(outcomes: Outcomes, name: str) -> Outcome:
    """Return the solution of a case.

    Raises
    ------
    NotImplementedError
        The data are missing, which asv reports as "skipped" when raised by a setup.
    RuntimeError
        Solving or verifying failed, which asv reports as a failure.
    """
    found = outcomes[name]
    if isinstance(found, Outcome):
        return found
    if found.skipped:
        raise NotImplementedError(found.reason)
    raise RuntimeError(found.reason)
