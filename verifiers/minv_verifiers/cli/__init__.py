"""The command `minv-verify`."""

import sys

import typer

from minv_verifiers import __version__
from minv_verifiers.cli.attack import attack_command
from minv_verifiers.cli.certificate import certificate_command
from minv_verifiers.cli.rules import list_rules
from minv_verifiers.cli.verify import verify_command
from minv_verifiers.errors import VerifierError

_DEFAULT = "verify"

app = typer.Typer(
    name="minv-verify",
    help="Judge published series of microdata. What is no command is judged: `minv-verify SERIES` is"
    " `minv-verify verify SERIES`; see `minv-verify verify --help`. Exit codes: 0 fine, 1 violated, 2 usage, 3 bad or"
    " insufficient data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)
app.command(_DEFAULT)(verify_command)
app.command("attack")(attack_command)
app.command("certificate")(certificate_command)
app.command("rules")(list_rules)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minv-verify {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Judge published series of microdata."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and exit with its code; what is no command is the input of `verify`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    commands = {command.name for command in app.registered_commands}
    if words and words[0] not in commands and words[0] not in ("--help", "--version"):
        words.insert(0, _DEFAULT)
    try:
        app(args=words, prog_name="minv-verify")
    except VerifierError as error:
        typer.echo(f"minv-verify: error: {error}", err=True)
        raise SystemExit(error.exit_code) from None
    return 0
