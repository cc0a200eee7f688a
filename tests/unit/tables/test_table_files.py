"""Table files: every dialect of CSV that occurs, Parquet of any making, and clear refusals."""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from minv.errors import DataError, UsageError
from minv.tables.opening import open_table

PLAIN = b'id,name,town\n1,Ann,Koln\n2,Bob,\n3,"",Rome\n'


def written(folder: Path, content: bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def rows(path: Path, columns: list[str], **options: str) -> dict[str, list[object]]:
    return open_table(path, **options).read(columns).to_pydict()


GOOD = {
    "plain": PLAIN,
    "byte-order mark": b"\xef\xbb\xbf" + PLAIN,
    "carriage returns": PLAIN.replace(b"\n", b"\r\n"),
    "no final line end": PLAIN[:-1],
    "empty lines": PLAIN.replace(b"\n2", b"\n\n2"),
    "gzip": gzip.compress(PLAIN, mtime=0),
    "quoted": b'"id","name","town"\n"1","Ann","Koln"\n"2","Bob",\n"3","","Rome"\n',
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_empty_field_is_missing_and_empty_text_is_not(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    assert rows(path, ["town", "id", "name"]) == {
        "town": ["Koln", None, "Rome"],
        "id": ["1", "2", "3"],
        "name": ["Ann", "Bob", ""],
    }


def test_quoted_delimiters_quotes_and_line_ends(tmp_path: Path) -> None:
    path = written(tmp_path, b'a,b\n"x, ""y""\nz",1\n')
    assert rows(path, ["a"]) == {"a": ['x, "y"\nz']}


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8", "UTF-8-SIG"])
def test_declared_encoding(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, "a,b\nKöln,é\n".encode(encoding))
    assert rows(path, ["a", "b"], encoding=encoding) == {"a": ["Köln"], "b": ["é"]}


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_declared_delimiter(tmp_path: Path, delimiter: str) -> None:
    path = written(tmp_path, PLAIN.replace(b",", delimiter.encode()))
    assert rows(path, ["id"], delimiter=delimiter) == {"id": ["1", "2", "3"]}


REFUSED: dict[str, tuple[bytes, str]] = {
    "semicolons": (b"id;name\n1;secret\n", r"--delimiter ';'"),
    "tabs": (b"id\tname\n1\tsecret\n", r"--delimiter \$'\\t'"),
    "bars": (b"id|name\n1|secret\n", r"--delimiter '\|'"),
    "latin-1": (b"id,name\n1,secret\xe9\n", "--encoding latin-1"),
    "latin-1 header": (b"id,name\xe9\n1,secret\n", "--encoding latin-1"),
    "cut inside a character": ("id,name\n1,é".encode()[:-1], "--encoding latin-1"),
    "utf-16": ("id,name\n1,secret\n".encode("utf-16"), "--encoding utf-16"),
    "utf-16 without mark": ("id,name\n1,secret\n".encode("utf-16-le"), "--encoding utf-16"),
    "empty": (b"", "the file is empty"),
    "only line ends": (b"\n\n", "the file is empty"),
    "comma too many in the header": (b"id,name,\n1,secret\n", "column 3 of 3 has no name"),
    "written with its index": (b",id,name\n0,1,secret\n", "column 1 of 3 has no name"),
    "two columns of one name": (b"id,name,id\n1,secret,2\n", "columns 1, 3"),
    "too many fields": (
        b"id,name\n1,secret\n2,secret,x\n3,secret,y\n",
        "2 rows .* first is row 3 of the file with 3",
    ),
    "too few fields": (b"id,name\n1\n", "first is row 2 of the file with 1"),
    "open quote": (b'id,name\n1,"secret\n2,x\n', "quotation mark is not closed"),
    "stray quote": (b'id,name\n1,sec"ret\n2,x\n', "quotation mark is not closed"),
    "spreadsheet": (b"PK\x03\x04....secret", "spreadsheet"),
    "damaged gzip": (gzip.compress(PLAIN, mtime=0)[:-12], "gzip file is damaged"),
    "damaged parquet": (b"PAR1 secret PAR1", "not a readable Parquet file"),
}


@pytest.mark.parametrize(("content", "part"), REFUSED.values(), ids=REFUSED)
def test_refused_with_what_to_do_and_no_value(tmp_path: Path, content: bytes, part: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(DataError, match=part) as caught:
        rows(path, ["id"])
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("table.parquet", PLAIN, "not Parquet, though its name ends in .parquet; name a CSV file .csv"),
        ("TABLE.PARQUET", gzip.compress(PLAIN, mtime=0), "not Parquet, though"),
        ("table.csv.gz", PLAIN, "not gzip-compressed, though its name ends in .gz; name a CSV file .csv"),
        ("table.csv.gz", b"PAR1 secret PAR1", "not gzip-compressed"),
        (
            "table.parquet.gz",
            gzip.compress(b"PAR1 secret PAR1", mtime=0),
            "compressed Parquet file; decompress it",
        ),
        ("table.parquet", b"", "the file is empty"),
    ],
)
def test_a_name_that_promises_another_content(tmp_path: Path, name: str, content: bytes, part: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=part) as caught:
        open_table(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "secret" not in str(caught.value)


def test_file_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        open_table(tmp_path / "absent.csv")


def test_folder_instead_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Is a directory"):
        open_table(tmp_path)


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "é"])
def test_impossible_delimiter(tmp_path: Path, delimiter: str) -> None:
    with pytest.raises(UsageError, match="delimiter"):
        open_table(written(tmp_path, PLAIN), delimiter=delimiter)


def test_unknown_encoding(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown encoding"):
        open_table(written(tmp_path, PLAIN), encoding="klingon")


def test_kind_in_an_unknown_column_is_explained(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="kinds after a colon"):
        rows(written(tmp_path, PLAIN), ["name:categorical"])


def test_parquet_with_dictionaries_and_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    table = pa.table(
        {"a": pa.array(["x", None, "x"]).dictionary_encode(), "b": [1, 2, 3], "c": [[1], [2], [3]]}
    )
    parquet.write_table(table, path, row_group_size=1)
    assert rows(path, ["b", "a"]) == {"b": [1, 2, 3], "a": ["x", None, "x"]}


def test_damaged_pages_of_parquet_are_told(tmp_path: Path) -> None:
    """The footer is whole, so that only reading finds the damage, and no number of the system comes with it."""
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table({"id": np.random.default_rng(0).integers(0, 10**9, 5000)}), path)
    content = bytearray(path.read_bytes())
    content[1000:9000] = bytes(8000)
    path.write_bytes(content)
    with pytest.raises(DataError, match="not a readable Parquet file"):
        open_table(path).read(["id"])


def test_nested_parquet_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table({"a": [[1], [2]], "b": [1, 2]}), path)
    with pytest.raises(DataError, match="'a' is nested"):
        rows(path, ["a", "b"])


def test_parquet_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    parquet.write_table(pa.table({"a": [1]}), path)
    assert rows(path, ["a"]) == {"a": [1]}


def test_parquet_with_repeated_names_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), path)
    with pytest.raises(DataError, match="columns 1, 2"):
        open_table(path)
