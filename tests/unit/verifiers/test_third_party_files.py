"""Files of anybody: encodings, packages, arguments; what is refused and in which words."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from third_party import ROLES

from minv_verifiers import InputError, TextFormat, UsageError, verify


@pytest.mark.parametrize(
    ("encoding", "delimiter", "newline"),
    [("utf-8", ",", "\n"), ("utf-8-sig", ",", "\r\n"), ("latin-1", ";", "\n"), ("utf-16", "\t", "\n")],
)
def test_encodings_and_delimiters(tmp_path: Path, encoding: str, delimiter: str, newline: str) -> None:
    """Text files in any declared encoding; a byte-order mark of UTF-8 needs no declaration."""
    path = tmp_path / "release.csv"
    lines = ["id,age,disease", "1,20-30,Rh\u00e9ume", "2,20-30,Fi\u00e8vre"]
    path.write_text(newline.join(line.replace(",", delimiter) for line in lines) + newline, encoding=encoding)
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    report = verify(path, text_format=TextFormat(encoding=declared, delimiter=delimiter), **ROLES)
    assert report.passed


def test_quoted_delimiters_and_newlines(tmp_path: Path) -> None:
    """A quoted comma or line end belongs to its field."""
    path = tmp_path / "release.csv"
    path.write_text('id,age,disease\n1,"[20, 30]","flu, or so"\n2,"[20, 30]","two\nlines"\n')
    report = verify(path, **ROLES)
    assert report.passed
    assert report.measures[0].rows == 2


def test_ids_spelled_differently_are_refused(tables: list[pd.DataFrame]) -> None:
    """`1` and `001` would pass for two people, hiding every violation."""
    text = tables[1].assign(id=["001", "003", "002", "004"])
    with pytest.raises(InputError, match=r"2 ids are the same as another id in a different spelling"):
        verify([tables[0], text], **ROLES)


@pytest.mark.parametrize("as_folder", [True, False])
def test_a_data_package(tmp_path: Path, tables: list[pd.DataFrame], as_folder: bool) -> None:
    """A package, by its folder or its file, stands for its resources in order, with their dialects."""
    for number, frame in enumerate(tables[:2], start=1):
        frame.to_csv(tmp_path / f"table-{number}.csv", index=False, sep=";", encoding="latin-1")
    listed = [
        {"path": f"table-{number}.csv", "encoding": "latin-1", "dialect": {"delimiter": ";"}}
        for number in (1, 2)
    ]
    (tmp_path / "datapackage.json").write_text(json.dumps({"resources": listed}))
    report = verify(tmp_path if as_folder else tmp_path / "datapackage.json", **ROLES)
    assert set(report.violated) == {"m-invariance", "tau-safety"}


@pytest.mark.parametrize("path", ["../x.csv", "/etc/x.csv", None, ["a.csv"]])
def test_a_package_may_not_point_outside(tmp_path: Path, path: Any) -> None:
    """Resources lie inside the package."""
    (tmp_path / "datapackage.json").write_text(json.dumps({"resources": [{"path": path}]}))
    with pytest.raises(InputError, match="inside the package"):
        verify(tmp_path, **ROLES)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"id;age;disease\n1;2;a\n", "try --delimiter ';'"),
        (b"id\tage\tdisease\n", r"try --delimiter '\t'"),
        (b"id,age,disease\n1,2,Fi\xe8vre\n", "not utf-8 at byte 21; try --encoding latin-1"),
        (b"id,age,disease,\n1,2,a,\n", "the header ends with a delimiter"),
        (b"id,age,age,disease\n", "column age occurs twice"),
        (b"id,age,disease\n1,2\n", "different numbers of fields"),
        (b"id,age\n1,2\n", "no column disease; it has id, age"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    """Each fault of a file has one line that says what to do, and no data."""
    path = tmp_path / "release.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        verify(path, **ROLES)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "frame",
    [
        pa.table({"id": [1], "age": [[1]], "disease": ["a"]}),
        pa.table({"id": [1], "age": [b"x"], "disease": ["a"]}),
        pa.table({"id": [1], "age": [{"a": 1}], "disease": ["a"]}),
    ],
    ids=["list", "bytes", "struct"],
)
def test_nested_columns_are_refused(frame: pa.Table) -> None:
    """Nested and binary values have no text."""
    with pytest.raises(InputError, match=r"column age: values of type .* are not supported"):
        verify(frame, **ROLES)


def test_a_file_that_is_no_parquet(tmp_path: Path) -> None:
    """A broken Parquet file is named."""
    path = tmp_path / "release.parquet"
    path.write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match=r"release.parquet: not a readable Parquet file"):
        verify(path, **ROLES)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "release.parquet",
            b"age,secret\n1,2\n",
            "not a readable Parquet file; save it again, or name a CSV",
        ),
        ("RELEASE.PARQUET", b"age,secret\n1,2\n", "not a readable Parquet file"),
        (
            "release.csv.gz",
            b"age,secret\n1,2\n",
            "not gzip-compressed, though its name ends in .gz; name a CSV",
        ),
        (
            "release.csv.gz",
            gzip.compress(b"age,secret\n" * 500, mtime=0)[:-20],
            "damaged or cut short; get or save it again",
        ),
        ("release.csv", gzip.compress(b"age,secret\n", mtime=0), "this is gzip-compressed; name it .csv.gz"),
        ("release.csv", b"PAR1 secret PAR1", "this is a Parquet file; name it .parquet"),
    ],
)
def test_a_name_that_promises_another_content(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    """One line with the file and what to do."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: .*{message}") as caught:
        verify(path, **ROLES)
    assert "secret" not in str(caught.value)


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    """Whatever the case of its name."""
    content = b"age,illness\n1,a\n1,b\n"
    (tmp_path / "release.CSV.GZ").write_bytes(gzip.compress(content))
    (tmp_path / "release.csv").write_bytes(content)
    compressed, plain = (
        verify(tmp_path / name, quasi_identifiers=["age"], sensitive="illness", m=2)
        for name in ("release.CSV.GZ", "release.csv")
    )
    assert compressed.passed
    assert plain.passed


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """A path that is not there, and a folder without a manifest."""
    with pytest.raises(InputError, match="no such file"):
        verify(tmp_path / "nowhere.csv", **ROLES)
    with pytest.raises(InputError, match=r"a folder without datapackage\.json"):
        verify(tmp_path, **ROLES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"m": None}, "the parameter m is missing"),
        ({"m": 0}, "m must be a whole number of at least 1"),
        ({"m": float("nan")}, "m must be a whole number of at least 1"),
        ({"m": 1.5}, "m must be a whole number of at least 1"),
        ({"m": True}, "m must be a whole number of at least 1"),
        ({"l_distinct": 0}, "l must be a whole number of at least 1"),
        ({"l_entropy": float("nan")}, "must be a number of at least 1"),
        ({"l_entropy": 0.5}, "must be a number of at least 1"),
        ({"l_entropy": float("inf")}, "must be a number of at least 1"),
        ({"model": "tau_safe"}, "unknown model; known are m-unique"),
        ({"l_diversity": 3}, "unknown option l_diversity; known are quasi_identifiers"),
        ({"sensitive": None}, "name the sensitive column"),
        ({"quasi_identifiers": []}, "name the quasi-identifiers"),
        ({"person": "age"}, "column age has two roles"),
        ({"quasi_identifiers": ["age:any=a,b"]}, "only an ordinal column has levels"),
        ({"quasi_identifiers": ["age:fuzzy=a,b"]}, "the kind is one of"),
        ({"public_only": True}, "--public-only is for a series folder"),
        ({"tables": ["a", "b"]}, "no such file"),
        ({"tables": [pd.DataFrame()] * 2}, "2 originals for 1 release;"),
        (
            {"person": None, "tables": [pd.DataFrame({"id": [1, 2], "age": 1, "disease": "a"})]},
            "name the id column",
        ),
    ],
)
def test_contradictory_arguments(tables: list[pd.DataFrame], change: dict[str, Any], message: str) -> None:
    """Usage errors name the option that mends them."""
    with pytest.raises((UsageError, InputError), match=re.escape(message)):
        verify(tables[0], **{**ROLES, **change})


def test_likely_missing_codes_are_proposed() -> None:
    """What looks like a missing value is named with its count and the option, and still judged as a value."""
    frame = pd.DataFrame({"id": range(4), "age": ["?", "?", "20", "20"], "disease": ["a", "NA", "a", "b"]})
    report = verify(frame, **ROLES)
    assert any(
        "column age: 2 cells are '?'" in note and "--missing-code '?'" in note for note in report.notes
    )
    assert any("column disease: 1 cell is 'NA'" in note for note in report.notes)
    assert report.passed


def test_hostile_column_names() -> None:
    """Column names that look like markup or like our own are columns like any other."""
    frame = pd.DataFrame({"<script>": range(2), "class": "20", "counterfeit": list("ab"), ("t", 1): 1})
    report = verify(frame, quasi_identifiers=["class"], sensitive="counterfeit", person="<script>", m=2)
    assert report.passed
