"""How users say which column plays which part."""

from pathlib import Path

import pytest

from minv.errors import DataError, UsageError
from minv.hierarchy import Intervals, flat_hierarchy
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
        ("age:numeric=file.csv", QuasiIdentifier("age", source="file.csv")),
        ("two\nlines:nominal", QuasiIdentifier("two\nlines", Kind.NOMINAL)),
    ],
)
def test_specification_is_read(text: str, expected: QuasiIdentifier) -> None:
    assert parse_quasi_identifier(text) == expected


@pytest.mark.parametrize("text", ["", ":nominal"])
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
    ("content", "part"), [(b"", "empty"), (b"a\nb\na\n", "1 value is"), (b"\xff\n", "UTF-8")]
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


def test_intervals_and_listed_numbers_are_read_for_numeric_columns(tmp_path: Path) -> None:
    path = tmp_path / "age.toml"
    path.write_text("[intervals]\nlow = 0\nhigh = 100\nwidths = [10]\n")
    column = resolve(QuasiIdentifier("age", source=str(path)), number_trees=True)
    assert column.intervals is not None
    assert (column.source, column.intervals.low, column.intervals.high) == (None, 0, 100)
    path = tmp_path / "age.csv"
    path.write_text("10;old;*\n2;young;*\n")
    column = resolve(QuasiIdentifier("age", source=str(path)), number_trees=True)
    assert column.hierarchy is not None
    assert column.hierarchy.labels[:2] == ("2", "10")
    again = resolve(QuasiIdentifier("age", hierarchy=column.hierarchy), number_trees=True)
    assert again.hierarchy is not None
    assert again.hierarchy.penalties.tolist() == column.hierarchy.penalties.tolist()
    path.write_text("10;old;*\ntwo;young;*\n")
    with pytest.raises(DataError, match=r"age.csv: 1 of 2 values is no finite number"):
        resolve(QuasiIdentifier("age", source=str(path)), number_trees=True)


def test_trees_of_numbers_are_refused_where_none_is_published(tmp_path: Path) -> None:
    for column in (
        QuasiIdentifier("age", source=str(tmp_path / "absent.toml")),
        QuasiIdentifier("age", intervals=Intervals.of_widths(0, 9, [3])),
        QuasiIdentifier("age", hierarchy=flat_hierarchy(["1"])),
    ):
        with pytest.raises(UsageError, match="'age': intervals of numbers are for minv kanon"):
            resolve(column)


def test_hierarchies_and_intervals_of_the_wrong_kind_are_refused() -> None:
    intervals = Intervals.of_widths(0, 9, [3])
    with pytest.raises(UsageError, match="an ordinal column has no hierarchy"):
        QuasiIdentifier("grade", Kind.ORDINAL, hierarchy=flat_hierarchy(["1"]))
    with pytest.raises(UsageError, match="only a numeric column has intervals"):
        QuasiIdentifier("job", Kind.NOMINAL, intervals=intervals)
    with pytest.raises(UsageError, match="no hierarchy beside them"):
        QuasiIdentifier("age", hierarchy=flat_hierarchy(["1"]), intervals=intervals)
