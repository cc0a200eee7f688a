"""Errors become one line on standard error and an exit code; never a traceback."""

import functools
import json
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import typer

from minv_verifiers.errors import InputError, VerifierError


class _InterruptedError(VerifierError):
    """The user pressed Ctrl-C."""

    exit_code = 130


class _ProgramError(VerifierError):
    """A fault of the program."""

    exit_code = 70  # EX_SOFTWARE


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that ends with an exit code, whatever happens in it.

    Its parameter `as_json`, where it has one, decides how an error is told.
    """

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        with _noted_interrupt() as interrupted:
            try:
                command(*arguments, **options)
            except (typer.Exit, typer.Abort, typer.BadParameter, BrokenPipeError):
                raise
            except (Exception, KeyboardInterrupt) as error:
                own = _own(KeyboardInterrupt() if interrupted() else error)
                if isinstance(own, _ProgramError) and os.environ.get("MINV_DEBUG"):
                    raise
                tell(own, as_json=bool(options.get("as_json")))
                raise typer.Exit(own.exit_code) from None

    return run


def tell(error: VerifierError, *, as_json: bool) -> None:
    """Print an error: one line on standard error and, if asked for, one JSON object on standard output."""
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in str(error))
    typer.echo(f"minv-verify: error: {text}", err=True)
    if as_json:
        typer.echo(json.dumps({"schema_version": 1, "error": str(error), "exit_code": error.exit_code}))


@contextmanager
def _noted_interrupt() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C raise KeyboardInterrupt, and give a function that tells whether it was pressed.

    Libraries may turn that exception into one of their own.
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


def _own(error: BaseException) -> VerifierError:
    """Return the error as one that has an exit code."""
    if isinstance(error, VerifierError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return _InterruptedError("interrupted")
    if isinstance(error, MemoryError):
        return InputError("not enough memory for these tables; use a larger machine")
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return InputError(f"{name}{error.strerror or type(error).__name__}")
    last = traceback.extract_tb(error.__traceback__)[-1]  # type and place: the text may hold raw values
    place = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    return _ProgramError(f"internal error ({place}); please report this (MINV_DEBUG=1 shows details)")
