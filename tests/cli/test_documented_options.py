"""What the guide says about the commands is so."""

import re
from pathlib import Path

import pytest
import typer.main

from minv.cli.app import app
from minv.errors import (
    CancelledError,
    DataError,
    InfeasibleError,
    LimitError,
    MinvError,
    UsageError,
)

GUIDE = Path(__file__).parents[2] / "docs"
PAGES = ("tables.md", "command-line.md", "publishing.md")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def options_of_the_program() -> set[str]:
    command = typer.main.get_command(app)
    commands = [command, *getattr(command, "commands", {}).values()]
    found = {name for each in commands for parameter in each.params for name in parameter.opts}
    return {"--help", *(name for name in found if name.startswith("--"))}


@pytest.mark.parametrize("page", PAGES)
def test_every_option_in_the_guide_exists(page: str) -> None:
    named = set(OPTION.findall((GUIDE / page).read_text()))
    assert named
    assert named <= options_of_the_program() | {"--install-completion", "--show-completion"}


def test_exit_codes_of_the_guide_are_those_of_the_errors() -> None:
    table = (GUIDE / "command-line.md").read_text().split("## Exit codes")[1].split("##")[0]
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    errors = (MinvError, UsageError, DataError, InfeasibleError, LimitError, CancelledError)
    assert documented == {0, 6, 70} | {error.exit_code for error in errors}


def test_no_help_text_has_brackets_that_the_terminal_takes_for_markup() -> None:
    """They would vanish: "the extra minv[cplex]" read "the extra minv"."""
    command = typer.main.get_command(app)
    commands = [command, *getattr(command, "commands", {}).values()]
    helps = [getattr(parameter, "help", None) or "" for each in commands for parameter in each.params]
    assert len(helps) > 50
    assert not [text for text in helps if "[" in text]
