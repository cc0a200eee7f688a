"""minv reproduce from outside."""

import csv
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    program = Path(sys.executable).with_name("minv")
    return subprocess.run(
        [program, "reproduce", *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("3",), 2, "no table 3"),
        (("all", "--seeds", 0), 2, "--seeds"),
        (("8", "--adult", "no-such-table"), 2, "no file no-such-table"),
    ],
)
def test_usage_errors_write_nothing(
    tmp_path: Path, words: tuple[object, ...], code: int, message: str
) -> None:
    """And name what is wrong."""
    outcome = run(*words, "--out", tmp_path / "out", "--quiet")
    assert outcome.returncode == code
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_table_8_on_one_sample(tmp_path: Path) -> None:
    """Every printed cell has ours beside it; bounds lie below losses; the report is written."""
    outcome = run("8", "--seeds", 1, "--time-limit", 5, "--out", tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert "Table 8" in outcome.stdout
    with (tmp_path / "table-8.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ours = {(row["dataset"], row["m"], row["step"]): row for row in rows if row["paper_il"]}
    assert len(ours) == 18
    assert all(float(row["il"]) > 0 for row in ours.values())
    for (_, _, step), row in ours.items():
        if step == "optimization":
            assert 0 < float(row["bound"]) <= float(row["il"])
    assert (tmp_path / "reproduction.md").is_file()


def test_ctrl_c_leaves_a_report_that_says_how_far_it_came(tmp_path: Path) -> None:
    """Two runs at a time; interrupted as soon as something is done, it ends soon and with the code of interruptions."""
    program = Path(sys.executable).with_name("minv")
    words = ["reproduce", "4", "--seeds", "3", "--time-limit", "1", "--workers", "2", "--out", str(tmp_path)]
    process = subprocess.Popen([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "solver auto: highs\n"
    assert "9 samples to run, 2 at a time" in process.stderr.readline()
    assert "1 of 9 samples, about" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "error: interrupted"
    assert "Traceback" not in errors
    text = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert re.search(r"Not finished: [1-8] of 9 samples (is|are) done\.", text)
    assert "2 runs at a time" in text
