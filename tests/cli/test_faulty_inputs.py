"""A table that cannot be used: one line without a value, exit code 3, and nothing written."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from .conftest import ROLES, Run, everything

HEADER = "person,age,sex,illness\n"
GOOD = "".join(f"p{i},{20 + i},{'fm'[i % 2]},{('flu', 'gout', 'cold')[i % 3]}\n" for i in range(12))
SECRET = "topsecret"

FAULTY: dict[str, tuple[bytes, list[str]]] = {
    "empty file": (b"", ["empty"]),
    "header alone": (HEADER.encode(), ["no rows"]),
    "no header": (GOOD.encode(), ["there is no column"]),
    "latin-1": ((HEADER + GOOD).encode() + b"p99,30,f,\xe9topsecret\n", ["--encoding latin-1"]),
    "semicolons": ((HEADER + GOOD).replace(",", ";").encode(), ["--delimiter ';'"]),
    "utf-16": ((HEADER + GOOD).encode("utf-16"), ["--encoding utf-16"]),
    "comma too many in the header": ((HEADER.strip() + ",\n" + GOOD).encode(), ["column 5 of 5 has no name"]),
    "comma too many in a row": (
        (HEADER + GOOD + "p99,30,f,flu,topsecret\n").encode(),
        ["row 14 of the file"],
    ),
    "repeated name": ((HEADER.replace("person", "age") + GOOD).encode(), ["columns 1, 2"]),
    "open quote": ((HEADER + GOOD + 'p99,30,f,"topsecret\n').encode(), ["quotation mark"]),
    "text among numbers": ((HEADER + GOOD + "p99,topsecret,f,flu\n").encode(), ["'age'", "1 of 13"]),
    "decimal comma": ((HEADER + GOOD + 'p99,"3,5",f,flu\n').encode(), ["'age'", "1 of 13"]),
    "infinite": ((HEADER + GOOD + "p99,1e999,f,flu\n").encode(), ["'age'", "1 of 13", "infinite"]),
    "missing number": ((HEADER + GOOD + "p99,,f,flu\n").encode(), ["'age'", "1 of 13", "--missing"]),
    "missing sensitive value": ((HEADER + GOOD + "p99,30,f,\n").encode(), ["'illness'", "1 of 13"]),
    "missing id": ((HEADER + GOOD + ",30,f,flu\n").encode(), ["'person'", "1 id is missing"]),
    "repeated id": (
        (HEADER + GOOD + "p1,30,f,flu\n").encode(),
        ["'person'", "1 id occurs more than once, in 2 rows"],
    ),
    "leading zeros": (
        (HEADER + GOOD + "7,30,f,flu\n007,31,f,gout\n").encode(),
        ["'person'", "leading zeros"],
    ),
    "damaged gzip": (gzip.compress((HEADER + GOOD).encode(), mtime=0)[:-9], ["gzip"]),
    "damaged parquet": (b"PAR1topsecretPAR1", ["Parquet"]),
    "spreadsheet": (b"PK\x03\x04topsecret", ["spreadsheet"]),
}
CASES = [
    pytest.param(name, command, id=f"{name}-{('check', 'publish', 'partition')[command]}")
    for name in FAULTY
    for command in range(3)
    if command < 2 or name not in {"missing id", "repeated id", "leading zeros"}  # partition knows no ids
]


def commands(path: Path) -> list[list[str]]:
    return [
        ["check", str(path), *ROLES, "--id", "person", "--m", "2"],
        ["publish", str(path), *ROLES, "--id", "person", "--m", "2", "--series", "out"],
        ["partition", str(path), *ROLES, "--m", "2", "--labels-out", "labels.csv"],
    ]


@pytest.mark.parametrize(("name", "command"), CASES)
def test_faulty_table(run: Run, work: Path, name: str, command: int) -> None:
    content, parts = FAULTY[name]
    path = work / "table.csv"
    path.write_bytes(content)
    outcome = run(*commands(path)[command])
    assert outcome.code == 3
    assert outcome.stdout == ""
    assert outcome.stderr.count("\n") == 1
    assert outcome.stderr.startswith("error: ")
    assert "Traceback" not in outcome.stderr
    assert SECRET not in outcome.stderr
    assert not [part for part in parts if part not in outcome.stderr]
    assert everything(work) == {"table.csv": content}


def test_nested_parquet(run: Run, work: Path) -> None:
    table = pa.table({"person": ["a"], "age": [[1, 2]], "sex": ["f"], "illness": ["flu"]})
    parquet.write_table(table, work / "table.parquet")
    outcome = run("check", "table.parquet", *ROLES)
    assert outcome.code == 3
    assert "'age' is nested" in outcome.stderr


def test_error_as_json(run: Run, work: Path) -> None:
    (work / "table.csv").write_text(HEADER)
    outcome = run("check", "table.csv", *ROLES, "--json")
    assert outcome.code == 3
    document = json.loads(outcome.stdout)
    assert document["exit_code"] == 3
    assert "no rows" in document["error"]
    assert document["schema_version"] == 1


def test_table_that_does_not_exist(run: Run, work: Path) -> None:
    outcome = run("check", "absent.csv", *ROLES)
    assert outcome.code == 3
    assert outcome.stderr == "error: absent.csv: No such file or directory\n"


def test_near_synonyms_are_warned_of_without_values(run: Run, work: Path) -> None:
    (work / "table.csv").write_text(HEADER + GOOD + "p98,30,f,TopSecret \np99,31,m,topsecret\n")
    outcome = run("check", "table.csv", *ROLES)
    assert outcome.code == 0
    assert "warning: column 'illness': 1 value is written in several ways" in outcome.stderr
    assert SECRET not in (outcome.stderr + outcome.stdout).casefold()


def test_hostile_names_do_not_reach_the_terminal_raw(run: Run, work: Path) -> None:
    (work / "table.csv").write_text(HEADER + GOOD)
    outcome = run("check", "table.csv", "--qi", "\x1b[31mred\nline[bold]", "--sensitive", "illness")
    assert outcome.code == 3
    assert "\x1b" not in outcome.stderr
    assert outcome.stderr.count("\n") == 1


GOOD_DIALECTS: dict[str, tuple[bytes, list[str]]] = {
    "byte-order mark": (b"\xef\xbb\xbf" + (HEADER + GOOD).encode(), []),
    "carriage returns": ((HEADER + GOOD).replace("\n", "\r\n").encode(), []),
    "latin-1": ((HEADER + GOOD).replace("flu", "fièvre").encode("latin-1"), ["--encoding", "latin-1"]),
    "utf-16": ((HEADER + GOOD).replace("flu", "f熱").encode("utf-16"), ["--encoding", "utf-16"]),
    "semicolons": ((HEADER + GOOD).replace(",", ";").encode(), ["--delimiter", ";"]),
    "gzip": (gzip.compress((HEADER + GOOD).encode(), mtime=0), []),
    "quoted commas": ((HEADER + GOOD).replace("flu", '"flu, type ""A"""').encode(), []),
    "question marks": (
        (HEADER + GOOD + "p99,?,f,flu\n").encode(),
        ["--missing-code", "?", "--missing", "drop"],
    ),
    "minus nine": (
        (HEADER + GOOD + "p99,-9,f,flu\n").encode(),
        ["--missing-code", "age=-9", "--missing", "age=drop"],
    ),
}


