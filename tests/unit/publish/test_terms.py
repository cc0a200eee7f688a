"""Terms as users give them: complete for a new series, comparable with an old one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minv.errors import DataError, UsageError
from minv.publish.schema import check_schema, column_families
from minv.publish.terms import Terms
from minv.series.settings import Settings
from minv.tables.columns import Family

GIVEN: dict[str, Any] = {
    "id": "person",
    "quasi_identifiers": ["age", "sex:nominal"],
    "sensitive": "illness",
    "m": 3,
    "missing": ["age=drop"],
    "missing_codes": ["?"],
    "weights": {"age": 2.0},
}


def test_defaults_of_a_new_series() -> None:
    settings = Terms(id="person", quasi_identifiers=["age"], sensitive="illness", m=2).settings()
    assert settings.private_part() == {
        "format": 1,
        "id": "person",
        "model": "tau-safe",
        "on_update": "suppress",
        "missing": {},
        "missing_codes": {},
        "weights": {},
        "hierarchies": {},
        "domain": [],
        "columns": {},
        "release_format": "parquet",
        "max_class_size": None,
    }


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"id": None}, "--id"),
        ({"sensitive": None}, "--sensitive"),
        ({"m": None}, "--m"),
        ({"quasi_identifiers": None, "weights": {}}, "at least one quasi-identifier .--qi"),
        ({"model": "k-anonymous"}, "tau-safe, m-invariant"),
        ({"on_update": "ignore"}, "suppress, disjoint"),
        ({"release_format": "xlsx"}, "parquet, csv"),
        ({"missing": ["height=drop"]}, "'height'"),
        ({"weights": {"height": 1}}, "'height'"),
    ],
)
def test_terms_that_make_no_sense(change: dict[str, Any], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        Terms(**{**GIVEN, **change}).settings()


def test_same_terms_and_no_terms_are_accepted() -> None:
    settings = Terms(**GIVEN).settings()
    Terms(**GIVEN).check(settings)
    Terms().check(settings)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"m": 4}, "^m is fixed"),
        ({"id": "name"}, "id column"),
        ({"sensitive": "job"}, "sensitive column"),
        ({"quasi_identifiers": ["age"]}, "quasi-identifiers"),
        ({"quasi_identifiers": ["sex:nominal", "age"]}, "quasi-identifiers"),
        ({"quasi_identifiers": ["age", "sex:ordinal"]}, "quasi-identifiers"),
        ({"weights": {"age": 3}}, "quasi-identifiers"),
        ({"model": "m-invariant"}, "model"),
        ({"on_update": "disjoint"}, "policy for updates"),
        ({"missing": ["age=category"]}, "missing values"),
        ({"missing_codes": ["-9"]}, "missing values"),
        ({"release_format": "csv"}, "format"),
        ({"max_class_size": 4}, "class size"),
        ({"other": ["year"]}, "other columns"),
        ({"domain": ["flu"]}, "domain"),
    ],
)
def test_other_terms_than_those_of_the_series(change: dict[str, Any], part: str) -> None:
    settings = Terms(**GIVEN).settings()
    with pytest.raises(UsageError, match=part):
        Terms(**{**GIVEN, **change}).check(settings)


def test_order_file_is_compared_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "order.txt"
    path.write_text("low\nhigh\n")
    given = Terms(id="person", quasi_identifiers=[f"grade:ordinal={path}"], sensitive="illness", m=2)
    settings = given.settings()
    given.check(settings)
    path.write_text("low\nmiddle\nhigh\n")
    with pytest.raises(UsageError, match="quasi-identifiers"):
        given.check(settings)


FIRST = {"person": Family.NUMBER, "age": Family.NUMBER, "job": Family.TEXT, "note": Family.OTHER}


def settings_with_columns() -> Settings:
    return replace(Terms(**GIVEN).settings(), columns=FIRST)


@pytest.mark.parametrize(
    ("names", "families", "part"),
    [
        (["person", "age", "job", "note", "more"], {}, "new: more"),
        (["person", "age", "job"], {}, "missing: note"),
        (["person", "age", "job", "Note"], {}, "new: Note; missing: note"),
        (list(FIRST), {"age": Family.TEXT}, "of another type: age .was number, now text"),
        (list(FIRST), {"job": Family.BOOLEAN}, "of another type: job"),
        (list(FIRST), {"person": Family.DATE}, "of another type: person"),
    ],
)
def test_drift_of_the_schema(names: list[str], families: dict[str, Family], part: str) -> None:
    with pytest.raises(DataError, match=part):
        check_schema(settings_with_columns(), names, families)


@pytest.mark.parametrize(
    ("names", "families"),
    [
        (list(FIRST), {"age": Family.NUMBER, "job": Family.TEXT}),
        (list(reversed(FIRST)), {}),
        (list(FIRST), {"job": Family.NUMBER}),
        (list(FIRST), {"age": Family.OTHER}),
    ],
)
def test_no_drift(names: list[str], families: dict[str, Family]) -> None:
    check_schema(settings_with_columns(), names, families)


def test_columns_without_a_role_have_no_family() -> None:
    assert column_families(["a", "b"], {"a": Family.DATE}) == {"a": Family.DATE, "b": Family.OTHER}
