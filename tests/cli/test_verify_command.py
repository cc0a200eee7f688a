"""`minv-verify`: exit codes, streams, files, configuration; one line for every error."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from minv_verifiers.cli import main

FIRST = "Id,Age,Disease\n1,[18-20],HIV\n2,[18-20],Flu\n"
SECOND = "Id,Age,Disease\n1,[18-19],HIV\n3,[18-19],Acne\n2,[20-21],Flu\n4,[20-21],Cough\n"
THIRD = "Id,Age,Disease\n1,[18-20],HIV\n2,[18-20],Flu\n3,[19-21],Acne\n4,[19-21],Cough\n"
ROLES = ("--qi", "Age", "--sensitive", "Disease", "--id", "Id", "--m", "2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The paper's Tables 1 to 3 as files."""
    for number, text in enumerate((FIRST, SECOND, THIRD), start=1):
        (tmp_path / f"{number}.csv").write_text(text)
    return tmp_path


@dataclass
class Result:
    """What a run left behind."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in a folder, within this process."""

    def call(folder: Path, *words: str) -> Result:
        monkeypatch.chdir(folder)
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        streams = capsys.readouterr()
        return Result(int(ended.value.code or 0), streams.out, streams.err)

    return call


def test_tables_1_and_2_are_violated(run: Run, folder: Path) -> None:
    """Exit code 1, tuples 1 and 2 and both signatures named on request, nothing on standard output."""
    result = run(folder, "1.csv", "2.csv", *ROLES, "--show-values")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "id: 1; signatures: release 1: {Flu, HIV}; release 2: {Acne, HIV}" in result.stderr
    assert "id: 2; signatures: release 1: {Flu, HIV}; release 2: {Cough, Flu}" in result.stderr
    hidden = run(folder, "1.csv", "2.csv", *ROLES)
    assert "HIV" not in hidden.stderr
    assert "release 1 row 1, release 2 row 1" in hidden.stderr


def test_tables_1_and_3_pass(run: Run, folder: Path) -> None:
    """Exit code 0 and a last line that says what was established."""
    result = run(folder, "1.csv", "3.csv", *ROLES)
    assert result.returncode == 0
    assert result.stderr.splitlines()[-1].startswith("PASSED (tau-safe, m = 2; public mode)")


def test_json_is_one_object_on_standard_output(run: Run, folder: Path) -> None:
    """Scripts read standard output alone."""
    result = run(folder, "1.csv", "2.csv", *ROLES, "--json")
    content = json.loads(result.stdout)
    assert content["schema_version"] == 1
    assert content["verdict"] == "violated"
    assert {rule["name"] for rule in content["rules"] if rule["status"] == "violated"} == {
        "m-invariance",
        "tau-safety",
    }


