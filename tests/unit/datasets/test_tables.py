"""CSV in and out: every cell is the text that it is, and what is no table is refused."""

import gzip

import pandas as pd
import pytest

from minv_datasets import DataError
from minv_datasets.tables import read_text_table, whole_numbers, write_table

HOSTILE = [
    "007",
    "",
    "NA",
    " blank ",
    '=cmd|" /C calc"!A0',
    "<script>",
    "a,b",
    "two\nlines",
    "Zürich",
    "1.50",
]


def test_text_survives_both_ways(tmp_path):
    """Leading zeros, empty cells, quotes, line breaks, other scripts; also from a gzip file and after a BOM."""
    frame = pd.DataFrame({"id": [str(i) for i in range(10)], "x": pd.Series(HOSTILE, dtype="str")})
    path = tmp_path / "table.csv"
    write_table(frame, path)
    assert b"\r" not in path.read_bytes()
    pd.testing.assert_frame_equal(read_text_table(path), frame)
    (tmp_path / "table.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
    pd.testing.assert_frame_equal(read_text_table(tmp_path / "table.csv.gz"), frame)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert list(read_text_table(path)["id"]) == list(frame["id"])


def test_a_header_alone_is_an_empty_table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n")
    frame = read_text_table(path)
    assert list(frame.columns) == ["a", "b"]
    assert len(frame) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n1,secret,3\n", "record 2: 3 fields, but the header has 2"),
        (b"a,b\n1,2\nsecret\n", "record 3: 1 field,"),
        (b"a,b,\n1,secret\n", "record 2: 2 fields, but the header has 3"),
        (b"a,a\n1,secret\n", "two columns have the same name"),
        (b"a,b\n1,secr\xe9t\n", "not UTF-8"),
        (b'a,b\n1,"secret\n', "cannot be read as CSV"),
        (b"PAR1\x00\xff\xfe", "not UTF-8"),
    ],
    ids=["empty", "too many", "too few", "trailing comma", "same names", "latin-1", "open quote", "Parquet"],
)
def test_what_is_no_table_is_refused(content, message, tmp_path):
    """In one line, without a value."""
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        read_text_table(path)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("table.csv.gz", b"secret,b\n", "not gzip-compressed, though its name ends in .gz: name it .csv"),
        (
            "table.csv.gz",
            gzip.compress(b"a,b\n1,2\n" * 500, mtime=0)[:-20],
            "damaged or cut short; get or save it again",
        ),
        ("table.csv", gzip.compress(b"a,b\n", mtime=0), "name it .csv.gz if it is compressed"),
        ("table.parquet", b"secret,b\n", "only CSV files can be read; save the table as CSV"),
    ],
)
def test_a_name_that_promises_another_content(name, content, message, tmp_path):
    """One line with the file and what to do; never its first bytes."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        read_text_table(path)
    assert str(path) in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "b'" not in str(caught.value)


def test_whole_numbers():
    assert whole_numbers(pd.Series(["7", "-3", "+1"], name="age")).tolist() == [7, -3, 1]
    with pytest.raises(DataError, match="column age: 3 of 4 values are not whole numbers"):
        whole_numbers(pd.Series(["7", "", "1.5", "seven"], name="age"))
