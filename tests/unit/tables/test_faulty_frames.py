"""A table that cannot be used is refused in one line that names the column and the count, and no value."""

import datetime
import decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minv.errors import DataError, MinvError, UsageError
from minv.tables.microdata import Microdata
from minv.tables.missing import MissingPolicy, parse_missing
from minv.tables.opening import open_table
from minv.tables.roles import Roles, quasi_identifiers
from minv.tables.validation import read_microdata

ROLES = Roles(quasi_identifiers(["age", "sex:nominal"]), "illness", "person")


def frame(**columns: Any) -> pd.DataFrame:
    plain = {
        "person": ["p1", "p2", "p3"],
        "age": [30, 41, 65],
        "sex": ["m", "f", "f"],
        "illness": ["flu", "gout", "cold"],
    }
    return pd.DataFrame({**plain, **columns})


def read(table: Any, *policies: str, codes: tuple[str, ...] = (), roles: Roles = ROLES) -> Microdata:
    return read_microdata(open_table(table), roles, parse_missing(policies, codes, roles.columns))


FAULTS: dict[str, tuple[pd.DataFrame, list[str]]] = {
    "missing number": (frame(age=[30, None, np.nan]), ["'age'", "2 of 3"]),
    "missing text": (frame(sex=["m", pd.NA, None]), ["'sex'", "2 of 3"]),
    "missing date": (frame(sex=[pd.NaT, pd.NaT, pd.Timestamp("2020")]), ["'sex'", "2 of 3"]),
    "missing sensitive value": (frame(illness=["flu", None, "cold"]), ["'illness'", "1 of 3"]),
    "infinite": (frame(age=[30, np.inf, -np.inf]), ["'age'", "2 of 3", "infinite"]),
    "text among numbers": (frame(age=["30", "secret", "65"]), ["'age'", "1 of 3"]),
    "empty text among numbers": (frame(age=["30", "", "65"]), ["'age'", "1 of 3"]),
    "thousands separators": (frame(age=["1,000", "41", "65"]), ["'age'", "1 of 3"]),
    "not a number in text": (frame(age=["NaN", "inf", "65"]), ["'age'", "2 of 3"]),
    "underscores": (frame(age=["1_0", "41", "65"]), ["'age'", "1 of 3"]),
    "mixed types": (frame(sex=["secret", 1, 2]), ["'sex'", "2 int", "1 str"]),
    "truth among texts": (frame(sex=["secret", True, "f"]), ["'sex'", "2 str", "1 bool"]),
    "booleans as numbers": (frame(age=[True, False, True]), ["'age'", "boolean"]),
    "dates as numbers": (frame(age=[datetime.date(2020, 1, 1)] * 3), ["'age'", "date"]),
    "lists": (frame(sex=[["m"], ["f"], ["f"]]), ["'sex'", "list"]),
    "bytes": (frame(sex=[b"m", b"f", b"f"]), ["'sex'", "binary"]),
    "complex": (frame(age=[1j, 2j, 3j]), ["'age'", "complex"]),
    "durations": (frame(sex=[datetime.timedelta(1)] * 3), ["'sex'", "duration"]),
    "float ids": (frame(person=[1.0, 2.0, 3.0]), ["'person'", "whole numbers or text"]),
    "missing id": (frame(person=["p1", None, "p3"]), ["'person'", "1 id is missing"]),
    "missing number as id": (frame(person=[1, None, 3]), ["'person'", "1 id is missing"]),
    "repeated id": (frame(person=["p1", "p1", "p3"]), ["'person'", "1 id occurs more than once, in 2 rows"]),
    "leading zeros": (frame(person=["7", "007", "8"]), ["'person'", "1 number is", "leading zeros"]),
    "decimal point in an id": (frame(person=["7", "7.0", "8"]), ["'person'", "1 number is"]),
    "no rows": (frame().iloc[:0], ["no rows"]),
    "no such column": (frame().drop(columns="sex"), ["'sex'"]),
    "blank in a name": (frame().rename(columns={"age": " Age"}), ["'age'", "did you mean ' Age'"]),
    "id in the index": (frame().set_index("person"), ["'person'", "reset_index"]),
    "two columns of one name": (
        frame().set_axis(["person", "age", "age", "illness"], axis=1),
        ["columns 2, 3"],
    ),
    "number as a name": (frame().set_axis([0, 1, 2, 3], axis=1), ["column 1 is not text"]),
    "tuple as a name": (
        frame().set_axis(pd.MultiIndex.from_product([["x"], ["person", "age", "sex", "illness"]]), axis=1),
        ["column 1 is not text"],
    ),
    "empty name": (frame().set_axis(["person", "age", "", "illness"], axis=1), ["column 3 of 4 has no name"]),
}


