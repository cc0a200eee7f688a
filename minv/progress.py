"""What long work tells its caller while it runs."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """One report: losses are IL in percent, `gap` is relative, `elapsed` in wall seconds.

    `incumbent_il`, `bound_il` and `gap` are None until they exist.
    """

    phase: str
    elapsed: float
    incumbent_il: float | None = None
    bound_il: float | None = None
    gap: float | None = None


ProgressCallback = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Report nothing."""
