"""Open a table, wherever it is."""

from pathlib import Path

import pandas as pd
import pyarrow as pa

from minv.errors import DataError
from minv.tables.csv_file import CsvSource
from minv.tables.frame import FrameSource
from minv.tables.parquet_file import ParquetSource
from minv.tables.source import Source

_PARQUET = b"PAR1"
_GZIP = b"\x1f\x8b"
_OTHER_FORMATS = {
    b"PK\x03\x04": "a spreadsheet or zip archive",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet",
    b"SQLite f": "a database",
    b"ARROW1": "an Arrow file",
}


def open_table(
    table: str | Path | pd.DataFrame | pa.Table, *, encoding: str = "utf-8", delimiter: str = ","
) -> Source:
    """Open a CSV or Parquet file (told apart by content), a pandas frame or an Arrow table.

    Parameters
    ----------
    encoding, delimiter
        Of a CSV file.

    Raises
    ------
    DataError
        The file cannot be read or is no such table; with a proposal where the encoding or the delimiter
        seems to be another one.
    UsageError
        An unknown encoding, a bad delimiter, or an object that is no table.
    """
    if not isinstance(table, str | Path):
        return FrameSource(table)
    path = Path(table)
    try:
        with path.open("rb") as file:
            start = file.read(8)
        for magic, name in _OTHER_FORMATS.items():
            if start.startswith(magic):
                raise DataError(f"{path}: this is {name}; save the table as CSV or Parquet")
        _check_name(path, start)
        return ParquetSource(path) if start.startswith(_PARQUET) else CsvSource(path, encoding, delimiter)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or 'it cannot be read'}") from None


def _check_name(path: Path, start: bytes) -> None:
    """Refuse a file whose name promises another content: it was damaged or misnamed, and may be no table at all."""
    suffix = path.suffix.lower()
    for wanted, magic, kind in ((".parquet", _PARQUET, "Parquet"), (".gz", _GZIP, "gzip-compressed")):
        if start and suffix == wanted and not start.startswith(magic):
            raise DataError(
                f"{path}: not {kind}, though its name ends in {suffix}; name a CSV file .csv, or save the table again"
            )
