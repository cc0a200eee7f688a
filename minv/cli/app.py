"""The program `minv`: its commands, one module each."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from minv.cli.check import check
from minv.cli.guard import guarded
from minv.cli.kanon import kanon
from minv.cli.partition import partition
from minv.cli.publish import publish
from minv.cli.reproduce import reproduce
from minv.cli.series import series

app = typer.Typer(
    name="minv",
    help="Publish a changing table of people again and again: m-invariant and tau-safe, at the least loss.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
_COMMANDS = (
    check,
    publish,
    series,
    partition,
    kanon,
    reproduce,
)
for command in _COMMANDS:
    app.command(command.__name__)(guarded(command))


def _print_version(wanted: bool) -> None:
    if wanted:
        from minv import __version__

        typer.echo(f"minv {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Publish a changing table of people again and again: m-invariant and tau-safe, at the least loss."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit.

    Raises
    ------
    SystemExit
        Always, with the exit code of the contract.
    """
    app(args=list(sys.argv[1:] if arguments is None else arguments), prog_name="minv")
