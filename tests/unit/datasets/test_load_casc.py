"""The CASC tables: from a path, from MINV_DATA, or converted from the R package's files."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from minv_datasets import (
    CASC_COLUMNS,
    EIA_COLUMNS,
    DataError,
    UnavailableError,
    UsageError,
    casc,
    load_casc,
)
from minv_datasets.reference import ReferenceFile, sha256_of

SHAPES = {"tarragona": (834, 13), "census": (1080, 13), "eia": (4092, 15)}


@pytest.mark.parametrize(("name", "shape"), SHAPES.items())
def test_reference_files(name, shape, data_folder):
    """Shape, integers throughout but for the names, no gap."""
    frame = load_casc(name)
    assert frame.shape == shape
    pd.testing.assert_frame_equal(frame, load_casc(name, data_folder / f"{name}.csv"))
    numbers = frame[list(CASC_COLUMNS[name])]
    assert (numbers.dtypes == "int64").all()
    assert not frame.isna().any(axis=None)


def test_the_literatures_eia_has_eleven_attributes():
    """The utility and the ten revenues and sales; not the year and the month."""
    assert len(EIA_COLUMNS) == 11
    assert {"YEAR", "MONTH", "UTILNAME", "STATE"}.isdisjoint(EIA_COLUMNS)


def test_totals_are_sums_in_eia(data_folder):
    """TOTREVENUE is the sum of the four sectors but for rounding: columns stand under their right names."""
    frame = load_casc("eia")
    parts = frame[["RESREVENUE", "COMREVENUE", "INDREVENUE", "OTHREVENUE"]].sum(axis="columns")
    assert (np.abs(parts - frame["TOTREVENUE"]) <= 2).mean() > 0.99


def test_unknown_name():
    """The message lists the names there are."""
    with pytest.raises(UsageError, match="tarragona, census, eia"):
        load_casc("iris")


def test_offline_without_a_file(no_data, monkeypatch):
    """One line: the variable, the file, its sha256 and where it comes from; nothing is left in the cache."""
    monkeypatch.setattr(casc, "R_PACKAGE_FILES", "http://127.0.0.1:9/nobody-listens")
    with pytest.raises(UnavailableError) as caught:
        load_casc("census")
    message = str(caught.value)
    for wanted in ("census.csv", "MINV_DATA", "40fb91564d43", "CASCrefmicrodata.rda", "research.cbs.nl"):
        assert wanted in message
    assert "\n" not in message
    assert not no_data.exists() or not list(no_data.iterdir())


def test_a_wrong_file_in_the_data_folder_is_refused(no_data, tmp_path, monkeypatch):
    """A file under the right name with other bytes is not taken silently."""
    (tmp_path / "eia.csv").write_text("UTILITYID\n1\n")
    monkeypatch.setenv("MINV_DATA", str(tmp_path))
    with pytest.raises(DataError, match="sha256"):
        load_casc("eia")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a readable CSV"),
        ("A,B\n1,2\n", "must have the 13 columns"),
        (",".join(CASC_COLUMNS["tarragona"]) + "\n" + ",".join(["1"] * 12) + ",\n", "whole numbers"),
        (",".join(CASC_COLUMNS["tarragona"]) + "\n" + ",".join(["1.5"] * 13) + "\n", "whole numbers"),
    ],
)
def test_files_that_are_not_the_table(text, reason, tmp_path):
    """What is given by path is checked for its layout."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=reason):
        load_casc("tarragona", path)
    with pytest.raises(DataError, match="no file"):
        load_casc("tarragona", tmp_path / "absent.csv")


class TestDownload:
    """The R file is fetched, checked, converted, checked again and kept."""

    @pytest.fixture
    def small_table(self, no_data, served, monkeypatch):
        """A table of the layout of EIA with two rows, served as R data."""
        rdata = pytest.importorskip("rdata", reason="the extra `casc` is not installed")
        columns = casc._TABLES["eia"].columns
        row = {column: [float(i), -2.0] for i, column in enumerate(columns)}  # R's numbers are doubles
        frame = pd.DataFrame(row | {"UTILNAME": ["Light, Power & Co", "City"], "STATE": ["AK", "WY"]})[
            list(columns)
        ]
        folder, url = served
        rdata.write_rda(folder / "EIA.rda", {"EIA": frame.astype({"UTILNAME": object, "STATE": object})})
        expected = frame.astype({c: "int64" for c in columns if c not in ("UTILNAME", "STATE")})
        (folder / "eia.csv").write_text(expected.to_csv(index=False))
        table = dataclasses.replace(
            casc._TABLES["eia"],
            reference=ReferenceFile("eia.csv", sha256_of(folder / "eia.csv")),
            r_file=ReferenceFile("EIA.rda", sha256_of(folder / "EIA.rda")),
        )
        monkeypatch.setattr(casc, "R_PACKAGE_FILES", url)
        monkeypatch.setitem(casc._TABLES, "eia", table)
        return folder, expected, no_data

    def test_converts_and_keeps(self, small_table):
        """The second call needs no network."""
        folder, expected, cache = small_table
        pd.testing.assert_frame_equal(load_casc("eia"), expected, check_dtype=False)
        (folder / "EIA.rda").unlink()
        (cache / "EIA.rda").unlink()
        pd.testing.assert_frame_equal(load_casc("eia"), expected, check_dtype=False)
        assert sorted(path.name for path in cache.iterdir()) == ["eia.csv"]

    def test_a_damaged_cache_is_made_anew(self, small_table):
        """A cached file with other bytes counts as absent."""
        _, expected, cache = small_table
        load_casc("eia")
        (cache / "eia.csv").write_text("damaged")
        pd.testing.assert_frame_equal(load_casc("eia"), expected, check_dtype=False)

    def test_an_r_file_with_other_bytes_is_refused(self, small_table):
        """A revised or tampered file is not converted."""
        folder, _, cache = small_table
        (folder / "EIA.rda").write_bytes(b"something else")
        with pytest.raises(UnavailableError, match="another sha256"):
            load_casc("eia")
        assert list(cache.iterdir()) == []

    def test_a_conversion_with_other_bytes_is_not_kept(self, small_table, monkeypatch):
        """A result that is not the reference file is an error, not a result."""
        _, _, cache = small_table
        table = dataclasses.replace(casc._TABLES["eia"], reference=ReferenceFile("eia.csv", "0" * 64))
        monkeypatch.setitem(casc._TABLES, "eia", table)
        with pytest.raises(DataError, match="not converted to the reference file"):
            load_casc("eia")
        assert not (cache / "eia.csv").exists()
