"""Errors become one line on stderr and an exit code; never a traceback."""

import json
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import typer

from minv_datasets.cli.entry import INTERRUPTED, NOTHING_WRITTEN
from minv_datasets.errors import DataError, DatasetError, UsageError

_ParserError: Any = typer.BadParameter.__bases__[
    0
]  # the base of all usage errors, which typer does not export


class _InterruptedError(DatasetError):
    """The user pressed Ctrl-C."""

    exit_code = INTERRUPTED


class _ProgramError(DatasetError):
    """A fault of the program."""

    exit_code = 70  # EX_SOFTWARE


def run(app: typer.Typer, program: str, words: Sequence[str]) -> int:
    """Run a program with these words, and return its exit code."""
    try:
        code = app(args=list(words), prog_name=program, standalone_mode=False)
    except _ParserError as error:
        text = " ".join(error.format_message().replace("Value error, ", "").split()).rstrip(".")
        own = UsageError(f"{text[:1].lower()}{text[1:]}; see {program} --help")
        _tell(own, program, as_json="--json" in words)
        return own.exit_code
    return int(code or 0)


@contextmanager
def errors_as_exit_codes(program: str, *, as_json: bool = False) -> Iterator[None]:
    """End `program` with the exit code of an error, told in one line and, if asked for, as one JSON object."""
    with _noted_interrupt() as interrupted:
        try:
            yield
        except (typer.Exit, BrokenPipeError):
            raise
        except (Exception, KeyboardInterrupt) as error:
            own = _own(KeyboardInterrupt() if interrupted() else error)
            if isinstance(own, _ProgramError) and os.environ.get("MINV_DEBUG"):
                raise
            _tell(own, program, as_json=as_json)
            raise typer.Exit(own.exit_code) from None


@contextmanager
def _noted_interrupt() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C raise KeyboardInterrupt, and give a function that tells whether it was pressed.

    Libraries may turn that exception into one of their own: pandas takes it for a fault of the file.
    """
    came = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        raise KeyboardInterrupt

    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or previous is signal.SIG_IGN:
        yield lambda: came
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: came
    finally:
        signal.signal(signal.SIGINT, previous)


def _tell(error: DatasetError, program: str, *, as_json: bool) -> None:
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in str(error))
    typer.echo(f"{program}: {text}", err=True)
    if as_json:
        typer.echo(json.dumps({"schema_version": 1, "error": str(error), "exit_code": error.exit_code}))


def _own(error: BaseException) -> DatasetError:
    """Return the error as one that has an exit code."""
    if isinstance(error, DatasetError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return _InterruptedError(NOTHING_WRITTEN)
    if isinstance(error, MemoryError):
        return DataError("not enough memory for this table; use fewer rows, or a larger machine")
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return DataError(f"{name}{error.strerror or type(error).__name__}")
    last = traceback.extract_tb(error.__traceback__)[-1]  # type and place: the text may hold raw values
    place = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    return _ProgramError(f"internal error ({place}); please report this (MINV_DEBUG=1 shows details)")
