"""Errors become one line on stderr and an exit code; never a traceback."""

import functools
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from minv.cli.interrupts import noted_interrupt
from minv.cli.output import note, say_json
from minv.errors import CancelledError, DataError, InfeasibleError, LimitError, MinvError

_STATUS = {InfeasibleError.exit_code: "infeasible", LimitError.exit_code: "limit"}


class _ProgramError(MinvError):
    """A fault of the program."""

    exit_code = 70  # EX_SOFTWARE


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that ends with an exit code, whatever happens in it.

    Its parameters `json_output` and `show_values`, where it has them, decide how an error is told.
    """

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        with noted_interrupt() as interrupted:
            try:
                command(*arguments, **options)
            except (typer.Exit, typer.Abort, typer.BadParameter):
                raise
            except (Exception, KeyboardInterrupt) as error:
                own = _own(KeyboardInterrupt() if interrupted() else error)
                if isinstance(own, _ProgramError) and os.environ.get("MINV_DEBUG"):
                    raise
                note_error(own, show_values=bool(options.get("show_values")))
                if options.get("json_output"):
                    say_json(error_document(own))
                raise typer.Exit(own.exit_code) from None

    return run


def note_error(error: MinvError, *, show_values: bool) -> None:
    """Print an error in one line; its notes may quote values of the table."""
    notes = getattr(error, "__notes__", ()) if show_values else ()
    note(f"error: {error}" + (f" ({'; '.join(notes)})" if notes else ""))


def error_document(error: MinvError) -> dict[str, Any]:
    """Return what `--json` prints of an error."""
    document: dict[str, Any] = {"schema_version": 1, "error": str(error), "exit_code": error.exit_code}
    if error.exit_code in _STATUS:
        document["status"] = _STATUS[error.exit_code]
    return document


def _own(error: BaseException) -> MinvError:
    """Return the error in the terms of the contract."""
    if isinstance(error, MinvError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return CancelledError("interrupted")
    if isinstance(error, MemoryError):
        return DataError("not enough memory for this table; use fewer rows or columns, or a larger machine")
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return DataError(f"{name}{error.strerror or type(error).__name__}")
    return _ProgramError(f"{_place(error)}; please report this (MINV_DEBUG=1 shows details)")


def _place(error: BaseException) -> str:
    """Return type and place of an unexpected error; its text may hold raw values."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error ({type(error).__name__} at {Path(last.filename).name}:{last.lineno})"
