"""CSV files in: strict about their shape, and with a proposal where the dialect seems to be another one."""

import codecs
import csv
import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.csv as arrow_csv

from minv.errors import CancelledError, DataError, UsageError
from minv.tables.source import check_columns, check_names
from minv.wording import counted

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DELIMITERS = {";": "';'", "\t": "$'\\t'", "|": "'|'"}
_CHUNK = 1 << 24
_LONGEST_HEADER = 1 << 22


class CsvSource:
    """A CSV file, gzip-compressed or not, with a header. Every value is text.

    An empty field is missing; a quoted empty field (`""`) is an empty text. Empty lines are no rows.

    Parameters
    ----------
    encoding, delimiter
        The file's own; a byte-order mark of UTF-8 is skipped.

    Raises
    ------
    UsageError
        An unknown encoding, or a delimiter of more than one character.
    DataError
        The file is empty, not text in this encoding, or has no usable header.
    """

    def __init__(self, path: Path, encoding: str = "utf-8", delimiter: str = ",") -> None:
        if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
            raise UsageError("the delimiter must be a single ASCII character (for a tab: $'\\t')")
        self.title = str(path)
        self._delimiter = delimiter
        self._content = _utf8(_load(path), encoding, self.title)
        self.rows = self._check_characters()
        self.names = self._header()

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return these columns as text; a row with too few or too many fields is an error.

        Raises
        ------
        DataError
            Bad rows, or no such column.
        CancelledError
            Ctrl-C while the file was read.
        """
        check_columns(self.names, columns, self.title)
        ragged: list[tuple[int, int]] = []

        def note(row: arrow_csv.InvalidRow) -> Literal["skip", "error"]:
            ragged.append((row.number or 0, row.actual_columns))
            return "skip"

        try:
            content: Any = pa.py_buffer(self._content)
            table = arrow_csv.read_csv(
                content,
                # A single thread: only then is the number of a bad row known.
                read_options=arrow_csv.ReadOptions(use_threads=False, block_size=_CHUNK),
                parse_options=arrow_csv.ParseOptions(
                    delimiter=self._delimiter, newlines_in_values=True, invalid_row_handler=note
                ),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(self.names, pa.string()),
                    include_columns=list(columns),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
        except pa.ArrowCancelled:  # Arrow looks at signals itself
            raise CancelledError("interrupted") from None
        except pa.ArrowInvalid as error:
            if "UTF8" in str(error):
                raise _not_decodable(self.title, "utf-8") from None
            raise DataError(f"{self.title}: cannot be read as CSV (a row longer than 16 MB?)") from None
        if ragged:
            number, fields = ragged[0]
            raise DataError(
                f"{self.title}: {counted(len(ragged), 'row does', 'rows do')} not have the "
                f"{counted(len(self.names), 'field')} "
                "of the header; "
                f"the first is row {number} of the file with {fields} (quote values that hold a delimiter)"
            )
        return table

    def _header(self) -> list[str]:
        start = bytes(self._content[:_LONGEST_HEADER]).decode("utf-8", "replace")
        lines = csv.reader(io.StringIO(start, newline=""), delimiter=self._delimiter, strict=True)
        try:
            names = next((line for line in lines if line), [])
        except csv.Error:
            raise DataError(f"{self.title}: the header is not valid CSV") from None
        if not names:
            raise DataError(f"{self.title}: the file is empty")
        if len(names) == 1:
            self._propose_delimiter(names[0])
        return check_names(names, self.title)

    def _propose_delimiter(self, header: str) -> None:
        for delimiter, shown in {**_DELIMITERS, ",": "','"}.items():
            if delimiter != self._delimiter and header.count(delimiter):
                raise DataError(
                    f"{self.title}: only one column with the delimiter {self._delimiter!r}; "
                    f"the file seems to need --delimiter {shown}"
                )

    def _check_characters(self) -> int:
        """Refuse what is not text or has an open quote; return the number of line ends."""
        quotes = 0
        lines = 0
        for chunk in _chunks(self._content):
            quotes += chunk.count(b'"')
            lines += chunk.count(b"\n")
            if b"\0" in chunk:
                raise DataError(
                    f"{self.title}: not a text file in this encoding; UTF-16 needs --encoding utf-16"
                )
        if quotes % 2:
            raise DataError(
                f"{self.title}: a quotation mark is not closed (write it twice inside a quoted value)"
            )
        return lines


def _load(path: Path) -> memoryview:
    with path.open("rb") as file:
        compressed = file.read(2) == _GZIP
    if not compressed:
        if not path.stat().st_size:
            raise DataError(f"{path}: the file is empty")
        with pa.memory_map(str(path)) as mapped:
            return memoryview(mapped.read_buffer())
    try:
        content = gzip.decompress(path.read_bytes())
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path}: the gzip file is damaged or cut short; get or save it again") from None
    if content.startswith(_PARQUET):
        raise DataError(f"{path}: a compressed Parquet file; decompress it first (gunzip)")
    return memoryview(content)


def _utf8(content: memoryview, encoding: str, title: str) -> memoryview:
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise UsageError(
            f"unknown encoding {encoding!r}; usual ones are utf-8, latin-1, cp1252, utf-16"
        ) from None
    if name in ("utf-8", "utf-8-sig", "ascii"):
        if bytes(content[:2]) in _WIDE:
            raise DataError(f"{title}: not UTF-8; the file seems to need --encoding utf-16")
        skip = len(codecs.BOM_UTF8) if bytes(content[:3]) == codecs.BOM_UTF8 else 0
        _check_utf8(content, title)
        return content[skip:]
    try:
        return memoryview(bytes(content).decode(encoding).removeprefix("\ufeff").encode())
    except (UnicodeError, LookupError):
        raise _not_decodable(title, name) from None


def _check_utf8(content: memoryview, title: str) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in _chunks(content):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise _not_decodable(title, "utf-8") from None


def _not_decodable(title: str, encoding: str) -> DataError:
    other = "latin-1 (or cp1252)" if encoding == "utf-8" else "utf-8"
    return DataError(f"{title}: not {encoding}; the file may need --encoding {other}")


def _chunks(content: memoryview) -> Iterator[bytes]:
    for start in range(0, len(content), _CHUNK):
        yield bytes(content[start : start + _CHUNK])
