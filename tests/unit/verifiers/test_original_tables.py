"""A series with its private part against the original tables, as the custodian has them."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from minv_verifiers import InputError, Status, verify

Changes = dict[str, Any]


def originals(builder: ModuleType) -> list[pd.DataFrame]:
    """The tables that the good series was made from."""
    return [
        pd.DataFrame(
            [(row.person, *row.values, row.sensitive) for row in plan.rows],  # noqa: PD011
            columns=["person", "age", "sex", "disease"],
        )
        for plan in builder.good_plans()
    ]


def test_the_true_tables_pass(builder: ModuleType, good_series: Path) -> None:
    """In any order of rows and columns, ages as numbers or text, with an index of any kind."""
    tables = originals(builder)
    assert verify(good_series, tables=tables).passed
    changed = [table.sample(frac=1, random_state=1)[["sex", "disease", "age", "person"]] for table in tables]
    assert verify(good_series, tables=[table.astype({"age": int}) for table in changed]).passed


def add_person(table: pd.DataFrame) -> pd.DataFrame:
    """Someone the private part does not know."""
    return pd.concat([table, table.iloc[:1].assign(person="99")])


def double_person(table: pd.DataFrame) -> pd.DataFrame:
    """Someone twice."""
    return pd.concat([table, table.iloc[:1]])


def lose_person(table: pd.DataFrame) -> pd.DataFrame:
    """Someone that the table never had."""
    return table.iloc[1:]


def change_value(table: pd.DataFrame) -> pd.DataFrame:
    """Another disease."""
    return table.assign(disease=["mumps", *table["disease"][1:]])


def change_age(table: pd.DataFrame) -> pd.DataFrame:
    """Another age within the published interval."""
    return table.assign(age=["23", *table["age"][1:]])


def change_sex(table: pd.DataFrame) -> pd.DataFrame:
    """Another sex within the published set."""
    return table.assign(sex=["f", *table["sex"][1:]])


@pytest.mark.parametrize(
    ("change", "rule", "message"),
    [
        (add_person, "nobody-lost", "row 8 of original 1 is not in the private part"),
        (double_person, "nobody-lost", "row 8 of original 1 is not in the private part"),
        (lose_person, "nobody-invented", "row 1 of private/release-0001.parquet is not in the table"),
        (
            change_value,
            "sensitive-truthful",
            "row 1 of private/release-0001.parquet has another sensitive value",
        ),
        (change_age, "cells-contain-truth", "row 1 of private/release-0001.parquet has another value of age"),
        (change_sex, "cells-contain-truth", "row 1 of private/release-0001.parquet has another value of sex"),
    ],
)
def test_each_difference_is_found(
    builder: ModuleType, good_series: Path, change: Any, rule: str, message: str
) -> None:
    """The rule that a difference breaks, the row, and nothing else."""
    tables = originals(builder)
    report = verify(good_series, tables=[change(tables[0]), *tables[1:]])
    assert report.violated == (rule,)
    witnesses = report.outcome(rule).witnesses
    assert len(witnesses) == 1
    assert witnesses[0].release == 1
    assert witnesses[0].message.startswith(message)
    assert witnesses[0].raw["id"] in ("1", "99")


def test_dropped_rows_are_no_loss(builder: ModuleType, good_series: Path) -> None:
    """Rows with a missing value in a column of policy `drop`, by its declared codes, need not be there."""
    path = good_series / "private" / "settings.json"
    settings = json.loads(path.read_text())
    settings["missing"], settings["missing_codes"] = {"sex": "drop"}, {"sex": ["?"]}
    path.write_text(json.dumps(settings))
    tables = originals(builder)
    for text in ("?", ""):
        extra = tables[0].iloc[:1].assign(person="99", sex=text)
        assert verify(good_series, tables=[pd.concat([tables[0], extra]), *tables[1:]]).passed
    other = tables[0].iloc[:1].assign(person="99", sex="-")
    report = verify(good_series, tables=[pd.concat([tables[0], other]), *tables[1:]])
    assert report.violated == ("nobody-lost",)


def test_numbers_are_compared_as_numbers(builder: ModuleType, good_series: Path) -> None:
    """`20.0` in the table is the `20` of the private part; ids of a numeric column likewise."""
    path = good_series / "private" / "settings.json"
    settings = json.loads(path.read_text())
    settings["columns"] = {"person": "number"}
    path.write_text(json.dumps(settings))
    tables = [
        table.assign(age=table["age"] + ".0", person=table["person"] + ".0") for table in originals(builder)
    ]
    assert verify(good_series, tables=tables).passed


def test_tables_need_their_place(builder: ModuleType, good_series: Path) -> None:
    """One table a release, ids in it, and a private part to compare with."""
    tables = originals(builder)
    with pytest.raises(InputError, match="2 original tables for 3 releases"):
        verify(good_series, tables=tables[:2])
    with pytest.raises(InputError, match="left aside"):
        verify(good_series, tables=tables, public_only=True)
    with pytest.raises(InputError, match="no column person"):
        verify(good_series, tables=[table.drop(columns="person") for table in tables])
    with pytest.raises(InputError, match="1 row has no id"):
        verify(good_series, tables=[tables[0].assign(person=[None, *tables[0]["person"][1:]]), *tables[1:]])


def test_missing_values_as_a_category(builder: ModuleType, tmp_path: Path) -> None:
    """Missing values in a numeric, a nominal and the sensitive column: cells, loss and history."""
    plan = builder.Plan(
        [
            builder.Row("1", ("20", "m"), "flu", "a"),
            builder.Row("2", (None, "f"), None, "a"),
            builder.Row("3", (None, None), "flu", "b"),
            builder.Row("4", (None, "m"), "gout", "b"),
            builder.Row("5", ("7", "m"), "gout", "c"),
            builder.Row("6", ("9", "m"), "back\\slash", "c"),
        ]
    )
    root = builder.build(
        tmp_path / "s", [plan], missing={"age": "category", "sex": "category", "disease": "category"}
    )
    report = verify(root)
    assert report.violated == ()
    assert report.outcome("loss-recomputed").status is Status.PASSED
    assert "[20, 20] or \\N" in builder.read_release(root, 1)["age"]


def test_ordinal_levels_weights_and_hostile_values(builder: ModuleType, tmp_path: Path) -> None:
    """Levels with commas, weights, sets with every special character: cells and loss as the format says."""
    levels = ("low", "mid, or so", "high")
    plan = builder.Plan(
        [
            builder.Row("1", ("low", "{x}"), "<script>", "a"),
            builder.Row("2", ("mid, or so", "a,b"), "=cmd", "a"),
            builder.Row("3", ("high", "[1, 2]"), "new\nline", "b"),
            builder.Row("4", ("mid, or so", "\\"), "\u202e", "b"),
            builder.Row("5", ("high", "\u00e9"), "<script>", "c"),
            builder.Row("6", ("high", "z"), "=cmd", "c"),
        ]
    )
    for release_format in ("parquet", "csv"):
        root = builder.build(
            tmp_path / release_format,
            [plan],
            quasi_identifiers=(("level", "ordinal"), ("place", "nominal")),
            levels={"level": levels},
            weights={"level": 4.0},
            release_format=release_format,
        )
        assert verify(root).violated == ()
