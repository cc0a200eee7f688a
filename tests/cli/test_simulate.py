"""minv-simulate from outside: files, exit codes, streams, and that nothing is half-written."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from minv_datasets import Scenario, ipums_like, simulate_releases, with_ids
from minv_datasets import __version__ as package_version
from minv_datasets.cli import main
from minv_datasets.simulation.dynamicity import rates_at


@pytest.fixture
def table(tmp_path):
    """A table of 300 persons whose ids have leading zeros."""
    frame = with_ids(ipums_like(300, seed=1))
    frame["id"] = frame["id"].astype(str).str.zfill(6)
    path = tmp_path / "persons.csv"
    frame.to_csv(path, index=False)
    return path


def invoke(words):
    """Run the program in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(words)
    return SimpleNamespace(exit_code=ended.value.code, stdout=out.getvalue(), stderr=err.getvalue())


def run(table, *options, out=None, **given):
    """Run the command with sensible options unless others are given."""
    settings = {"id": "id", "sensitive": "occupation", "releases": 3, "seed": 1} | given
    words = [str(table), *(f"--{name}={value}" for name, value in settings.items() if value is not None)]
    return invoke([*words, f"--out={out or table.parent / 'out'}", *options])


def tables_in(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_writes_the_releases_of_the_library(table):
    """Same tables as from Python, cell by cell, as text."""
    result = run(
        table, "--preset=fully-dynamic", "--rows=200", "--ageing=age:2", "--linked=sex,educ", "--events"
    )
    assert result.exit_code == 0, result.stderr
    out = table.parent / "out"
    source = pd.read_csv(table, dtype={"id": "str"})
    scenario = Scenario(
        id_column="id",
        sensitive="occupation",
        releases=3,
        rates=rates_at("fully-dynamic"),
        initial=200,
        ageing={"age": 2},
        linked=[["sex", "educ"]],
    )
    for release in simulate_releases(source, scenario, seed=1):
        path = out / f"table-{release.step.release:04d}.csv"
        pd.testing.assert_frame_equal(pd.read_csv(path, dtype={"id": "str"}), release.table)
        events = pd.read_csv(out / "events.csv", dtype={"id": "str"}, keep_default_na=False)
        events = events[events["release"] == release.step.release].reset_index(drop=True)
        pd.testing.assert_frame_equal(events, release.events, check_dtype=False)
    assert len(list(out.iterdir())) == 4


def test_streams(table):
    """Paths on stdout, progress on stderr; with --quiet nothing there."""
    result = run(table, "--insert=0.1", "--rows=100")
    out = table.parent / "out"
    assert result.stdout.splitlines() == [str(out / f"table-000{number}.csv") for number in (1, 2, 3)]
    assert result.stderr.splitlines()[1].startswith("release 2: 110 rows, 10 inserted")
    assert run(table, "--insert=0.1", "--quiet", out=table.parent / "quiet").stderr == ""


def test_json(table):
    """One object whose numbers are those of the files."""
    result = run(table, "--preset=external-dynamic", "--rows=200", "--json", "--quiet")
    report = json.loads(result.stdout)
    assert report["schema_version"] == 1
    assert report["seed"] == 1
    out = Path(report["out"])
    assert [release["release"] for release in report["releases"]] == [1, 2, 3]
    frames = [pd.read_csv(out / release["file"]) for release in report["releases"]]
    assert [len(frame) for frame in frames] == [release["rows"] for release in report["releases"]]
    assert report["releases"][1]["deleted"] == len(set(frames[0]["id"]) - set(frames[1]["id"])) == 20


def test_seeds_and_bytes(table):
    """The same seed gives the same bytes."""
    for name, seed in (("first", 1), ("second", 1), ("third", 2)):
        assert run(table, "--preset=fully-dynamic", out=table.parent / name, seed=seed).exit_code == 0
    assert tables_in(table.parent / "first") == tables_in(table.parent / "second")
    assert tables_in(table.parent / "first") != tables_in(table.parent / "third")


def test_values_stay_the_text_they_are(tmp_path):
    """Leading zeros, empty cells, decimals with zeros and the letters NA are not interpreted."""
    path = tmp_path / "odd.csv"
    path.write_text("id,x,occupation\n001,1.50,a\n1,,b\n01,NA,c\n1.0,<b>,d\n")
    assert run(path, "--delete=0").exit_code == 0
    assert (tmp_path / "out" / "table-0003.csv").read_text() == path.read_text()


def test_a_table_without_ids(tmp_path):
    """--make-id numbers the rows; it is refused where the column exists."""
    path = tmp_path / "persons.csv"
    ipums_like(50, seed=1).to_csv(path, index=False)
    refused = run(path)
    assert (refused.exit_code, "no column id" in refused.stderr) == (2, True)
    assert run(path, "--make-id", "--insert=0.1").exit_code == 0
    last = pd.read_csv(tmp_path / "out" / "table-0003.csv")
    assert last["id"].is_unique
    assert last["id"].between(1, 50).all()
    twice = run(tmp_path / "out" / "table-0003.csv", "--make-id", out=tmp_path / "other")
    assert (twice.exit_code, "already" in twice.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "given", "message"),
    [
        ([], {"id": None}, "--id"),
        ([], {"seed": None}, "--seed"),
        ([], {"seed": -1}, "--seed"),
        ([], {"releases": 0}, "--releases"),
        ([], {"id": "person"}, "no column person"),
        ([], {"sensitive": "job"}, "no column job"),
        (["--preset=static"], {}, "--preset"),
        (["--preset=incremental", "--delete=0.1"], {}, "no delete"),
        (["--preset=external-dynamic", "--ageing=age:1"], {}, "no ageing"),
        (["--delete=1.5"], {}, "at most 1"),
        (["--insert=-0.1"], {}, "0 or more"),
        (["--insert=many"], {}, "--insert"),
        (["--insert=0.5", "--rows=290"], {}, "start with at most"),
        (["--rows=301"], {}, "cannot have 301 rows"),
        (["--ageing=age"], {}, "as in age:4"),
        (["--ageing=age:0"], {}, "every 1 or more"),
        (["--ageing=height:1"], {}, "no column height"),
        (["--update-column=height", "--update-qi=0.1"], {}, "no column height"),
        (["--linked=sex,occupation"], {}, "only updatable"),
        (["--unknown"], {}, "--unknown"),
    ],
)
def test_wrong_use_exits_with_2(table, options, given, message):
    """A word about what is wrong, and no folder."""
    result = run(table, *options, **given)
    assert result.exit_code == 2, result.stderr
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("minv-simulate: ")
    assert result.stdout == ""
    told = run(table, *options, "--json", **given)
    document = json.loads(told.stdout)
    assert (document["schema_version"], document["exit_code"], told.exit_code) == (1, 2, 2)
    assert result.stderr == f"minv-simulate: {document['error']}\n"
    assert sorted(path.name for path in table.parent.iterdir()) == ["persons.csv"]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", [], "is empty"),
        ("id,x,occupation\n", [], "no rows"),
        ("id,x,occupation\n1,2\n", [], "record 2"),
        ("id,x,occupation\n1,2,secret\n1,3,b\n", [], "2 of 2 rows share their id"),
        ("id,x,occupation\n1,secret,a\n2,3,b\n", ["--ageing=x:1"], "column x: 1 of 2 values"),
        ("id,x,occupation\n1,2,secret\n2,3,secret\n", ["--update-sensitive=0.5"], "single value"),
    ],
)
def test_bad_data_exits_with_3(tmp_path, content, options, message):
    """One line without a value, and no folder."""
    path = tmp_path / "persons.csv"
    path.write_text(content)
    result = run(path, *options)
    assert result.exit_code == 3, result.stderr
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "secret" not in result.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["persons.csv"]


