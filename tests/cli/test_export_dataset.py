"""minv-datasets from outside, and the tables it offers to other programs."""

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import pandas as pd
import pytest

from minv_datasets import __version__ as package_version
from minv_datasets import load_adult
from minv_datasets.cli import export


@dataclass(frozen=True)
class Result:
    """How the program ended."""

    exit_code: object
    stdout: str
    stderr: str


def run(*words: object) -> Result:
    """Run the program in this process; anything but an exit is a failure."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        export([str(word) for word in words])
    return Result(ended.value.code, out.getvalue(), err.getvalue())


def test_adult_is_written_with_an_id_column(tmp_path: Path) -> None:
    """The cells of the table, after row numbers from 1; the path alone on stdout."""
    out = tmp_path / "adult.csv"
    result = run("adult", "--make-id", "person", "--out", out)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{out}\n"
    written = pd.read_csv(out)
    adult = load_adult()
    assert list(written["person"]) == list(range(1, len(adult) + 1))
    pd.testing.assert_frame_equal(written.drop(columns="person").astype(str), adult.astype(str))
    assert list(tmp_path.iterdir()) == [out]


def test_only_the_first_rows_if_asked(tmp_path: Path) -> None:
    """In the order of the source."""
    out = tmp_path / "adult.csv"
    assert run("adult", "--rows", 7, "--out", out).exit_code == 0
    assert list(pd.read_csv(out)["age"]) == list(load_adult()["age"].head(7))


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("adult", "--rows", "0"), 2, "'--rows'"),
        (("adult", "--nonsense"), 2, "no such option: --nonsense; see minv-datasets --help"),
        (("nothing",), 2, "no table of that name; there are acs, adult"),
        (("adult", "--make-id", "age"), 2, "has a column age already"),
        (("ipums",), 3, "MINV_DATA"),
    ],
)
def test_errors_are_one_line_with_their_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, message: str
) -> None:
    """And nothing is written."""
    monkeypatch.delenv("MINV_DATA", raising=False)
    result = run(*words, "--out", tmp_path / "out.csv")
    assert result.exit_code == code
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    """Before anything is half-written."""
    result = run("adult", "--rows", 2, "--out", tmp_path / "absent" / "adult.csv")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_version() -> None:
    """That of the distribution."""
    assert run("--version").stdout == f"minv-datasets {package_version}\n"


def test_tables_are_offered_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other programs find them without importing this package by name."""
    monkeypatch.delenv("MINV_DATA", raising=False)
    offers = {offer.name: offer for offer in entry_points(group="minv.tables")}
    assert set(offers) == {"acs", "adult", "ipums", "ipums-like"}
    assert len(offers["adult"].load()()) == 32_561
    assert {"sex", "age", "educ", "occupation"} <= set(offers["ipums-like"].load()().columns)


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    result = run("adult", "--rows", 1, "--out", tmp_path / "none" / "adult.csv")
    assert result.exit_code == 2
    assert "None" not in result.stderr
    assert "directory" in result.stderr
    assert len(result.stderr.splitlines()) == 1
