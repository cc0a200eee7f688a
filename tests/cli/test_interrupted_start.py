"""Ctrl-C at any moment is one line and the exit code of interruptions, also while a program still imports."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
sys.meta_path.insert(0, Interrupting())
from {package} import {main}
{main}(sys.argv[1:])
raise SystemExit("not interrupted")
"""
PARTITION = ("partition", "t.csv", "--qi", "a", "--sensitive", "b", "--m", "2")
VERIFY = ("t.csv", "--qi", "a", "--sensitive", "b", "--m", "2")
SIMULATE = ("t.csv", "--id=a", "--sensitive=b", "--releases=2", "--seed=1", "--out=out")
EXPORT = ("ipums-like", "--out=out")
MINV_LINE = "error: interrupted"
VERIFY_LINE = "minv-verify: error: interrupted"
SIMULATE_LINE = "minv-simulate: interrupted, nothing was written"
EXPORT_LINE = "minv-datasets: interrupted, nothing was written"


CASES = [
    ("minv.cli", "main", "typer", PARTITION, MINV_LINE),
    ("minv.cli", "main", "pandas", PARTITION, MINV_LINE),
    ("minv.cli", "main", "typer.rich_utils", ("partition", "--help"), MINV_LINE),
    ("minv_verifiers.cli", "main", "typer", VERIFY, VERIFY_LINE),
    ("minv_verifiers.cli", "main", "pandas", VERIFY, VERIFY_LINE),
    ("minv_datasets.cli", "main", "typer", SIMULATE, SIMULATE_LINE),
    ("minv_datasets.cli", "main", "pandas", SIMULATE, SIMULATE_LINE),
    ("minv_datasets.cli", "export", "pandas", EXPORT, EXPORT_LINE),  # prints no JSON
]


@pytest.mark.parametrize(
    ("case", "json_option"), [*((case, ()) for case in CASES), *((case, ("--json",)) for case in CASES[:-1])]
)
def test_interrupted_while_it_imports(
    tmp_path: Path, case: tuple[str, str, str, tuple[str, ...], str], json_option: tuple[str, ...]
) -> None:
    package, main, module, words, line = case
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n")
    program = PROGRAM.format(package=package, main=main, module=module)
    ended = subprocess.run(
        [sys.executable, "-c", program, *words, *json_option],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (130, f"{line}\n")
    if json_option:
        document = json.loads(ended.stdout)
        assert document["exit_code"] == 130
        assert line.endswith(document["error"])
    else:
        assert ended.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
