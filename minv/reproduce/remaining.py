"""How long the jobs that are left will take."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from minv.reproduce.runs import Job


class Remaining:
    """Estimates the wall seconds that are left: from jobs of the same kind, until there is one from the limits.

    Parameters
    ----------
    jobs
        All of them.
    at_once
        How many run at a time.
    """

    def __init__(self, jobs: Sequence[Job], at_once: int) -> None:
        self._left = Counter(job.kind for job in jobs)
        self._most = {job.kind: job.most_seconds for job in jobs}
        self._taken: defaultdict[tuple[int, str, int], list[float]] = defaultdict(list)
        self._at_once = at_once

    def finish(self, job: Job, seconds: float) -> None:
        """Learn that a job took so many wall seconds."""
        self._left[job.kind] -= 1
        self._taken[job.kind].append(seconds)

    @property
    def seconds(self) -> float:
        """Wall seconds from now to the end, about."""
        total = sum(number * self._expected(kind) for kind, number in self._left.items())
        return total / min(self._at_once, max(1, self._left.total()))

    def _expected(self, kind: tuple[int, str, int]) -> float:
        taken = self._taken[kind]
        return sum(taken) / len(taken) if taken else self._most[kind]


def in_words(seconds: float) -> str:
    """Return a duration, rounded to what one wants to know: `40 s`, `12 min`."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
