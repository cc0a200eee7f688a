"""Printing: results to stdout, everything else to stderr; hostile values cannot control the terminal."""

import json
from collections.abc import Iterable
from typing import Any

import typer


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


def tell_choice(asked: str, chosen: str | None, *, quiet: bool) -> None:
    """Print which solver `auto` chose, if there was anything to choose."""
    if asked == "auto" and chosen is not None and not quiet:
        note(f"solver auto: {chosen}")


def tell_gap(gap: float | None, asked: float | None, *, quiet: bool) -> bool:
    """Return whether the gap asked for was missed, and say so.

    Parameters
    ----------
    gap, asked
        Relative gaps; None where no bound was proved, and where none was asked for.
    """
    missed = asked is not None and (gap is None or gap > asked)
    if missed:
        found = "no bound was proved" if gap is None else f"the gap is {gap:.4g}"
        warn([f"{found}: the gap of {asked:g} that --gap asks for is not reached"], quiet=quiet)
    return missed
