"""The same rows give the same microdata, whatever index, dtype or backend they come in."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from minv.tables.microdata import Microdata
from minv.tables.missing import parse_missing
from minv.tables.opening import open_table
from minv.tables.roles import Roles, quasi_identifiers
from minv.tables.validation import read_microdata

ROLES = Roles(quasi_identifiers(["age", "sex:nominal"]), "illness", "person")
PLAIN = pd.DataFrame(
    {
        "person": [7, 8, 9, 10],
        "age": [30, 41, 30, 65],
        "sex": ["m", "f", "f", "m"],
        "illness": ["flu", "gout", "cold", "flu"],
    }
)


def read(table: Any) -> Microdata:
    return read_microdata(open_table(table), ROLES, parse_missing())


def assert_same(found: Microdata, expected: Microdata) -> None:
    assert found.colours.tolist() == expected.colours.tolist()
    assert found.sensitive_values == expected.sensitive_values
    assert found.ids is not None
    assert expected.ids is not None
    assert found.ids.tolist() == expected.ids.tolist()
    for attribute, other in zip(found.attributes, expected.attributes, strict=True):
        assert attribute.levels == other.levels
        np.testing.assert_array_equal(attribute.values, other.values)
    assert found.positions.tolist() == expected.positions.tolist()


FORMS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "index from 10": lambda frame: frame.set_axis([10, 11, 12, 13]),
    "shuffled index": lambda frame: frame.set_axis([2, 0, 3, 1]),
    "repeated index": lambda frame: frame.set_axis([1, 1, 1, 1]),
    "text index": lambda frame: frame.set_axis(list("dcba")),
    "several index levels": lambda frame: frame.set_axis(
        pd.MultiIndex.from_tuples([(1, "a"), (1, "b"), (0, "a"), (0, "a")])
    ),
    "filtered": lambda frame: pd.concat([frame, frame])[4:],
    "numpy nullable": lambda frame: frame.convert_dtypes(),
    "arrow backed": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "object": lambda frame: frame.astype(object),
    "numbers as text": lambda frame: frame.astype(str),
    "numbers with blanks": lambda frame: frame.assign(age=[" 30", "41 ", "+30", "65.0"]),
    "floats": lambda frame: frame.assign(age=frame["age"].astype("float32")),
    "category with unused levels": lambda frame: frame.assign(
        sex=pd.Categorical(frame["sex"], categories=["x", "m", "f", "a"])
    ),
    "ordered category": lambda frame: frame.assign(
        illness=pd.Categorical(frame["illness"], categories=["gout", "flu", "cold"], ordered=True)
    ),
    "arrow table": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "arrow chunks": lambda frame: pa.concat_tables(
        [
            pa.Table.from_pandas(frame[:1], preserve_index=False),
            pa.Table.from_pandas(frame[1:], preserve_index=False),
        ]
    ),
    "arrow dictionaries": lambda frame: pa.table(
        {name: pa.array(frame[name]).dictionary_encode() for name in frame.columns}
    ),
    "other columns": lambda frame: frame.assign(nested=[[1], [2], [3], [4]]),
    "other order": lambda frame: frame[["illness", "sex", "age", "person"]],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_any_form_reads_alike(form: Callable[[pd.DataFrame], Any]) -> None:
    assert_same(read(form(PLAIN.copy())), read(PLAIN))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_reading_changes_nothing_in_the_callers_table(form: Callable[[pd.DataFrame], Any]) -> None:
    table = form(PLAIN.copy())
    copy = form(PLAIN.copy())
    read(table)
    if isinstance(table, pd.DataFrame):
        pd.testing.assert_frame_equal(table, copy)
    else:
        assert table.equals(copy)


def test_large_whole_numbers_keep_all_digits() -> None:
    frame = PLAIN.assign(person=[2**60 + 1, 2**60 + 2, 2**60 + 3, 5])
    ids = read(frame).ids
    assert ids is not None
    assert ids.tolist() == ["1152921504606846977", "1152921504606846978", "1152921504606846979", "5"]


def test_true_and_dates_are_written_as_the_format_says() -> None:
    stamps = pd.to_datetime(["2024-05-01", "2024-05-01 13:30", "2024-05-02", "2024-05-01"], format="ISO8601")
    frame = PLAIN.assign(sex=[True, False, False, True], illness=stamps)
    microdata = read(frame)
    assert microdata.attributes[1].levels == ("false", "true")
    assert microdata.sensitive_values == ("2024-05-01", "2024-05-01 13:30:00", "2024-05-02")
