"""How users say which column plays which part."""

from pathlib import Path

import pytest

from minv.errors import DataError, UsageError
from minv.tables.levels import read_order, resolve
from minv.tables.roles import Kind, QuasiIdentifier, Roles, parse_quasi_identifier, quasi_identifiers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age", QuasiIdentifier("age")),
        ("age:numeric", QuasiIdentifier("age")),
        ("sex:nominal", QuasiIdentifier("sex", Kind.NOMINAL)),
        ("a:b", QuasiIdentifier("a:b")),
        ("a:b:nominal", QuasiIdentifier("a:b", Kind.NOMINAL)),
        ("grade:ordinal=up=down.txt", QuasiIdentifier("grade", Kind.ORDINAL, "up=down.txt")),
        ("job:nominal=x:nominal.csv", QuasiIdentifier("job", Kind.NOMINAL, "x:nominal.csv")),
        ("two\nlines:nominal", QuasiIdentifier("two\nlines", Kind.NOMINAL)),
    ],
)
def test_specification_is_read(text: str, expected: QuasiIdentifier) -> None:
    assert parse_quasi_identifier(text) == expected


@pytest.mark.parametrize("text", ["", ":nominal", "age:numeric=file.csv"])
def test_specification_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_quasi_identifier(text)


def test_mapping_and_weights() -> None:
    first, second = quasi_identifiers({"age": "numeric", "sex": "nominal"}, {"sex": 2})
    assert (first.kind, first.weight) == (Kind.NUMERIC, 1)
    assert (second.kind, second.weight) == (Kind.NOMINAL, 2)


def test_weight_of_a_stranger_is_refused() -> None:
    with pytest.raises(UsageError, match="'height'"):
        quasi_identifiers(["age"], {"height": 2})


@pytest.mark.parametrize("weight", [0, -1, float("inf"), float("nan")])
def test_weight_must_be_a_positive_number(weight: float) -> None:
    with pytest.raises(UsageError, match="positive"):
        quasi_identifiers(["age"], {"age": weight})


def test_unknown_kind_in_a_mapping_is_refused() -> None:
    with pytest.raises(UsageError, match="kinds are numeric, ordinal, nominal"):
        quasi_identifiers({"age": "number"})


def test_column_has_one_role_only() -> None:
    with pytest.raises(UsageError, match="'age' is given two roles"):
        Roles(quasi_identifiers(["age"]), "age")


def test_at_least_one_quasi_identifier() -> None:
    with pytest.raises(UsageError, match="at least one"):
        Roles((), "illness")


def test_order_file(tmp_path: Path) -> None:
    path = tmp_path / "order.txt"
    path.write_bytes("\ufefflow\r\nmiddle, really\r\nhigh\r\n".encode())
    assert resolve(QuasiIdentifier("grade", Kind.ORDINAL, str(path))).levels == (
        "low",
        "middle, really",
        "high",
    )


@pytest.mark.parametrize(
    ("content", "part"), [(b"", "empty"), (b"a\nb\na\n", "1 values"), (b"\xff\n", "UTF-8")]
)
def test_faulty_order_file(tmp_path: Path, content: bytes, part: str) -> None:
    path = tmp_path / "order.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=part):
        read_order(path)


def test_missing_order_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        read_order(tmp_path / "absent.txt")


def test_hierarchy_of_a_nominal_column_is_read(tmp_path: Path) -> None:
    path = tmp_path / "job.csv"
    path.write_text("cook;service;*\nmason;craft;*\n")
    column = resolve(QuasiIdentifier("job", Kind.NOMINAL, str(path)))
    assert column.source is None
    assert column.hierarchy is not None
    assert set(column.hierarchy.code_of_leaf) == {"cook", "mason"}


def test_intervals_are_no_hierarchy_of_a_nominal_column(tmp_path: Path) -> None:
    path = tmp_path / "age.toml"
    path.write_text("[intervals]\nlow = 0\nhigh = 100\nwidths = [10]\n")
    with pytest.raises(DataError, match="intervals"):
        resolve(QuasiIdentifier("age", Kind.NOMINAL, str(path)))
