"""The program `minv-verify`: its commands, one module each."""

from collections.abc import Sequence
from typing import Any

import typer

from minv_verifiers import __version__
from minv_verifiers.cli.attack import attack_command
from minv_verifiers.cli.certificate import certificate_command
from minv_verifiers.cli.guard import guarded, tell
from minv_verifiers.cli.rules import list_rules
from minv_verifiers.cli.verify import verify_command
from minv_verifiers.errors import UsageError

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
app.command(_DEFAULT)(guarded(verify_command))
app.command("attack")(guarded(attack_command))
app.command("certificate")(guarded(certificate_command))
app.command("rules")(guarded(list_rules))

_ParserError: Any = typer.BadParameter.__bases__[
    0
]  # the base of all usage errors, which typer does not export


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


def run(arguments: Sequence[str]) -> int:
    """Run the command that these words ask for, and return its exit code; what is no command is judged."""
    words = list(arguments)
    commands = {command.name for command in app.registered_commands}
    if words and words[0] not in commands and words[0] not in ("--help", "--version"):
        words.insert(0, _DEFAULT)
    try:
        code = app(args=words, prog_name="minv-verify", standalone_mode=False)
    except _ParserError as error:
        if not words:  # its text is the help
            error.show()
            return UsageError.exit_code
        own = UsageError(_one_line(error))
        tell(own, as_json="--json" in words)
        return own.exit_code
    return int(code or 0)


def _one_line(error: Any) -> str:
    """Return what the parser found wrong, and where to look."""
    text = " ".join(error.format_message().replace("Value error, ", "").split()).rstrip(".")
    command = error.ctx.command_path if error.ctx else "minv-verify"
    return f"{text[:1].lower()}{text[1:]}; see {command} --help"
