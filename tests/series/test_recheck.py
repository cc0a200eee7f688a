"""The last look finds whatever is wrong with written files."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from minv.errors import MinvError
from minv.publish.series import Series
from minv.series.checksum import checksum
from minv.series.columns import to_table, write_parquet
from minv.series.folder import read_state
from minv.series.history import History
from minv.series.layout import Layout
from minv.series.recheck import Written, recheck
from minv.series.settings import OnUpdate


class Files:
    """A good release in its own files, to be spoilt."""

    def __init__(self, series: Series) -> None:
        layout = Layout(series.path)
        state = read_state(layout)
        self.settings = state.settings
        self.entry = state.entries[0]
        self.written = Written(
            layout.public_release(1, "parquet"), layout.private_release(1), layout.history(1)
        )

    def change(self, path: Path, change: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
        table = parquet.read_table(path)
        frame = change(table.to_pandas(types_mapper=pd.ArrowDtype))
        spoilt = pa.Table.from_pandas(frame, preserve_index=False).cast(
            pa.schema([table.schema.field(name) for name in frame.columns if name in table.schema.names])
            if set(frame.columns) <= set(table.schema.names)
            else None
        )
        with path.open("wb") as file:
            write_parquet(spoilt, file)
        size, sha256 = checksum(self.written.public)
        self.entry = replace(self.entry, bytes=size, sha256=sha256)

    def check(self, before: History | None = None) -> None:
        recheck(self.settings, self.entry, self.written, before or History.empty())


@pytest.fixture
def good(new_series: Callable[..., Series], table: pd.DataFrame) -> Files:
    series = new_series()
    series.publish(table)
    return Files(series)


def test_good_files_pass(good: Files) -> None:
    good.check()


def swap_values(frame: pd.DataFrame) -> pd.DataFrame:
    """Exchange the sensitive values of the first and the last row."""
    frame = frame.copy()
    first, last = frame.index[0], frame.index[-1]
    frame.loc[[first, last], "illness"] = frame.loc[[last, first], "illness"].to_numpy()
    return frame


PUBLIC: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], str]] = {
    "a row is lost": (lambda frame: frame[:-1], "2-unique"),
    "a class is lost": (lambda frame: frame[frame["class"] > 1], "numbered"),
    "rows in another order": (lambda frame: frame[::-1], "numbered"),
    "rows of a class in another order": (lambda frame: frame.iloc[[1, 0, *range(2, len(frame))]], "rows"),
    "values of two classes exchanged": (swap_values, "rows|unique"),
    "a wider cell": (
        lambda frame: frame.assign(age=frame["age"].where(frame["class"] != 1, "[0, 120]")),
        "tight",
    ),
    "a cell of one row": (lambda frame: frame.assign(age=["1", *frame["age"][1:]]), "varies"),
    "twice the same value": (
        lambda frame: frame.assign(illness=frame["illness"].where(frame["class"] != 1, "flu")),
        "unique",
    ),
}


@pytest.mark.parametrize(("change", "part"), PUBLIC.values(), ids=PUBLIC)
def test_fault_in_the_public_file(
    good: Files, change: Callable[[pd.DataFrame], pd.DataFrame], part: str
) -> None:
    good.change(good.written.public, change)
    with pytest.raises(MinvError, match=part):
        good.check()


def test_flipped_byte_is_noticed(good: Files) -> None:
    content = bytearray(good.written.public.read_bytes())
    content[10] ^= 1
    good.written.public.write_bytes(bytes(content))
    with pytest.raises(MinvError, match="changed"):
        good.check()


def test_missing_column_is_noticed(good: Files) -> None:
    good.entry = replace(good.entry, columns=(*good.entry.columns, "more"))
    with pytest.raises(MinvError, match="other columns"):
        good.check()


PRIVATE: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], str]] = {
    "another age": (lambda frame: frame.assign(age=["17", *frame["age"][1:]]), "tight"),
    "another sex": (lambda frame: frame.assign(sex=["x", *frame["sex"][1:]]), "tight"),
    "another value": (
        lambda frame: frame.assign(illness=["plague", *frame["illness"][1:]]),
        "different rows",
    ),
    "another class": (
        lambda frame: frame.assign(**{"class": frame["class"][::-1].to_numpy()}),
        "different rows",
    ),
    "a row is lost": (lambda frame: frame[1:], "different rows"),
    "a person called a counterfeit": (
        lambda frame: frame.assign(counterfeit=[True, *frame["counterfeit"][1:]]),
        "counterfeits",
    ),
}


@pytest.mark.parametrize(("change", "part"), PRIVATE.values(), ids=PRIVATE)
def test_fault_in_the_private_file(
    good: Files, change: Callable[[pd.DataFrame], pd.DataFrame], part: str
) -> None:
    good.change(good.written.private, change)
    with pytest.raises(MinvError, match=part):
        good.check()


def test_class_of_counterfeits_alone_is_noticed(good: Files) -> None:
    good.change(good.written.private, lambda frame: frame.assign(counterfeit=frame["class"] == 1))
    counts = parquet.read_table(good.written.private).column("counterfeit").to_pylist().count(True)
    good.entry = replace(good.entry, counterfeits={1: counts})
    with pytest.raises(MinvError, match="without a person"):
        good.check()


def test_signature_that_is_not_in_the_history_is_noticed(good: Files) -> None:
    good.change(good.written.history, lambda frame: frame.assign(signature='["flu","plague"]'))
    with pytest.raises(MinvError, match="not in the history"):
        good.check()


def remembering(good: Files, *signatures: tuple[str, ...]) -> History:
    """Return a history in which every person has these signatures."""
    history = History.empty()
    people: Any = parquet.read_table(good.written.private).column("id").to_pylist()
    for signature in signatures:
        history = history.after(1, dict.fromkeys(people, signature))
    return history


def test_other_signature_than_before_is_noticed(good: Files) -> None:
    with pytest.raises(MinvError, match="remembered signature"):
        good.check(remembering(good, ("flu", "plague")))


def test_disjoint_signature_needs_its_policy(good: Files) -> None:
    before = remembering(good, ("plague", "rabies"))
    with pytest.raises(MinvError, match="remembered signature"):
        good.check(before)
    good.settings = replace(good.settings, on_update=OnUpdate.DISJOINT)
    good.check(before)
    with pytest.raises(MinvError, match="remembered signature"):
        good.check(remembering(good, ("plague", "rabies"), ("flu", "plague")))


def test_table_of_all_types_is_written_as_it_is() -> None:
    table = to_table(
        {
            "class": np.ma.MaskedArray([1, 2], mask=[False, True]),
            "counterfeit": np.array([True, False]),
            "id": np.array(["a", None], dtype=object),
        },
        nullable=True,
    )
    assert table.to_pydict() == {"class": [1, None], "counterfeit": [True, False], "id": ["a", None]}
