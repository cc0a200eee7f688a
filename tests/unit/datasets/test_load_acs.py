"""ACS: the reference sample, or another sample of the same population from the official archives."""

import zipfile

import numpy as np
import pandas as pd
import pytest

from minv_datasets import DataError, OtherSampleWarning, UnavailableError, acs, acs_official, load_acs_pums
from minv_datasets.acs import ACS_COLUMNS, GAPPY_COLUMNS, TEXT_COLUMNS
from minv_datasets.acs_official import ACS_STATES, CENSUS_NAMES, draw_official_sample, read_person_records


def official_archive(path, persons):
    """Write a person archive as the Bureau lays it out: padded (mostly), more columns, beside a readme."""
    header = ["RT", "SERIALNO", *(name for name in CENSUS_NAMES if name != "SERIALNO"), "PWGTP1"]
    lines = [",".join(header)]
    for person in persons:
        values = {"RT": "P", "PWGTP1": "7", "PUMA": "00300", "STATE": "02", "PWGTP": "00052"} | person
        lines.append(",".join(values.get(name, "1") for name in header))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ACS2024_PUMS_README.pdf", b"%PDF")
        archive.writestr("psam_p02.csv", "\n".join(lines) + "\n")


def people(count, prefix="2024HU"):
    """Persons with an occupation, of which every fourth has none or never worked."""
    occupations = ["0440", "5740", "", "10", "6850", "9920", "0440", "2320"]
    return [
        {"SERIALNO": f"{prefix}{i:07d}", "SPORDER": f"{1 + i % 3:02d}", "AGEP": f"{i % 80:02d}"}
        | {"OCCP": occupations[i % 8], "WKHP": "" if i % 2 else "040"}
        for i in range(count)
    ]


def test_reference_file(data_folder):
    """50,000 x 27, text and whole numbers as promised, no gap where a question is asked of everybody."""
    frame = load_acs_pums()
    assert frame.shape == (50_000, 27)
    assert tuple(frame.columns) == ACS_COLUMNS
    assert all(pd.api.types.is_string_dtype(frame[column]) for column in TEXT_COLUMNS)
    assert (frame[list(GAPPY_COLUMNS)].dtypes == "Int64").all()
    rest = frame.columns.difference([*TEXT_COLUMNS, *GAPPY_COLUMNS])
    assert (frame[rest].dtypes == "int64").all()
    assert not frame.drop(columns=list(GAPPY_COLUMNS)).isna().any(axis=None)
    assert frame["state"].nunique() == 49
    assert set(frame["occ"].str.len()) == {4}
    assert frame["puma"].str.len().eq(5).all()
    assert not frame.duplicated(["serialno", "sporder"]).any()
    pd.testing.assert_frame_equal(frame, load_acs_pums(data_folder / "acs_pums.csv.gz"))


def test_states_are_those_of_the_reference_sample():
    """49: all but California and Texas."""
    assert len(set(ACS_STATES)) == 49
    assert {"ca", "tx", "pr"}.isdisjoint(ACS_STATES)


def test_offline_without_a_file(no_data, monkeypatch):
    """One line: the variable, the file, its sha256, and that the official files give another sample.

    Unless that one will do, the network is not asked.
    """
    monkeypatch.setattr(acs_official.draw_official_sample, "__defaults__", ("http://127.0.0.1:9/nobody",))
    with pytest.raises(UnavailableError) as caught:
        load_acs_pums()
    message = str(caught.value)
    expected = ("acs_pums.csv.gz", "MINV_DATA", "5642f19dcf7a", "cannot be rebuilt", "www2.census.gov")
    for wanted in (*expected, "failed"):
        assert wanted in message
    assert "\n" not in message
    with pytest.raises(UnavailableError) as caught:
        load_acs_pums(download=False)
    assert all(wanted in str(caught.value) for wanted in expected)
    assert "failed" not in str(caught.value)


def test_a_wrong_layout_is_refused(tmp_path):
    """A file given by path is checked for its columns."""
    path = tmp_path / "other.csv"
    path.write_text("serialno,age\n1,2\n")
    with pytest.raises(DataError, match="27 columns"):
        load_acs_pums(path)


