"""The contract of the command line: exit codes, what goes to stdout, what scripts may rely on."""

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import minv
from minv.errors import DataError, LimitError
from minv.publish.result import Partition
from minv.series.durable import draft_file
from minv.series.transaction import Publication

from .conftest import ROLES, Run, everything, write_table

PUBLISH = (*ROLES, "--id", "person", "--m", "2", "--series", "out")
KEYS = {
    "schema_version", "rows", "classes", "m", "sse", "sst", "il", "lower_bound_il", "lp_bound_il",
    "certified_bound_il", "gap", "seconds", "seed", "method", "status", "solver", "steps",
}  # fmt: skip


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"minv {minv.__version__}\n"


@pytest.mark.parametrize("command", [[], ["check"], ["publish"], ["partition"]])
def test_help(run: Run, command: list[str]) -> None:
    outcome = run(*command, "--help")
    assert outcome.code == 0
    assert "Usage" in outcome.stdout


def test_completion_is_offered(run: Run) -> None:
    assert "--install-completion" in run("--help").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["unknown"],
        ["check"],
        ["check", "table.csv", "--nonsense"],
        ["check", "table.csv", "--sensitive", "illness"],
        ["check", "table.csv", "--qi", "age"],
        ["check", "table.csv", "--qi", "age", "--sensitive", "age"],
        ["check", "table.csv", *ROLES, "--missing", "median"],
        ["check", "table.csv", *ROLES, "--missing", "height=drop"],
        ["check", "table.csv", *ROLES, "--missing-code", "ilness=?"],
        ["check", "table.csv", *ROLES, "--delimiter", ",,"],
        ["check", "table.csv", *ROLES, "--encoding", "klingon"],
        ["partition", "table.csv", *ROLES],
        ["partition", "table.csv", *ROLES, "--m", "0"],
        ["partition", "table.csv", *ROLES, "--m", "2", "--max-class-size", "4"],
        ["partition", "table.csv", *ROLES, "--m", "2", "--method", "magic"],
        ["partition", "table.csv", *ROLES, "--m", "2", "--weight", "age"],
        ["partition", "table.csv", *ROLES, "--m", "2", "--weight", "age=0"],
        ["publish", "table.csv", *ROLES, "--m", "2", "--id", "person"],
        ["publish", "table.csv", *ROLES, "--m", "2", "--series", "out"],
        ["publish", "table.csv", *ROLES, "--id", "person", "--series", "out"],
        ["publish", "table.csv", *ROLES, "--id", "person", "--m", "1", "--series", "out"],
        ["publish", "table.csv", *PUBLISH, "--model", "safe"],
        ["publish", "table.csv", *PUBLISH, "--counterfeits", "many"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_2(run: Run, table: Path, work: Path, arguments: list[str]) -> None:
    before = everything(work)
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.stdout == ""
    assert "Traceback" not in outcome.stderr
    assert everything(work) == before


def test_partition_as_json(run: Run, table: Path) -> None:
    outcome = run("partition", table, *ROLES, "--m", "2", "--seed", "5", "--json")
    assert outcome.code == 0
    assert outcome.stdout.count("\n") == 1
    figures = json.loads(outcome.stdout)
    assert set(figures) >= KEYS
    assert (figures["rows"], figures["m"], figures["seed"]) == (24, 2, 5)


def classes_are_unique(table: pd.DataFrame, labels: "pd.Series[int]", m: int) -> bool:
    grouped = table["illness"].groupby(labels.to_numpy())
    return bool(((grouped.nunique() == grouped.size()) & (grouped.size() >= m)).all())


def test_labels_belong_to_the_rows_of_the_input(run: Run, table: Path, work: Path) -> None:
    run("partition", table, *ROLES, "--m", "3", "--labels-out", "labels.csv")
    labels = pd.read_csv(work / "labels.csv")
    assert list(labels.columns) == ["row", "class"]
    assert list(labels["row"]) == list(range(24))
    assert classes_are_unique(pd.read_csv(table), labels["class"], 3)


def test_dropped_rows_have_no_label(run: Run, work: Path) -> None:
    frame = pd.read_csv(write_table(work / "table.csv"))
    frame.loc[[3, 4], "age"] = np.nan
    frame.to_csv(work / "table.csv", index=False)
    outcome = run(
        "partition", "table.csv", *ROLES, "--m", "2", "--missing", "drop", "--labels-out", "l.csv", "--json"
    )
    labels = pd.read_csv(work / "l.csv")
    assert list(labels["row"]) == [row for row in range(24) if row not in (3, 4)]
    figures = json.loads(outcome.stdout)
    assert figures["dropped"] == {"age": 2}
    assert figures["missing"] == {"age": "drop", "sex": "drop", "illness": "drop"}


def test_order_of_rows_does_not_change_the_classes(run: Run, work: Path) -> None:
    frame = pd.read_csv(write_table(work / "table.csv", 60))
    order = np.random.default_rng(1).permutation(60)
    frame.iloc[order].to_csv(work / "other.csv", index=False)
    run("partition", "table.csv", *ROLES, "--m", "2", "--labels-out", "a.csv")
    run("partition", "other.csv", *ROLES, "--m", "2", "--labels-out", "b.csv")
    rows = ["age", "sex", "illness"]
    content = []
    for labels, table in (("a.csv", frame), ("b.csv", frame.iloc[order])):
        groups = table[rows].groupby(pd.read_csv(work / labels)["class"].to_numpy())
        content.append(sorted(sorted(group.itertuples(index=False, name=None)) for _, group in groups))
    assert content[0] == content[1]


def test_publish_as_json_is_the_quality_file(run: Run, table: Path, work: Path) -> None:
    outcome = run("publish", table, *PUBLISH, "--json")
    assert outcome.code == 0
    figures = json.loads(outcome.stdout)
    assert set(figures) >= {*KEYS, "release", "counterfeits", "suppressed"}
    assert json.loads((work / "out/private/quality-0001.json").read_text()) == figures


def test_publish_for_people(run: Run, table: Path) -> None:
    outcome = run("publish", table, *PUBLISH)
    assert outcome.code == 0
    assert "release 1 published: out/public/release-0001.parquet" in outcome.stdout
    assert "information loss" in outcome.stdout
    assert outcome.stderr == "solver auto: highs\n"


@pytest.mark.parametrize("command", ["check", "partition", "publish"])
def test_quiet_prints_nothing(run: Run, table: Path, command: str) -> None:
    arguments = PUBLISH if command == "publish" else (*ROLES, "--m", "2")
    outcome = run(command, table, *arguments, "--quiet")
    assert (outcome.code, outcome.stdout, outcome.stderr) == (0, "", "")


def test_publish_with_other_terms_is_exit_2_and_changes_nothing(run: Run, table: Path, work: Path) -> None:
    run("publish", table, *PUBLISH)
    before = everything(work)
    outcome = run("publish", table, "--series", "out", "--m", "3")
    assert outcome.code == 2
    assert outcome.stderr.startswith("error: m is fixed")
    assert everything(work) == before


def test_new_column_in_a_later_table_is_exit_3(run: Run, table: Path, work: Path) -> None:
    run("publish", table, *PUBLISH)
    frame = pd.read_csv(table)
    frame.assign(more=1).to_csv(work / "next.csv", index=False)
    outcome = run("publish", "next.csv", "--series", "out")
    assert outcome.code == 3
    assert "new: more" in outcome.stderr


@pytest.mark.parametrize("command", ["check", "partition", "publish"])
def test_infeasible_m_names_the_blocking_count(run: Run, work: Path, command: str) -> None:
    write_table(work / "table.csv", 24, ("HIV", "HIV", "flu", "cold"))
    arguments = [*ROLES, "--m", "3"]
    if command == "publish":
        arguments += ["--id", "person", "--series", "out"]
    started = time.monotonic()
    outcome = run(command, "table.csv", *arguments)
    assert time.monotonic() - started < 5
    assert outcome.code == 4
    assert "12 times" in outcome.stderr
    assert "24/3 = 8" in outcome.stderr
    assert "HIV" not in outcome.stderr
    assert not (work / "out").exists()
    assert "'HIV'" in run(command, "table.csv", *arguments, "--show-values").stderr


def test_infeasible_m_as_json(run: Run, work: Path) -> None:
    write_table(work / "table.csv", 24, ("HIV", "HIV", "flu", "cold"))
    outcome = run("check", "table.csv", *ROLES, "--m", "3", "--json")
    figures = json.loads(outcome.stdout)
    assert outcome.code == 4
    assert (figures["status"], figures["eligible"], figures["largest_m"]) == ("infeasible", False, 2)
    assert figures["counterfeits_for_eligibility"] == 12


def test_check_tells_the_largest_m(run: Run, table: Path) -> None:
    outcome = run("check", table, *ROLES)
    assert outcome.code == 0
    assert "largest feasible m without counterfeits: 4" in outcome.stdout


def test_check_of_the_next_release(run: Run, table: Path, work: Path) -> None:
    run("publish", table, *PUBLISH)
    frame = pd.read_csv(table)
    frame["person"] += 20
    frame.to_csv(work / "next.csv", index=False)
    before = everything(work)
    outcome = run("check", "next.csv", "--series", "out", "--json")
    assert outcome.code == 0
    figures = json.loads(outcome.stdout)
    assert figures["remembered"] == 4
    assert everything(work) == before


@pytest.mark.parametrize("option", ["--labels-out", "--certificate"])
def test_private_files_are_refused_in_the_public_part(run: Run, table: Path, work: Path, option: str) -> None:
    run("publish", table, *PUBLISH)
    before = everything(work)
    outcome = run("partition", table, *ROLES, "--m", "2", option, "out/public/file")
    assert outcome.code == 2
    assert "public part" in outcome.stderr
    assert everything(work) == before


def partition_with(**known: Any) -> Any:
    """Return an engine that answers at once, with these facts about its result."""

    def engine(points: Any, colours: Any, m: int, **options: Any) -> Partition:
        cancel = known.pop("interrupt", None)
        if cancel:
            os.kill(os.getpid(), signal.SIGINT)
            while not options["cancel"].cancelled:
                time.sleep(0.01)
        if known.pop("fail", False):
            raise LimitError("no partition was found within the limits; allow more time")
        order = np.argsort(colours, kind="stable")
        labels = np.empty(len(colours), np.int64)
        labels[order] = np.arange(len(colours)) % (len(colours) // m)
        facts = {"sse": 1.0, "sst": 100.0, "il": 1.0, "method": "x", "solver": "y", "seed": 0, "seconds": 0.1}
        return Partition(labels, m, **{**facts, "status": "feasible", **known})

    return engine


@pytest.mark.parametrize(("gap", "code"), [("0.05", 6), ("0.2", 0)])
@pytest.mark.parametrize("command", ["partition", "publish"])
def test_gap_that_is_not_reached_is_exit_6(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch, command: str, gap: str, code: int
) -> None:
    for place in ("tables", "solving"):
        monkeypatch.setattr(f"minv.publish.{place}.partition", partition_with(lower_bound_il=0.9))
    arguments = PUBLISH if command == "publish" else (*ROLES, "--m", "2")
    outcome = run(command, table, *arguments, "--gap", gap)
    assert outcome.code == code
    assert "gap 10.00 %" in outcome.stdout


@pytest.mark.parametrize("command", ["partition", "publish"])
def test_limit_without_a_result_is_exit_5(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    for place in ("tables", "solving"):
        monkeypatch.setattr(f"minv.publish.{place}.partition", partition_with(fail=True))
    arguments = PUBLISH if command == "publish" else (*ROLES, "--m", "2")
    outcome = run(command, table, *arguments, "--json")
    assert outcome.code == 5
    assert json.loads(outcome.stdout)["status"] == "limit"
    assert not (work / "out").exists()


def test_interrupted_partition_prints_its_incumbent(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minv.publish.tables.partition", partition_with(interrupt=True))
    outcome = run("partition", table, *ROLES, "--m", "2", "--json")
    assert outcome.code == 130
    assert json.loads(outcome.stdout)["il"] == 1.0


def test_interrupted_publish_writes_nothing(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(work)
    monkeypatch.setattr("minv.publish.solving.partition", partition_with(interrupt=True))
    outcome = run("publish", table, *PUBLISH)
    assert outcome.code == 130
    assert outcome.stderr == "error: interrupted; nothing was published\n"
    assert everything(work) == before


def interrupted_reader(*_: Any, **__: Any) -> Any:
    """Answer Ctrl-C as Arrow does: the caller's handler is called, and an exception of its own raised."""
    os.kill(os.getpid(), signal.SIGINT)
    raise pa.ArrowCancelled("Operation cancelled. Detail: received signal 2", signum=signal.SIGINT)


@pytest.mark.parametrize("command", ["partition", "publish", "kanon", "reproduce"])
def test_interrupted_while_the_table_is_read(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (work / "adult.csv").write_text("age,sex,education-num,occupation\n1,f,2,clerk\n")
    before = everything(work)
    monkeypatch.setattr("minv.tables.csv_file.arrow_csv.read_csv", interrupted_reader)
    arguments: dict[str, tuple[object, ...]] = {
        "partition": (table, *ROLES, "--m", "2"),
        "publish": (table, *PUBLISH),
        "kanon": (table, "--qi", "age", "--k", "2"),
        "reproduce": ("4", "--adult", "adult.csv", "--workers", "1", "--quiet"),
    }
    outcome = run(command, *map(str, arguments[command]))
    assert outcome.code == 130
    assert outcome.stderr.splitlines()[-1] == "error: interrupted"
    assert everything(work) == before


def test_interrupted_while_the_release_is_read_again(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No damaged file, and no release."""
    pd.read_csv(table).to_parquet(work / "table.parquet")
    before = everything(work)
    monkeypatch.setattr("minv.series.columns.arrow_csv.read_csv", interrupted_reader)
    outcome = run("publish", "table.parquet", *PUBLISH, "--format", "csv")
    assert (outcome.code, outcome.stderr) == (130, "error: interrupted\n")
    assert everything(work) == before


def test_an_interruption_that_a_library_takes_for_an_error(
    run: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pandas does in the midst of a file."""

    def loaded() -> pd.DataFrame:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        except KeyboardInterrupt:
            raise ValueError("Calling read(nbytes) on source failed") from None
        return pd.DataFrame()

    monkeypatch.setattr("minv_datasets.adult.load_adult", loaded)
    outcome = run("reproduce", "coaa")
    assert (outcome.code, outcome.stderr) == (130, "error: interrupted\n")
    assert not everything(work)


def test_handlers_of_signals_are_put_back(run: Run, table: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    run("partition", table, *ROLES, "--m", "2")
    assert signal.getsignal(signal.SIGINT) is before
    assert threading.current_thread() is threading.main_thread()


def test_unexpected_error_tells_its_place_but_not_its_text(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Partition:
        raise ValueError("topsecret")

    monkeypatch.setattr("minv.publish.tables.partition", broken)
    outcome = run("partition", table, *ROLES, "--m", "2")
    assert outcome.code == 70
    assert "ValueError at test_commands.py" in outcome.stderr
    assert "topsecret" not in outcome.stderr


def test_full_disk_is_one_line(run: Run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device", "out/private/key")

    monkeypatch.setattr("minv.series.transaction.write_file", full)
    outcome = run("publish", table, *PUBLISH)
    assert outcome.code == 3
    assert outcome.stderr == "error: out/private/key: No space left on device\n"


CERTIFIED = (*PUBLISH, "--method", "optimise", "--effort", "1", "--certificate", "proof.json")


def test_certificate_that_cannot_be_written_after_publishing(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message must not let the custodian publish a second time; the proof is not lost."""
    commit = Publication.commit

    def commit_and_spoil(publication: Publication, manifest: bytes) -> None:
        commit(publication, manifest)
        (work / "proof.json").mkdir()

    monkeypatch.setattr(Publication, "commit", commit_and_spoil)
    outcome = run("publish", table, *CERTIFIED)
    assert outcome.code == 3
    assert outcome.stderr.startswith(
        "error: the release is published, but its certificate could not be written to proof.json"
    )
    assert outcome.stderr.count("\n") == 1
    assert (work / "out/public/release-0001.parquet").exists()
    (draft,) = work.glob(".proof.json.*")
    assert str(draft.name) in outcome.stderr
    assert json.loads(draft.read_text())["kind"] == "minv-bound"
    assert draft.stat().st_mode & 0o777 == 0o600


def test_certificate_for_which_the_disk_is_full(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told before anything is published."""
    before = everything(work)

    def full(path: Path, content: bytes, *_: object) -> Path:
        if content:
            raise OSError(28, "No space left on device", str(path))
        return draft_file(path, content)

    monkeypatch.setattr("minv.publish.proof.draft_file", full)
    outcome = run("publish", table, *CERTIFIED)
    assert outcome.code == 3
    assert outcome.stderr == (
        "error: proof.json: the certificate cannot be written (No space left on device); "
        "nothing was published: name another file\n"
    )
    assert everything(work) == before


@pytest.mark.parametrize(
    ("command", "option"),
    [("publish", "--certificate"), ("partition", "--labels-out"), ("kanon", "--link-out")],
)
def test_outputs_that_cannot_be_written_are_refused_before_the_work(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch, command: str, option: str
) -> None:
    """A folder that looks writable, but is not: a name too long for it stands for all such reasons."""
    before = everything(work)
    monkeypatch.setattr("minv.tables.opening.open_table", None)  # the work begins with it
    terms = {
        "publish": PUBLISH,
        "partition": (*ROLES, "--m", "2"),
        "kanon": ("--qi", "age", "--k", "2", "--id", "person"),
    }
    for name, reason in (
        ("x" * 254, "cannot be written (File name too long)"),
        ("/dev/null", "no plain file"),
    ):
        outcome = run(command, table, *terms[command], option, name)
        assert (outcome.code, outcome.stderr.count("\n")) == (3, 1)
        assert reason in outcome.stderr
    assert everything(work) == before


def test_a_certificate_from_python_is_checked_before_the_work(table: Path, work: Path) -> None:
    series = minv.Series.create("out", id="person", quasi_identifiers=["age"], sensitive="illness", m=2)
    with pytest.raises(DataError, match=r"none/proof\.json: the certificate cannot be written .*nothing was"):
        series.publish(table, certificate=work / "none" / "proof.json", effort=1)
    assert not (work / "out").exists()


HIERARCHY = "sex:nominal=sex.csv"


@pytest.mark.parametrize(
    ("command", "option", "file", "reason"),
    [
        ("partition", "--labels-out", "table.csv", "read by the command"),
        ("partition", "--certificate", "../{folder}/table.csv", "read by the command"),
        ("partition", "--labels-out", "sex.csv", "read by the command"),
        ("partition", "--labels-out", "link.csv", "read by the command"),
        ("partition", "--labels-out", "out/private/key", "belongs to a series"),
        ("partition", "--certificate", "out/private/history-0001.parquet", "belongs to a series"),
        ("kanon", "--out", "table.csv", "read by the command"),
        ("kanon", "--link-out", "table.csv", "read by the command"),
        ("publish", "--certificate", "table.csv", "read by the command"),
        ("partition", "--labels-out", "none/labels.csv", "the folder none does not exist"),
        ("kanon", "--out", "out", "this is a folder"),
    ],
)
def test_outputs_destroy_nothing(
    run: Run, table: Path, work: Path, command: str, option: str, file: str, reason: str
) -> None:
    """Refused before any work: a file that is read, one of a series, one that cannot be made."""
    run("publish", table, *PUBLISH)
    (work / "sex.csv").write_text("F;*\nM;*\n")
    (work / "link.csv").symlink_to(table)
    before = everything(work)
    terms = {
        "partition": (*ROLES[:2], "--qi", HIERARCHY, *ROLES[4:], "--m", "2"),
        "kanon": ("--qi", "age", "--k", "2", "--id", "person"),
        "publish": ("--series", "out"),
    }
    outcome = run(command, table, *terms[command], option, file.format(folder=work.name))
    assert outcome.code == (3 if "folder" in reason else 2)
    assert reason in outcome.stderr
    assert len(outcome.stderr.splitlines()) == 1
    assert everything(work) == before


def test_two_results_need_two_files(run: Run, table: Path, work: Path) -> None:
    both = ("--labels-out", "file.csv", "--certificate", f"{work}/file.csv")
    outcome = run("partition", table, *ROLES, "--m", "2", *both)
    assert outcome.code == 2
    assert "two results go to this file" in outcome.stderr
    assert not (work / "file.csv").exists()


@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_a_missed_gap_is_said(run: Run, table: Path, quiet: tuple[str, ...]) -> None:
    """The method proves no bound, so that no gap is reached; silence would leave exit code 6 unexplained."""
    outcome = run("partition", table, *ROLES, "--m", "2", "--gap", "0.25", "--method", "two-swap", *quiet)
    assert outcome.code == 6
    warning = "warning: no bound was proved: the gap of 0.25 that --gap asks for is not reached"
    assert (warning in outcome.stderr) is not bool(quiet)


def test_methods_are_named_as_the_user_named_them(run: Run, table: Path) -> None:
    arguments = ("--qi", "age", "--k", "2", "--method", "kaca", "--objective", "sse")
    assert "the method 'kaca' looks at ncp only" in run("kanon", table, *arguments).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check"], "missing argument 'TABLE'; see minv check --help"),
        (["check", "table.csv", "--nonsense"], "no such option: --nonsense"),
        (["partition", "table.csv", "--solver", "glpk"], "'--solver': 'glpk' is not one of"),
        (["nonsense"], "no such command 'nonsense'; see minv --help"),
    ],
)
def test_the_parser_keeps_the_contract_too(run: Run, arguments: list[str], message: str) -> None:
    """One line on stderr, and with --json one object on stdout."""
    plain, told = run(*arguments), run(*arguments, "--json")
    assert plain.code == told.code == 2
    assert plain.stdout == ""
    assert plain.stderr.startswith("error: ")
    assert message in plain.stderr
    assert plain.stderr.count("\n") == 1
    document = json.loads(told.stdout)
    assert document["exit_code"] == 2
    assert plain.stderr == f"error: {document['error']}\n"


def test_no_command_at_all_shows_the_help(run: Run) -> None:
    outcome = run()
    assert outcome.code == 2
    assert "Usage" in outcome.stdout + outcome.stderr


@pytest.mark.parametrize("method", ["two-swap", "tau", "classic"])
def test_no_certificate_of_a_method_without_a_bound(run: Run, table: Path, work: Path, method: str) -> None:
    """Refused before the work, and by the name that the user gave."""
    outcome = run("partition", table, *ROLES, "--m", "2", "--method", method, "--certificate", "proof.json")
    assert outcome.code == 2
    assert f"the method '{method}' proves no bound" in outcome.stderr


def test_a_certificate_for_which_the_time_was_too_short(run: Run, table: Path, work: Path) -> None:
    """The partition is of use without it: its labels are written all the same."""
    wanted = (
        "--time-limit",
        "0",
        "--method",
        "optimise",
        "--certificate",
        "proof.json",
        "--labels-out",
        "l.csv",
    )
    large = write_table(work / "large.csv", 3000)
    outcome = run("partition", large, *ROLES, "--m", "2", *wanted, "--json")
    assert outcome.code == json.loads(outcome.stdout)["exit_code"] == 5
    assert "no bound was proved" in outcome.stderr
    assert not (work / "proof.json").exists()
    assert classes_are_unique(pd.read_csv(large), pd.read_csv(work / "l.csv")["class"], 2)


def test_interrupted_before_there_was_a_bound_to_certify(
    run: Run, table: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What there is: the labels and the incumbent, and the exit code of interruptions."""
    monkeypatch.setattr("minv.publish.tables.partition", partition_with(interrupt=True))
    wanted = ("--method", "optimise", "--certificate", "proof.json", "--labels-out", "l.csv", "--json")
    outcome = run("partition", table, *ROLES, "--m", "2", *wanted)
    assert (outcome.code, json.loads(outcome.stdout)["il"]) == (130, 1.0)
    assert "warning: no bound was proved, so there is no certificate" in outcome.stderr
    assert sorted(everything(work)) == ["l.csv", "table.csv"]


def test_a_loss_of_nothing_has_a_bound(run: Run, work: Path) -> None:
    """IL 0 cannot be improved: its gap is 0, so its bound must not be missing."""
    (work / "equal.csv").write_text("age,illness\n7,flu\n7,gout\n7,cold\n7,HIV\n")
    outcome = run("partition", "equal.csv", "--qi", "age", "--sensitive", "illness", "--m", "2", "--json")
    figures = json.loads(outcome.stdout)
    assert (figures["il"], figures["gap"], figures["lower_bound_il"]) == (0, 0, 0)