def test_files_are_written(run: Run, folder: Path) -> None:
    """JUnit XML and HTML beside the text."""
    run(folder, "1.csv", "2.csv", *ROLES, "--junit", "junit.xml", "--html", "report.html")
    suite = ElementTree.parse(folder / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    assert suite.get("failures") == "2"
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_reports_are_refused_in_a_public_folder(run: Run, folder: Path) -> None:
    """A report beside a manifest would be given away with it."""
    (folder / "public").mkdir()
    (folder / "public" / "datapackage.json").write_text("{}")
    result = run(folder, "1.csv", *ROLES, "--html", "public/report.html")
    assert result.returncode == 2
    assert "reports are the custodian's" in result.stderr
    assert not (folder / "public" / "report.html").exists()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("nowhere.csv", *ROLES), 3, "nowhere.csv: no such file"),
        (
            ("1.csv", "--qi", "Aeg", "--sensitive", "Disease", "--m", "2"),
            3,
            "no column Aeg; it has Id, Age, Disease",
        ),
        (("1.csv", "--qi", "Age", "--sensitive", "Disease"), 2, "the parameter m is missing"),
        (("1.csv", "--qi", "Age", "--m", "2"), 2, "name the sensitive column (--sensitive)"),
        (("1.csv", "--sensitive", "Disease", "--m", "2"), 2, "name the quasi-identifiers (--qi)"),
        (("1.csv", *ROLES, "--config", "none.toml"), 2, "none.toml: no such file"),
        (("1.csv", *ROLES, "--encoding", "klingon"), 2, "unknown encoding klingon"),
        (("1.csv", *ROLES, "--delimiter", "ab"), 2, "the delimiter must be one character"),
        (("1.csv", *ROLES, "--public-only"), 2, "--public-only is for a series folder"),
        (("1.csv", *ROLES, "--link", "2.csv", "--link", "3.csv"), 2, "2 links for 1 release;"),
        (("1.csv", *ROLES, "--html", "no/such/folder.html"), 3, "cannot be written"),
        (("attack", "1.csv", *ROLES, "--release", "9"), 2, "there is no release 9"),
    ],
)
def test_errors_are_one_line(run: Run, folder: Path, words: tuple[str, ...], code: int, message: str) -> None:
    """What is wrong and what to do, in one line, without a traceback."""
    result = run(folder, *words)
    assert result.returncode == code
    assert message in result.stderr
    assert [line for line in result.stderr.splitlines() if "error" in line] == [
        result.stderr.splitlines()[-1]
    ]
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("1.csv", "--nonsense"), "no such option: --nonsense"),
        (("1.csv", "--m", "0"), "'--m'"),
        (("1.csv", "--model", "safe"), "'--model': 'safe' is not one of"),
        (("verify",), "missing argument"),
        (("certificate", "1.csv"), "missing argument 'TABLE'; see minv-verify certificate --help"),
        (("attack", "1.csv", *ROLES, "--release", "9"), "there is no release 9"),
        (("nowhere.csv", *ROLES), "nowhere.csv: no such file"),
    ],
)
def test_errors_for_people_and_for_scripts(
    run: Run, folder: Path, words: tuple[str, ...], message: str
) -> None:
    """One line on standard error, and with --json one object on standard output."""
    plain, told = run(folder, *words), run(folder, *words, "--json")
    assert plain.returncode == told.returncode == (3 if "nowhere.csv" in words else 2)
    assert plain.stdout == ""
    assert plain.stderr.startswith("minv-verify: error: ")
    assert message in plain.stderr
    assert plain.stderr.count("\n") == 1
    document = json.loads(told.stdout)
    assert (document["schema_version"], document["exit_code"]) == (1, told.returncode)
    assert plain.stderr == told.stderr == f"minv-verify: error: {document['error']}\n"


def test_no_words_show_the_help(run: Run, folder: Path) -> None:
    """With the exit code of wrong usage."""
    result = run(folder)
    assert result.returncode == 2
    assert "Usage" in result.stdout + result.stderr


def test_an_unexpected_error_tells_its_place_but_not_its_text(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its text could be a value."""

    def broken(*_: object, **__: object) -> None:
        raise ValueError("topsecret")

    monkeypatch.setattr("minv_verifiers.cli.verify.verify", broken)
    result = run(folder, "1.csv", *ROLES, "--json")
    assert result.returncode == json.loads(result.stdout)["exit_code"] == 70
    assert "ValueError at test_verify_command.py" in result.stderr
    assert result.stderr.count("\n") == 1
    assert "topsecret" not in result.stderr + result.stdout


def test_a_report_that_cannot_be_written(run: Run, folder: Path) -> None:
    """One object with --json, the error; and no half of a file."""
    (folder / "folder").mkdir()
    result = run(folder, "1.csv", *ROLES, "--html", "folder", "--json")
    assert result.returncode == json.loads(result.stdout)["exit_code"] == 3
    assert sorted(path.name for path in folder.iterdir()) == ["1.csv", "2.csv", "3.csv", "folder"]


@pytest.mark.parametrize("option", ["--html", "--junit"])
@pytest.mark.parametrize(
    "target", ["no/such/report", "folder", "1.csv/report", "/dev/null/report", "x" * 300]
)
def test_a_place_without_a_report_is_refused_before_the_work(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, option: str, target: str
) -> None:
    """With --json or without, and with the advice to name another file."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("judged")

    monkeypatch.setattr("minv_verifiers.cli.verify.verify", never)
    (folder / "folder").mkdir()
    result = run(folder, "1.csv", *ROLES, option, target)
    assert result.returncode == 3
    assert result.stderr.startswith(f"minv-verify: error: {target}: cannot be written (")
    assert result.stderr.endswith("; name another file\n")
    assert result.stderr.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["1.csv", "2.csv", "3.csv", "folder"]


def test_two_reports_need_two_files(run: Run, folder: Path) -> None:
    """The second would replace the first; a device takes both."""
    result = run(folder, "1.csv", *ROLES, "--html", "report", "--junit", "./report")
    assert result.returncode == 2
    assert "two reports go to this file" in result.stderr
    assert not (folder / "report").exists()
    assert run(folder, "1.csv", *ROLES, "--html", "/dev/null", "--junit", "/dev/null").returncode == 0


def test_a_claim_that_cannot_be_checked_is_no_success(run: Run, folder: Path) -> None:
    """Without ids, tau-safety asked for by name gives exit code 3."""
    result = run(
        folder, "1.csv", "3.csv", "--qi", "Age", "--sensitive", "Disease", "--m", "2", "--model", "tau-safe"
    )
    assert result.returncode == 3
    assert "NOT CHECKABLE" in result.stderr


def test_roles_from_the_configuration_file(run: Run, folder: Path) -> None:
    """`minv-verify.toml` in the working folder; the command line has the last word."""
    (folder / "minv-verify.toml").write_text('qi = ["Age"]\nsensitive = "Disease"\nid = "Id"\nm = 2\n')
    assert run(folder, "1.csv", "3.csv").returncode == 0
    assert run(folder, "1.csv", "3.csv", "--m", "3").returncode == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qis = []", "unknown key qis"),
        ("m = '2'", "m has the wrong type"),
        ("m = ", "not TOML"),
        ("m = true", "wrong type"),
    ],
)
def test_a_faulty_configuration_file(run: Run, folder: Path, text: str, message: str) -> None:
    """Unknown keys and wrong types are refused, never ignored."""
    (folder / "minv-verify.toml").write_text(text)
    result = run(folder, "1.csv", *ROLES)
    assert result.returncode == 3
    assert message in result.stderr