def test_an_existing_folder(table):
    """Files are never overwritten or mixed; an empty folder is fine."""
    out = table.parent / "out"
    out.mkdir()
    assert run(table).exit_code == 0
    before = tables_in(out)
    result = run(table, seed=2)
    assert (result.exit_code, "exists already" in result.stderr) == (2, True)
    assert tables_in(out) == before
    assert run(table, out=table).exit_code == 2


def test_only_the_owner_may_open_the_folder(table):
    """Simulated tables are microdata too."""
    run(table)
    assert (table.parent / "out").stat().st_mode & 0o777 == 0o700


def test_version_and_help():
    """Both work without arguments."""
    assert invoke(["--version"]).stdout == f"minv-simulate {package_version}\n"
    described = invoke(["--help"]).stdout
    for option in ("--id", "--sensitive", "--releases", "--insert", "--reinsert", "--update-qi", "--preset"):
        assert option in described


def test_a_failure_while_writing_leaves_nothing(table, monkeypatch):
    """The disk fills up at the third table."""
    from minv_datasets.simulation import folder

    written = []

    def full_disk(frame, path):
        written.append(path)
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        path.write_text("half")

    monkeypatch.setattr(folder, "write_table", full_disk)
    result = run(table)
    assert result.exit_code == 3
    assert "No space left" in result.stderr
    assert [path.name for path in table.parent.iterdir()] == ["persons.csv"]


@pytest.mark.parametrize(("interrupt", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_interrupted_at_work(table, interrupt, code):
    """Ctrl-C: exit 130 and nothing left. Killed: at most a hidden draft, never the folder."""
    out = table.parent / "out"
    command = [sys.executable, "-c", "from minv_datasets.cli import main; main()", str(table)]
    options = [
        "--id=id",
        "--sensitive=occupation",
        "--releases=5000",
        "--rows=300",
        "--seed=1",
        f"--out={out}",
    ]
    with subprocess.Popen(
        [*command, *options],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ,
        # as a terminal would start it; a shell's background jobs ignore SIGINT, and so do their children
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first release is written
        time.sleep(0.05)
        process.send_signal(interrupt)
        process.communicate(timeout=30)
    assert process.returncode == code
    assert not out.exists()
    if interrupt == signal.SIGINT:
        assert [path.name for path in table.parent.iterdir()] == ["persons.csv"]
