"""README, .ci/run and tox.ini agree on the two commands."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SET_UP = "python3 -m venv .venv && .venv/bin/pip install --quiet tox && .venv/bin/tox run -q"


@pytest.fixture(scope="module")
def commands(root: Path) -> list[str]:
    """The commands of the README's section "Two commands", in order."""
    text = (root / "README.md").read_text(encoding="utf-8")
    section = text.split("## Two commands\n")[1].split("\n## ")[0]
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", section, flags=re.DOTALL)]


@pytest.fixture(scope="module")
def tox_ini(root: Path) -> configparser.ConfigParser:
    """The settings of tox, uninterpreted."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(root / "tox.ini", encoding="utf-8")
    return parser


def test_there_are_exactly_two_commands_of_one_line(commands: list[str]) -> None:
    """One for the main job, one for all checks, both from nothing but Python and pip."""
    assert len(commands) == 2
    assert all(command.startswith(SET_UP) and "\n" not in command for command in commands)


def test_the_first_command_runs_an_environment_that_publishes_and_verifies(
    commands: list[str], tox_ini: configparser.ConfigParser
) -> None:
    """The example uses the real programs."""
    name = commands[0].removeprefix(SET_UP).removeprefix("e ")
    steps = tox_ini[f"testenv:{name}"]["commands"]
    assert "minv publish" in steps
    assert "minv-verify" in steps


def test_the_second_command_runs_every_check(commands: list[str], tox_ini: configparser.ConfigParser) -> None:
    """Lint, types, imports, docs and the tests on the Python at hand."""
    label = commands[1].removeprefix(SET_UP).removeprefix("m ")
    labels = dict(
        (part.strip() for part in line.split("=")) for line in tox_ini["tox"]["labels"].split("\n") if line
    )
    assert [name.strip() for name in labels[label].split(",")] == ["lint", "types", "imports", "docs", "py"]


def test_continuous_integration_runs_the_second_command(root: Path, commands: list[str]) -> None:
    """What passes there passes for a reader of the README."""
    script = (root / ".ci/run").read_text(encoding="utf-8")
    assert commands[1] in script.splitlines()
    assert "set -euo pipefail" in script.splitlines()
    assert (root / ".ci/run").stat().st_mode & 0o111


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_script_is_valid_bash(root: Path) -> None:
    """Parsed, not run."""
    assert subprocess.run(["bash", "-n", root / ".ci/run"], check=False).returncode == 0


def test_tox_has_an_environment_for_each_supported_python(
    root: Path, tox_ini: configparser.ConfigParser
) -> None:
    """The versions that pyproject.toml promises are those that are tested."""
    promised = re.findall(r"Python :: 3\.(\d+)\"", (root / "pyproject.toml").read_text(encoding="utf-8"))
    tested = re.findall(r"py3(\d+)", tox_ini["tox"]["env_list"])
    assert promised
    assert tested == promised