def test_the_attack_shows_the_breach(run: Run, folder: Path) -> None:
    """On Tables 1 and 2 tuple 1 has HIV for certain; on Tables 1 and 3 the guarantee holds."""
    breach = run(folder, "attack", "1.csv", "2.csv", *ROLES, "--show-values", "--json")
    assert breach.returncode == 1
    level = json.loads(breach.stdout)["levels"][0]
    assert {"id": "1", "confidence": 1.0, "candidates": ["HIV"]} in level["persons"]
    assert "BREACHED" in breach.stderr
    held = run(folder, "attack", "1.csv", "3.csv", *ROLES)
    assert held.returncode == 0
    assert "HELD" in held.stderr


def test_the_attack_reads_its_tables(run: Run, folder: Path) -> None:
    """Transition matrices and histograms come from CSV files."""
    (folder / "matrix.csv").write_text(
        "before,HIV,Flu,Acne,Cough\n" + "".join(f"{v},1,1,1,1\n" for v in ("HIV", "Flu", "Acne", "Cough"))
    )
    result = run(folder, "attack", "1.csv", "3.csv", *ROLES, "--level", "4", "--transitions", "matrix.csv")
    assert "level 4: worst confidence 0.5" in result.stderr


def test_the_installed_command(folder: Path) -> None:
    """The entry point in a process of its own: code, streams, no traceback."""
    command = [
        sys.executable,
        "-c",
        "from minv_verifiers.cli import main; main()",
        "1.csv",
        "2.csv",
        *ROLES,
        "--json",
    ]
    result = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert result.returncode == 1
    assert json.loads(result.stdout)["verdict"] == "violated"
    assert "Traceback" not in result.stderr


def test_version_and_rules(run: Run, folder: Path) -> None:
    """The version, and every rule with its definition."""
    assert run(folder, "--version").stdout.startswith("minv-verify ")
    listed = run(folder, "rules").stdout
    assert "tau-safety" in listed
    assert "Source:" in listed


def test_a_file_named_like_a_command_needs_a_path(run: Run, folder: Path) -> None:
    """`./attack` is a file, `attack` the command."""
    (folder / "attack").write_text(FIRST)
    assert run(folder, "./attack", *ROLES).returncode == 0


@pytest.mark.parametrize("option", ["--html", "--junit"])
@pytest.mark.parametrize("judged", ["1.csv", "link.csv"])
def test_no_report_replaces_what_is_judged(folder: Path, run: Run, option: str, judged: str) -> None:
    """Under its own name or another one."""
    (folder / "link.csv").symlink_to(folder / "1.csv")
    result = run(folder, "1.csv", *ROLES, option, judged)
    assert result.returncode == 2
    assert "read by the command" in result.stderr
    assert (folder / "1.csv").read_text() == FIRST


def test_no_report_replaces_a_file_of_the_series(folder: Path, run: Run) -> None:
    """The key of a series is lost for ever."""
    key = folder / "out" / "private" / "key"
    key.parent.mkdir(parents=True)
    key.write_text("key")
    result = run(folder, "out", "--html", "out/private/key")
    assert result.returncode == 2
    assert "belongs to the series" in result.stderr
    assert key.read_text() == "key"
