"""The program `minv`, run in this process: its exit code, stdout and stderr."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from minv.cli import main

ROLES = ("--qi", "age", "--qi", "sex:nominal", "--sensitive", "illness")


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    stdout: str
    stderr: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Give a function that runs `minv` with arguments; by a quick method unless they name one."""

    def invoke(*arguments: str | Path) -> Outcome:
        capfd.readouterr()
        if arguments[:1] in (("partition",), ("publish",)) and "--method" not in arguments:
            arguments = (*arguments, "--method", "two-swap")
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Outcome(code, captured.out, captured.err)

    return invoke


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_table(
    path: Path, number: int = 24, illnesses: Sequence[str] = ("flu", "gout", "cold", "HIV")
) -> Path:
    """Write a table of persons, CSV."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "person": np.arange(number),
            "age": random.integers(18, 90, number),
            "sex": random.choice(["f", "m"], number),
            "illness": np.array(illnesses)[np.arange(number) % len(illnesses)],
        }
    )
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def table(work: Path) -> Path:
    """Give the path of a good table."""
    return write_table(work / "table.csv")


def everything(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
