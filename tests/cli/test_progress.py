"""Progress: on a terminal only, and what it says."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from minv.cli.progress import describe, live_progress
from minv.progress import Progress, silent

from .conftest import ROLES, write_table


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (Progress("start", 0.4), "start · 0 s"),
        (Progress("annealing", 12.0, 1.5), "annealing · loss 1.5000 % · 12 s"),
        (
            Progress("bound", 60.0, 1.5, 1.2, 0.2),
            "bound · loss 1.5000 % · bound 1.2000 % · gap 20.00 % · 60 s",
        ),
    ],
)
def test_line_of_a_report(report: Progress, line: str) -> None:
    assert describe(report) == line


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_is_shown_without_a_terminal(quiet: bool) -> None:
    with live_progress(quiet=quiet) as callback:
        assert callback is silent


@pytest.mark.parametrize("quiet", [False, True])
def test_live_on_a_terminal(tmp_path: Path, quiet: bool) -> None:
    """stderr is a terminal: the loss is shown there; stdout holds the result alone."""
    write_table(tmp_path / "table.csv")
    ours, theirs = pty.openpty()
    program = "from minv.cli import main; main()"
    arguments = [
        "partition",
        "table.csv",
        *ROLES,
        "--m",
        "2",
        "--time-limit",
        "1",
        "--workers",
        "1",
        "--json",
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments, *(["--quiet"] if quiet else [])],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    stdout, _ = process.communicate()
    assert process.returncode == 0
    assert stdout.startswith(b"{")
    assert (b"loss" in shown) is not quiet


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""