@pytest.mark.parametrize(("table", "parts"), FAULTS.values(), ids=FAULTS)
def test_fault_is_named_in_one_line_without_a_value(table: pd.DataFrame, parts: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        read(table)
    message = str(caught.value)
    assert "\n" not in message
    assert "secret" not in message
    assert not [part for part in parts if part not in message]


@pytest.mark.parametrize("table", [[1, 2], {"a": [1]}, np.zeros((2, 2)), None])
def test_what_is_no_table_is_a_usage_error(table: Any) -> None:
    with pytest.raises(UsageError, match="pandas DataFrame or a pyarrow Table"):
        read(table)


def test_drop_leaves_rows_out_and_counts_them_once() -> None:
    table = frame(age=[30, None, 65], sex=["m", None, None])
    microdata = read(table, "drop")
    assert microdata.positions.tolist() == [0]
    assert microdata.dropped == {"age": 1, "sex": 1}
    assert microdata.input_rows == 3


def test_category_keeps_missing_values_as_values_of_their_own() -> None:
    microdata = read(frame(age=[30, None, 65], sex=["m", None, ""], illness=[None, "b", "a"]), "category")
    age, sex = microdata.attributes
    np.testing.assert_array_equal(age.values, [30, np.nan, 65])
    assert sex.levels == ("", "m")
    np.testing.assert_array_equal(sex.values, [1, np.nan, 0])
    assert microdata.sensitive_values == (None, "a", "b")
    assert microdata.colours.tolist() == [0, 2, 1]
    assert microdata.missing == {"age": 1, "sex": 1, "illness": 1}


def test_policy_of_one_column_goes_before_the_general_one() -> None:
    table = frame(age=[30, None, 65], sex=["m", "f", None])
    microdata = read(table, "drop", "sex=category")
    assert microdata.positions.tolist() == [0, 2]
    assert microdata.dropped == {"age": 1}


def test_nothing_left_after_dropping_is_an_error() -> None:
    with pytest.raises(DataError, match="no row is left"):
        read(frame(age=[np.nan] * 3), "drop")


@pytest.mark.parametrize(
    ("column", "values"),
    [("age", ["30", "-9", "65"]), ("age", [30, -9, 65]), ("age", [30.0, -9.0, 65.0])],
)
def test_declared_code_is_missing_in_text_and_numbers(column: str, values: list[Any]) -> None:
    microdata = read(frame(**{column: values}), "drop", codes=("-9",))
    assert microdata.positions.tolist() == [0, 2]


def test_code_of_one_column_stays_a_value_in_others() -> None:
    table = frame(sex=["m", "?", "f"], illness=["flu", "gout", "?"])
    microdata = read(table, "drop", codes=("sex=?",))
    assert microdata.positions.tolist() == [0, 2]
    assert microdata.sensitive_values == ("?", "flu")


def test_rule_for_a_column_without_a_role_is_refused() -> None:
    with pytest.raises(UsageError, match="'height'"):
        read(frame(), "height=drop")


def test_undeclared_signs_of_missing_values_are_pointed_out() -> None:
    microdata = read(frame(sex=["m", "?", "NA"]))
    assert len(microdata.warnings) == 1
    assert "'sex': 2 values" in microdata.warnings[0]


def test_near_synonyms_of_sensitive_values_are_pointed_out() -> None:
    warnings = read(frame(illness=["Flu ", "flu", "gout"])).warnings
    assert len(warnings) == 1
    assert "'illness': 1 value " in warnings[0]
    assert "flu" not in warnings[0].casefold()


def test_decimals_are_numbers_without_trailing_zeros() -> None:
    values = [decimal.Decimal("1.50"), decimal.Decimal("1E+2"), decimal.Decimal("-0.0")]
    numeric = read(frame(age=values)).attributes[0]
    np.testing.assert_array_equal(numeric.values, [1.5, 100, 0])
    nominal = read(frame(sex=values)).attributes[1]
    assert nominal.levels == ("0", "1.5", "100")


@pytest.mark.parametrize("text", ["median", "", "Error"])
def test_unknown_policy_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="policies are error, category, drop"):
        parse_missing([text])


def test_policies_can_be_given_as_a_mapping() -> None:
    rules = parse_missing({"age": "drop"}, columns=["age"])
    assert rules.policy("age") is MissingPolicy.DROP
    assert rules.policy("sex") is MissingPolicy.ERROR


def test_every_error_of_reading_is_one_of_ours() -> None:
    with pytest.raises(MinvError):
        read(frame(age=[object(), object(), object()]))
