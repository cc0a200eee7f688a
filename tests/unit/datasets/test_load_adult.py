"""Adult is shipped whole, and a damaged copy is not read."""

import gzip
import shutil

import pytest

from minv_datasets import DataError, adult, load_adult
from minv_datasets.adult import ADULT_FILE, DATA_FOLDER


def test_shape_types_and_published_counts():
    """32,561 x 15; the counts of missing values and classes that the repository's page and papers give."""
    frame = load_adult()
    assert frame.shape == (32_561, 15)
    numbers = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    assert list(frame.select_dtypes("int64").columns) == numbers
    missing = (frame == "?").sum()
    assert missing[missing > 0].to_dict() == {"workclass": 1836, "occupation": 1843, "native-country": 583}
    assert frame["income"].value_counts().to_dict() == {"<=50K": 24_720, ">50K": 7_841}
    assert not frame.isna().any(axis=None)


def test_education_text_and_number_say_the_same():
    """The two columns correspond one to one: a shifted or re-ordered file would break that."""
    pairs = load_adult()[["education", "education-num"]].drop_duplicates()
    assert len(pairs) == 16
    assert pairs["education"].is_unique
    assert pairs["education-num"].is_unique


def test_two_calls_share_nothing():
    """Changing one frame does not change the next."""
    first = load_adult()
    first.loc[0, "age"] = 1
    assert load_adult().loc[0, "age"] == 39


@pytest.mark.parametrize("damage", ["truncated", "edited", "absent"])
def test_a_damaged_file_is_refused(damage, tmp_path, monkeypatch):
    """One line that names the file and, where there is one, both digests."""
    copy = tmp_path / ADULT_FILE.name
    shutil.copyfile(DATA_FOLDER / ADULT_FILE.name, copy)
    if damage == "truncated":
        copy.write_bytes(copy.read_bytes()[:-1])
    elif damage == "edited":
        copy.write_bytes(gzip.compress(gzip.decompress(copy.read_bytes()).replace(b"39,", b"38,", 1)))
    else:
        copy.unlink()
    monkeypatch.setattr(adult, "DATA_FOLDER", tmp_path)
    with pytest.raises(DataError) as caught:
        load_adult()
    message = str(caught.value)
    assert str(copy) in message
    assert "\n" not in message
    assert (ADULT_FILE.sha256 in message) == (damage != "absent")


def test_the_attribution_is_shipped_beside_the_data():
    """CC BY 4.0 asks for the authors, the licence and a word on changes."""
    text = (DATA_FOLDER / "ATTRIBUTION.md").read_text()
    for wanted in ("Becker", "Kohavi", "CC BY 4.0", "10.24432/C5XW20", "Changes", ADULT_FILE.sha256):
        assert wanted in text