@pytest.mark.parametrize("name", GOOD_DIALECTS)
def test_good_table_in_any_dialect(run: Run, work: Path, name: str) -> None:
    """The plain table and its dialects give the same classes."""
    (work / "plain.csv").write_text(HEADER + GOOD)
    plain = run("partition", "plain.csv", *ROLES, "--m", "2", "--labels-out", "plain-labels.csv")
    assert plain.code == 0
    content, extra = GOOD_DIALECTS[name]
    (work / "table.csv").write_bytes(content)
    outcome = run("partition", "table.csv", *ROLES, "--m", "2", "--labels-out", "labels.csv", *extra)
    assert outcome.code == 0
    assert (work / "labels.csv").read_text() == (work / "plain-labels.csv").read_text()


def test_question_mark_is_a_value_until_it_is_declared(run: Run, work: Path) -> None:
    (work / "table.csv").write_text(HEADER + GOOD + "p99,30,?,flu\n")
    outcome = run("check", "table.csv", *ROLES, "--json")
    assert json.loads(outcome.stdout)["quasi_identifiers"][1]["distinct"] == 3
    assert "--missing-code" in outcome.stderr


@pytest.mark.parametrize("name", ["text among numbers", "repeated id", "leading zeros"])
def test_values_are_shown_on_request_only(run: Run, work: Path, name: str) -> None:
    (work / "table.csv").write_bytes(FAULTY[name][0])
    hidden = run("check", "table.csv", *ROLES, "--id", "person")
    shown = run("check", "table.csv", *ROLES, "--id", "person", "--show-values")
    assert "for instance" not in hidden.stderr
    assert (
        f"(for instance {({'text among numbers': 'topsecret', 'repeated id': 'p1', 'leading zeros': '7'})[name]!r}"
        in (shown.stderr)
    )
