"""`minv kanon` with declared intervals of numbers: what it publishes, and its refusals."""

import json
from pathlib import Path

import pandas as pd
import pytest
from kanon_files import small_table, write_files

from .conftest import Run

TENS = "[intervals]\nlow = 0\nhigh = 100\nwidths = [10, 20]\n"
QUICK = ("--effort", "100")


@pytest.fixture
def table(work: Path) -> Path:
    """The small table, ages 20 to 69, and the declaration tens.toml."""
    Path("tens.toml").write_text(TENS)
    return write_files(work, small_table())


def test_numbers_are_published_in_declared_intervals(run: Run, table: Path) -> None:
    options = ("--k", "4", "--id", "person", "--out", "public.csv", "--link-out", "links.csv", "--json")
    outcome = run("kanon", table, "--qi", "age:numeric=tens.toml", *options, *QUICK)
    assert outcome.code == 0, outcome.stderr
    figures = json.loads(outcome.stdout)
    assert figures["objective"] == "ncp"
    public = pd.read_csv("public.csv", dtype=str)
    tens = {f"[{low}, {low + 10})" for low in range(20, 70, 10)}
    twenties = {f"[{low}, {low + 20})" for low in (20, 40, 60)}
    spans = public["age"].map(
        lambda cell: 0.1 if cell in tens else 0.2 if cell in twenties else float(not cell.isdecimal())
    )
    assert set(public["age"]) & tens
    assert figures["ncp"] == pytest.approx(spans.mean())


def test_labels_of_listed_numbers_are_published(run: Run, table: Path) -> None:
    Path("ages.csv").write_text(
        "".join(f"{age};{'older' if age > 44 else 'younger'};*\n" for age in range(20, 70))
    )
    options = ("--method", "kaca", "--k", "20", "--out", "public.csv")
    outcome = run("kanon", table, "--qi", "age:numeric=ages.csv", *options)
    assert outcome.code == 0, outcome.stderr
    assert set(pd.read_csv("public.csv")["age"]) == {"older", "younger"}


@pytest.mark.parametrize("command", ["partition", "publish", "check"])
def test_other_commands_refuse_them(run: Run, table: Path, command: str) -> None:
    extra = ("--series", "out", "--id", "person") if command == "publish" else ()
    outcome = run(
        command, table, "--qi", "age:numeric=tens.toml", "--sensitive", "illness", "--m", "2", *extra
    )
    assert outcome.code == 2
    assert "'age': intervals of numbers are for minv kanon" in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            "[intervals]\nlow = 20\nhigh = 60\nwidths = [10]",
            "a.toml",
            "column 'age': 10 of 60 numbers lie outside",
        ),
        (
            "[intervals]\nbounds = [[0, 50, 99], [0, 40, 99]]",
            "a.toml",
            "a.toml: 1 bounds of level 2 cut through",
        ),
        (
            "[intervals]\nbounds = [[0, 50, 99], [0, 50]]",
            "a.toml",
            "a.toml: level 2 begins or ends elsewhere",
        ),
        ("20;a;*\n21;b;*\n22;a;*\n", "a.csv", "a.csv: 1 labels have a number of another"),
        ("20;a;*\n21;a;*\n", "a.csv", "33 of 35 values, in 53 of 60 rows, have no leaf in its hierarchy"),
        ("north;a;*\n", "a.csv", "a.csv: 1 of 1 value is no finite number"),
    ],
)
def test_unusable_declarations_are_one_line(
    run: Run, table: Path, text: str, name: str, message: str
) -> None:
    Path(name).write_text(text)
    outcome = run("kanon", table, "--qi", f"age:numeric={name}", "--k", "3", "--out", "public.csv")
    assert outcome.code == 3
    assert message in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    assert not Path("public.csv").exists()


def test_a_missing_number_has_no_place_in_intervals(run: Run, table: Path) -> None:
    frame = small_table()
    frame.loc[:3, "age"] = None
    frame.to_csv(table, index=False)
    start = ("kanon", table, "--qi", "age:numeric=tens.toml", "--k", "3", *QUICK, "--json")
    refused = run(*start, "--missing", "category")
    assert refused.code == 2
    assert "missing values have no place in a hierarchy" in refused.stderr
    assert json.loads(run(*start, "--missing", "drop").stdout)["rows"] == 56


def test_the_declaration_is_not_overwritten(run: Run, table: Path) -> None:
    outcome = run("kanon", table, "--qi", "age:numeric=tens.toml", "--k", "3", "--out", "tens.toml")
    assert outcome.code == 2
    assert Path("tens.toml").read_text() == TENS
