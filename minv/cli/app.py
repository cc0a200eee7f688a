"""The program `minv`: its commands, one module each."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from minv.cli.check import check
from minv.cli.guard import error_document, guarded, note_error
from minv.cli.kanon import kanon
from minv.cli.output import say_json
from minv.cli.partition import partition
from minv.cli.publish import publish
from minv.cli.reproduce import reproduce
from minv.cli.series import series
from minv.errors import UsageError

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

_ParserError: Any = typer.BadParameter.__bases__[
    0
]  # the base of all usage errors, which typer does not export


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


def run(words: Sequence[str]) -> int:
    """Run the command that these words ask for, and return the exit code of the contract."""
    try:
        code = app(args=list(words), prog_name="minv", standalone_mode=False)
    except _ParserError as error:
        if not words:  # its text is the help
            error.show()
            return UsageError.exit_code
        own = UsageError(_one_line(error))
        note_error(own, show_values=False)
        if "--json" in words:
            say_json(error_document(own))
        return own.exit_code
    return int(code or 0)


def _one_line(error: Any) -> str:
    """Return what the parser found wrong, and where to look."""
    text = error.format_message().replace("Value error, ", "").strip().rstrip(".")
    command = error.ctx.command_path if error.ctx else "minv"
    return f"{text[:1].lower()}{text[1:]}; see {command} --help"
