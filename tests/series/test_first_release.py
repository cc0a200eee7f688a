"""What a first release leaves on the disk, and what it does not."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from minv.errors import DataError, UsageError
from minv.publish.series import Series

NewSeries = Callable[..., Series]

PUBLIC_FILES = {"datapackage.json", "release-0001.parquet"}
PRIVATE_FILES = {
    "settings.json",
    "key",
    "lock",
    "release-0001.parquet",
    "history-0001.parquet",
    "quality-0001.json",
}


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def public_bytes(series: Series) -> dict[str, bytes]:
    return files(series.path / "public")


def test_folder_holds_what_the_format_lists(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    series.publish(table)
    assert {path.name for path in (series.path / "public").iterdir()} == PUBLIC_FILES
    assert {path.name for path in (series.path / "private").iterdir()} == PRIVATE_FILES
    assert {path.name for path in series.path.iterdir()} == {"public", "private"}


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_rights_of_files_and_folders(new_series: NewSeries, table: pd.DataFrame, mask: int) -> None:
    series = new_series()
    before = os.umask(mask)
    try:
        series.publish(table)
    finally:
        os.umask(before)
    private = series.path / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in private.iterdir()} == {0o600}
    public = {stat.S_IMODE(path.stat().st_mode) for path in (series.path / "public").iterdir()}
    assert public == {0o644 & ~mask}
    assert stat.S_IMODE((series.path / "public").stat().st_mode) == 0o755 & ~mask


def test_public_file_holds_the_whitelist_only(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    path = series.publish(table).path
    with parquet.ParquetFile(path) as file:
        assert file.schema_arrow.names == ["class", "age", "sex", "illness"]
        assert file.schema_arrow.types == [pa.int64(), pa.string(), pa.string(), pa.string()]
        assert not any(field.nullable for field in file.schema_arrow)
        assert file.schema_arrow.metadata is None
        assert file.metadata.metadata is None
        assert file.metadata.num_row_groups == 1
        chunks = [file.metadata.row_group(0).column(place) for place in range(4)]
    assert {chunk.compression for chunk in chunks} == {"ZSTD"}
    assert not any("DICTIONARY" in encoding for chunk in chunks for encoding in chunk.encodings)


def test_manifest_holds_the_whitelist_only(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    series.publish(table, seed=7)
    manifest = json.loads((series.path / "public/datapackage.json").read_text())
    assert set(manifest) == {"$schema", "name", "minv", "resources"}
    assert set(manifest["minv"]) == {"format", "software", "m", "quasi_identifiers", "sensitive", "other"}
    (resource,) = manifest["resources"]
    assert set(resource) == {"name", "path", "format", "mediatype", "bytes", "hash", "schema", "minv"}
    assert resource["minv"] == {"release": 1, "counterfeits": {}}


def test_nothing_private_is_in_the_public_part(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series(release_format="csv")
    series.publish(table)
    everything = b"".join(public_bytes(series).values())
    for secret in (b"p00", b"person", b"confidential", b"note", b"seed", b'"il"', b"bound", b"settings"):
        assert secret not in everything


def test_publishing_the_quality_adds_two_digits_and_nothing_else(
    new_series: NewSeries, table: pd.DataFrame
) -> None:
    series = new_series()
    release = series.publish(table, publish_quality=True)
    own = json.loads((series.path / "public/datapackage.json").read_text())["resources"][0]["minv"]
    assert set(own) == {"release", "counterfeits", "il"}
    assert own["il"] == pytest.approx(release.partition.il, rel=0.05)
    assert len(str(own["il"]).replace(".", "").strip("0")) <= 2


@pytest.mark.parametrize("file_format", ["parquet", "csv"])
def test_same_input_seed_and_key_give_the_same_bytes(
    new_series: NewSeries, table: pd.DataFrame, file_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minv.series.folder.secrets.token_bytes", lambda size: b"k" * size)
    written = []
    for _ in range(2):
        series = new_series(release_format=file_format)
        series.publish(table, seed=3)
        content = files(series.path)
        written.append({name: content[name] for name in content if "quality" not in name})
    assert written[0] == written[1]


FORMS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "reversed": lambda table: table[::-1],
    "shuffled": lambda table: table.sample(frac=1, random_state=1),
    "other columns first": lambda table: table[["note", "illness", "sex", "age", "person"]],
    "odd index": lambda table: table.set_axis([5] * len(table)),
    "categories": lambda table: table.astype({"sex": "category", "illness": "category"}),
    "arrow backed": lambda table: table.convert_dtypes(dtype_backend="pyarrow"),
    "arrow": lambda table: pa.Table.from_pandas(table.sample(frac=1, random_state=2)),
    "floats": lambda table: table.astype({"age": "float64"}),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_order_of_rows_and_storage_leave_no_trace(
    new_series: NewSeries,
    table: pd.DataFrame,
    form: Callable[[pd.DataFrame], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("minv.series.folder.secrets.token_bytes", lambda size: b"k" * size)
    plain = new_series()
    plain.publish(table)
    other = new_series()
    other.publish(form(table))
    assert public_bytes(plain) == public_bytes(other)
    for name in ("release-0001.parquet", "history-0001.parquet"):
        assert (plain.path / "private" / name).read_bytes() == (other.path / "private" / name).read_bytes()


def test_rows_and_classes_are_ordered_by_published_content(
    new_series: NewSeries, table: pd.DataFrame
) -> None:
    published = pd.read_parquet(new_series().publish(table).path)
    content = [
        (tuple(group.iloc[0][["age", "sex"]]), list(group["illness"]))
        for _, group in published.groupby("class", sort=False)
    ]
    assert content == sorted(content)
    assert list(published["class"]) == sorted(published["class"])
    assert all(illnesses == sorted(illnesses) for _, illnesses in content)


def test_two_keys_give_two_orders_of_equal_persons(new_series: NewSeries) -> None:
    """Who of several equal persons is in which of several equal classes is known to the key alone."""
    table = pd.DataFrame(
        {"person": range(40), "age": 30, "sex": "f", "illness": ["flu", "gout", "cold", "HIV"] * 10}
    )
    partners = []
    for _ in range(2):
        series = new_series()
        series.publish(table)
        private = pd.read_parquet(series.path / "private/release-0001.parquet")
        partners.append({frozenset(group["id"]) for _, group in private.groupby("class")})
    assert partners[0] != partners[1]


HOSTILE = [
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    'line one\nline two, "quoted"',
    "carriage\rreturn",
    "{a,b}",
    r"\N",
    "",
    " ",
    "naïve Ω 漢字",
    "\x1b[31mred",
]


@pytest.mark.parametrize("file_format", ["parquet", "csv"])
def test_hostile_values_come_back_unchanged(new_series: NewSeries, file_format: str) -> None:
    count = len(HOSTILE)
    table = pd.DataFrame(
        {"person": HOSTILE, "age": range(count), "sex": HOSTILE[::-1], "illness": HOSTILE, "note": HOSTILE}
    )
    series = new_series(release_format=file_format)
    path = series.publish(table).path
    if file_format == "csv":
        published = pd.read_csv(path, dtype=str, keep_default_na=False, lineterminator="\n")
    else:
        published = pd.read_parquet(path)
    assert sorted(published["illness"]) == sorted(value.replace("\\", "\\\\") for value in HOSTILE)
    private = pd.read_parquet(series.path / "private/release-0001.parquet")
    assert set(private["id"]) == set(HOSTILE)


def test_columns_named_like_ours_are_refused(new_series: NewSeries) -> None:
    for name in ("class", "counterfeit", "status", "id"):
        with pytest.raises(UsageError, match=repr(name)):
            new_series(quasi_identifiers=["age", f"{name}:nominal"])


def test_the_id_column_may_be_called_id(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series(id="id")
    series.publish(table.rename(columns={"person": "id"}))
    assert set(pd.read_parquet(series.path / "private/release-0001.parquet")["id"]) == set(table["person"])


def test_column_published_unchanged(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series(other=["note"])
    published = pd.read_parquet(series.publish(table).path)
    assert list(published.columns) == ["class", "age", "sex", "illness", "note"]
    assert set(published["note"]) == {"confidential"}


def test_column_that_varies_within_a_class_is_refused(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series(other=["note"])
    with pytest.raises(DataError, match="'note' varies within"):
        series.publish(table.assign(note=table["person"]))
    assert not series.path.exists()


def test_missing_values_declared_a_category(new_series: NewSeries, table: pd.DataFrame) -> None:
    table = table.assign(
        age=table["age"].where(table.index > 2, np.nan), illness=table["illness"].where(table.index > 2, None)
    )
    series = new_series(missing=["category"])
    release = series.publish(table)
    published = pd.read_parquet(release.path)
    assert (published["illness"] == r"\N").sum() == 3
    assert release.figures["missing_values"] == {"age": 3, "illness": 3}
    settings = json.loads((series.path / "private/settings.json").read_text())
    assert settings["missing"] == dict.fromkeys(["age", "sex", "illness"], "category")
    assert settings["domain"][0] is None


def test_frame_is_not_changed(new_series: NewSeries, table: pd.DataFrame) -> None:
    copy = table.copy(deep=True)
    new_series().publish(table)
    pd.testing.assert_frame_equal(table, copy)


def test_folder_in_use_is_refused(new_series: NewSeries, table: pd.DataFrame, tmp_path: Path) -> None:
    series = new_series()
    series.path.mkdir()
    (series.path / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="other files"):
        series.publish(table)
    assert files(series.path) == {"thesis.txt": b"mine"}


def test_file_in_place_of_the_folder_is_refused(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    series.path.write_text("mine")
    with pytest.raises(DataError, match="this is a file"):
        series.publish(table)


def test_parent_that_does_not_exist_is_refused(table: pd.DataFrame, tmp_path: Path) -> None:
    series = Series.create(tmp_path / "a/b", id="person", quasi_identifiers=["age"], sensitive="illness", m=2)
    with pytest.raises(DataError, match="does not exist"):
        series.publish(table)


def test_empty_folder_is_accepted(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    series.path.mkdir()
    assert series.publish(table).number == 1


def test_creating_over_a_series_is_refused(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    series.publish(table)
    with pytest.raises(DataError, match="a series already"):
        Series.create(series.path, id="person", quasi_identifiers=["age"], sensitive="illness", m=2)
