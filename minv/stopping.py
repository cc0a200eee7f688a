"""When to stop: a deadline, a number of deterministic work units, a gap, a cancel token."""

import math
import threading
import time
from typing import Protocol

from minv.errors import UsageError


class Flag(Protocol):
    """An event of threads or of processes."""

    def set(self) -> None:
        """Raise the flag."""
        ...

    def is_set(self) -> bool:
        """Whether it is raised."""
        ...


class CancelToken:
    """A flag that another thread (or Ctrl-C) sets and long work looks at between its steps.

    Parameters
    ----------
    flag
        Shared with other processes; by default one of this process alone.
    """

    def __init__(self, flag: Flag | None = None) -> None:
        self._event = flag or threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop as soon as it can; it returns its incumbent."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()


class Stop:
    """The budget of one command, asked between units of work.

    Parameters
    ----------
    time_limit
        Wall seconds from now; None or infinite for no deadline.
    effort
        Deterministic work units, or None for no such limit. Work that is charged is the same on every
        machine, so a run limited by effort alone always gives the same result.
    gap
        Relative gap (IL - bound) / IL at which to stop.
    cancel
        A token to share with whoever may interrupt the work.

    Raises
    ------
    UsageError
        A limit is negative or not a number.
    """

    def __init__(
        self,
        *,
        time_limit: float | None = None,
        effort: int | None = None,
        gap: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> None:
        if time_limit is not None and not time_limit >= 0:
            raise UsageError("the time limit must be a number of seconds, 0 or more")
        if effort is not None and effort < 0:
            raise UsageError("the effort must be a whole number of work units, 0 or more")
        if not 0 <= gap < 1:
            raise UsageError("the gap must be at least 0 and below 1 (0.01 means 1 %)")
        self.gap = gap
        self.cancel = cancel or CancelToken()
        self._started = time.monotonic()
        self._deadline = math.inf if time_limit is None else self._started + time_limit
        self._effort = effort
        self._spent = 0

    @property
    def elapsed(self) -> float:
        """Wall seconds since this budget was made."""
        return time.monotonic() - self._started

    def remaining(self) -> float:
        """Wall seconds left (infinite without a deadline, 0 once cancelled)."""
        if self.cancel.cancelled:
            return 0.0
        return max(0.0, self._deadline - time.monotonic())

    def part(self, share: float, gap: float = 0.0) -> "Stop":
        """Return a budget of a share of the time that is left, which the same token and the same gap, or `gap`, end."""
        return Stop(time_limit=share * self.remaining(), gap=max(self.gap, gap), cancel=self.cancel)

    @property
    def effort_left(self) -> float:
        """Work units left (infinite without such a limit)."""
        return math.inf if self._effort is None else max(0, self._effort - self._spent)

    def charge(self, units: int) -> None:
        """Record `units` of deterministic work."""
        self._spent += units

    def reached(self, gap: float = math.inf) -> bool:
        """Whether to stop now, given the present relative `gap`."""
        return self.remaining() <= 0 or self.effort_left <= 0 or gap <= self.gap
