"""Printing: results to stdout, everything else to stderr; hostile values cannot control the terminal."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from minv.errors import UsageError


def note(text: str) -> None:
    """Print one line to stderr."""
    typer.echo(printable(text), err=True)


def say(lines: Iterable[str]) -> None:
    """Print result lines to stdout."""
    for line in lines:
        typer.echo(printable(line))


def say_json(figures: dict[str, Any]) -> None:
    """Print one JSON object to stdout."""
    typer.echo(json.dumps(figures, ensure_ascii=False, sort_keys=True))


def printable(text: str) -> str:
    """Return a text in one line without control characters."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def warn(warnings: Iterable[str], *, quiet: bool) -> None:
    """Print warnings to stderr unless the user wants quiet."""
    if not quiet:
        for warning in warnings:
            note(f"warning: {warning}")


def tell_choice(asked: str, chosen: str, *, quiet: bool) -> None:
    """Print which solver `auto` chose."""
    if asked == "auto" and not quiet:
        note(f"solver auto: {chosen}")


def refuse_public(*paths: Path | None) -> None:
    """Refuse to write a custodian's file into the public part of a series, by name or through stdout.

    Raises
    ------
    UsageError
        Naming the file.
    """
    for path in paths:
        if path is not None and _is_public(path.resolve()):
            raise UsageError(
                f"{path}: this file is the custodian's and must not lie in the public part of a series"
            )


def refuse_public_stdout() -> None:
    """Refuse to print a custodian's figures into a file in the public part of a series."""
    try:
        path = Path(f"/proc/self/fd/{sys.stdout.fileno()}").resolve()
    except (OSError, ValueError):
        return
    refuse_public(path)


def _is_public(path: Path) -> bool:
    return any(folder.name == "public" and (folder / "datapackage.json").exists() for folder in path.parents)
