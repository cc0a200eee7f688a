"""Reading one CSV or Parquet file, or a frame, as columns of canonical text."""

import csv
import gzip
import io
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from minv_verifiers.arrays import IntArray
from minv_verifiers.cells.number import parse_number
from minv_verifiers.errors import InputError, UsageError
from minv_verifiers.text import Texts, among, blank, canonical
from minv_verifiers.wording import counted

_DELIMITERS = (";", "\t", "|", ",")
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_BLOCK = 1 << 24  # bytes; one row must fit into it


@dataclass(frozen=True, slots=True)
class TextFormat:
    """How text files are written.

    Attributes
    ----------
    encoding
        Of CSV files; a byte-order mark of UTF-8 is skipped.
    delimiter
        Of CSV files.
    missing_codes
        Texts that stand for a missing value, in any column. Without them nothing is missing: an empty text is
        a value.
    """

    encoding: str = "utf-8"
    delimiter: str = ","
    missing_codes: tuple[str, ...] = ()


PLAIN = TextFormat()


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of canonical text.

    Attributes
    ----------
    name
        The file's name, for messages.
    columns
        (n,) texts of each column, in the file's order.
    """

    name: str
    columns: Mapping[str, Texts]

    def column(self, name: str) -> Texts:
        """One column.

        Raises
        ------
        InputError
            There is none of that name.
        """
        if name not in self.columns:
            raise InputError(f"{self.name}: no column {name}; it has {', '.join(self.columns)}")
        return self.columns[name]

    def counts(self, name: str) -> IntArray:
        """Return a column of whole numbers of 1 or more.

        Raises
        ------
        InputError
            It holds anything else.
        """
        numbers = [parse_number(text or "") for text in self.column(name).to_pylist()]
        wrong = sum(number is None or number < 1 or number != int(number) for number in numbers)
        if wrong:
            raise InputError(
                f"{self.name}: column {name}: "
                f"{counted(wrong, 'count is no whole number', 'counts are not whole numbers')} of 1 or more"
            )
        return np.array(numbers, dtype=np.int64)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))


def read_table(source: Any, text_format: TextFormat = PLAIN, name: str = "table") -> Table:
    """Read a path, a pandas frame or a pyarrow table.

    Raises
    ------
    InputError
        The file or frame is not a plain table.
    """
    if isinstance(source, (pd.DataFrame, pa.Table)):
        return _code_missing(_from_frame(source, name), text_format)
    path = Path(source)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    if path.suffix.lower() == ".parquet":
        return _code_missing(_from_parquet(path), text_format)
    return _code_missing(_from_csv(path, text_format), text_format)


def _from_frame(frame: Any, name: str) -> Table:
    names = [
        str(column) for column in (frame.columns if isinstance(frame, pd.DataFrame) else frame.column_names)
    ]
    _check_names(names, name)
    if isinstance(frame, pd.DataFrame):
        series = [frame.iloc[:, place] for place in range(frame.shape[1])]
    else:
        series = frame.columns
    return Table(name, {label: canonical(column, label) for label, column in zip(names, series, strict=True)})


def _from_parquet(path: Path) -> Table:
    try:
        # The names are checked before the data are touched: a repeated one would fail there with less to say.
        _check_names(pq.read_schema(path).names, path.name)
        table = pq.read_table(path)
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise InputError(
            f"{path.name}: not a readable Parquet file; save it again, or name a CSV file .csv"
        ) from error
    return Table(path.name, {name: canonical(table[name], name) for name in table.column_names})


def _from_csv(path: Path, text_format: TextFormat) -> Table:
    if len(text_format.delimiter) != 1:
        raise UsageError("the delimiter must be one character")
    content = _content(path)
    names = _header(path, content, text_format)
    try:
        table = pa_csv.read_csv(
            io.BytesIO(content),
            read_options=pa_csv.ReadOptions(
                encoding=text_format.encoding, column_names=names, skip_rows=0, block_size=_BLOCK
            ),
            parse_options=pa_csv.ParseOptions(delimiter=text_format.delimiter, newlines_in_values=True),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: {_csv_problem(error)}") from error
    return Table(path.name, {name: canonical(table[name], name).slice(1) for name in names})


def _csv_problem(error: Exception) -> str:
    text = str(error)
    if "Expected" in text and "columns" in text:
        return "rows have different numbers of fields; check the delimiter (--delimiter) and the quotes"
    return "not readable as CSV; check the delimiter (--delimiter) and the encoding (--encoding)"


def _content(path: Path) -> bytes:
    """Return the bytes of a text file, decompressed where its name says so."""
    try:
        content = path.read_bytes()
        if path.suffix.lower() == ".gz":
            content = gzip.decompress(content)
    except gzip.BadGzipFile:
        raise InputError(
            f"{path.name}: not gzip-compressed, though its name ends in .gz; name a CSV file .csv, or compress it"
        ) from None
    except (EOFError, zlib.error):
        raise InputError(
            f"{path.name}: the gzip file is damaged or cut short; get or save it again"
        ) from None
    except OSError as error:
        raise InputError(f"{path.name}: cannot be read ({error.strerror})") from error
    for magic, kind, suffix in (
        (_GZIP, "gzip-compressed", ".csv.gz"),
        (_PARQUET, "a Parquet file", ".parquet"),
    ):
        if content.startswith(magic):
            raise InputError(f"{path.name}: this is {kind}; name it {suffix}")
    return content


def _header(path: Path, content: bytes, text_format: TextFormat) -> list[str]:
    encoding = "utf-8-sig" if text_format.encoding.lower() in ("utf-8", "utf8") else text_format.encoding
    try:
        # Every byte must decode before anything is judged.
        names = next(
            csv.reader(io.StringIO(content.decode(encoding), newline=""), delimiter=text_format.delimiter), []
        )
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path.name}: not {text_format.encoding} at byte {error.start}; try --encoding latin-1 or cp1252"
        ) from error
    except LookupError as error:
        raise UsageError(f"unknown encoding {text_format.encoding}") from error
    except csv.Error as error:
        raise InputError(f"{path.name}: not readable as CSV") from error
    if not names:
        raise InputError(f"{path.name}: the file is empty; it needs a header")
    if len(names) == 1:
        _propose_delimiter(path, names[0], text_format.delimiter)
    if names[-1] == "":
        raise InputError(f"{path.name}: the header ends with a delimiter; remove it")
    _check_names(names, path.name)
    return names


def _propose_delimiter(path: Path, header: str, used: str) -> None:
    for delimiter in _DELIMITERS:
        if delimiter != used and delimiter in header:
            raise InputError(f"{path.name}: the header has one column; try --delimiter {delimiter!r}")


def _check_names(names: Iterable[str], file: str) -> None:
    listed = list(names)
    repeated = sorted({name for name in listed if listed.count(name) > 1})
    if repeated:
        raise InputError(f"{file}: column {repeated[0]} occurs twice")


def _code_missing(table: Table, text_format: TextFormat) -> Table:
    if not text_format.missing_codes:
        return table
    codes = text_format.missing_codes
    columns = {name: blank(column, among(column, codes)) for name, column in table.columns.items()}
    return Table(table.name, columns)
