"""Live progress on a terminal: phase, incumbent, bound, gap, elapsed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from minv.progress import Progress, ProgressCallback, silent


@contextmanager
def live_progress(*, quiet: bool) -> Iterator[ProgressCallback]:
    """Give a callback that shows each report on stderr, if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("starting") as status:
        yield lambda report: status.update(describe(report))


def describe(report: Progress) -> str:
    """Return one line about the state of the work."""
    parts = [report.phase]
    if report.incumbent_il is not None:
        parts.append(f"loss {report.incumbent_il:.4f} %")
    if report.bound_il is not None:
        parts.append(f"bound {report.bound_il:.4f} %")
    if report.gap is not None:
        parts.append(f"gap {100 * report.gap:.2f} %")
    parts.append(f"{report.elapsed:.0f} s")
    return " · ".join(parts)