class TestOfficialFiles:
    """Archives of two states, served on this machine."""

    @pytest.fixture
    def url(self, no_data, served):
        folder, url = served
        official_archive(folder / "csv_pak.zip", people(400))
        official_archive(folder / "csv_pwy.zip", people(400, "2024GQ"))
        return url

    def test_selection_names_and_text(self, served, url):
        """Persons without a recent occupation are left out; codes keep their zeros, numbers lose them."""
        frame = read_person_records(served[0] / "csv_pak.zip")
        assert len(frame) == 300
        assert set(frame["occ"]) == {"0440", "5740", "0010", "6850", "2320"}
        assert list(frame.columns) == [*ACS_COLUMNS, "draw"]
        first = frame.iloc[0]
        assert (first["state"], first["puma"], first["weight"], first["age"]) == ("02", "00300", "52", "0")
        assert set(frame["hours"]) == {"40", ""}

    def test_the_sample_reads_like_the_reference_file(self, url, monkeypatch):
        """Same columns and types, with a warning that it is another sample."""
        monkeypatch.setattr(acs_official, "SAMPLE_SIZE", 100)
        monkeypatch.setattr(acs, "ACS_STATES", ("ak", "wy"))
        monkeypatch.setattr(acs_official.draw_official_sample, "__defaults__", (url,))
        with pytest.warns(OtherSampleWarning, match="not the reference sample"):
            frame = load_acs_pums()
        assert frame.shape == (100, 27)
        assert (frame[list(GAPPY_COLUMNS)].dtypes == "Int64").all()
        assert frame["hours"].isna().any()

    def test_the_draw_depends_on_the_persons_alone(self, url, served, monkeypatch, tmp_path):
        """Another order of states and rows gives the same persons in the same order."""
        monkeypatch.setattr(acs_official, "SAMPLE_SIZE", 150)
        first = draw_official_sample(("ak", "wy"), url).read_bytes()
        official_archive(served[0] / "csv_pak.zip", people(400)[::-1])
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "second"))
        assert draw_official_sample(("wy", "ak"), url).read_bytes() == first

    def test_the_first_rows_are_a_sample_themselves(self, url, monkeypatch):
        """Fewer rows are the head of more rows."""
        monkeypatch.setattr(acs_official, "SAMPLE_SIZE", 500)
        whole = draw_official_sample(("ak", "wy"), url).read_text().splitlines()
        monkeypatch.setattr(acs_official, "SAMPLE_SIZE", 50)
        part = draw_official_sample(("ak",), url).read_text().splitlines()
        assert len(part) == 51
        from_alaska = [line for line in whole if line.startswith(("serialno", "2024HU"))]
        assert part == from_alaska[:51]
        states = np.array([line.startswith("2024HU") for line in whole[1:201]])
        assert 70 <= states.sum() <= 130  # mean 100, four standard deviations of 7

    def test_the_sample_is_kept_and_checked(self, url, served, monkeypatch):
        """A second call needs no network; a damaged copy is drawn anew."""
        kept = draw_official_sample(("ak",), url)
        content = kept.read_bytes()
        archive = (served[0] / "csv_pak.zip").read_bytes()
        (served[0] / "csv_pak.zip").unlink()
        assert draw_official_sample(("ak",), url) == kept
        kept.write_bytes(content[:-5])
        with pytest.raises(UnavailableError, match="failed"):
            draw_official_sample(("ak",), url)
        (served[0] / "csv_pak.zip").write_bytes(archive)
        assert draw_official_sample(("ak",), url).read_bytes() == content

    @pytest.mark.parametrize("damage", ["no archive", "flipped bit", "no person records", "other columns"])
    def test_damaged_archives_are_refused(self, damage, url, served):
        """Nothing is drawn from what is not intact."""
        path = served[0] / "csv_pak.zip"
        if damage == "no archive":
            path.write_text("<html>moved</html>")
        elif damage == "flipped bit":
            content = bytearray(path.read_bytes())
            content[len(content) // 2] ^= 1
            path.write_bytes(content)
        else:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("readme.txt" if damage == "no person records" else "psam_p02.csv", "A\n1\n")
        with pytest.raises(UnavailableError, match="not an archive of 2024 person records"):
            draw_official_sample(("ak",), url)
