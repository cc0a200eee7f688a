"""CSV files in and out, every cell as the text that it is."""

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from minv_datasets.errors import DataError
from minv_datasets.wording import counted, form


def read_text_table(path: Path) -> pd.DataFrame:
    """Read a CSV file (UTF-8, comma, header; `.gz` is decompressed) without interpreting any value.

    Ids keep their leading zeros, and an empty cell or the letters NA are text like any other.

    Raises
    ------
    DataError
        The file is not such a file: with the number of a record that has too few or too many fields.
    """
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        raise DataError(f"{path}: only CSV files can be read; save the table as CSV")
    try:
        opened = gzip.open if suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8-sig", newline="") as stream:
            records = _records(csv.reader(stream, strict=True), path)
            header = next(records, None)
            if header is None:
                raise DataError(f"{path} is empty: it needs a header")
            if len(set(header)) < len(header):
                raise DataError(f"{path}: two columns have the same name")
            rows = list(records)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 text: save it as CSV in UTF-8 (or name it .csv.gz if it is compressed)"
        ) from error
    except gzip.BadGzipFile:  # its text quotes the first bytes
        raise DataError(
            f"{path} is not gzip-compressed, though its name ends in {suffix}: name it .csv, or compress it"
        ) from None
    except (EOFError, zlib.error):
        raise DataError(f"{path}: the gzip file is damaged or cut short; get or save it again") from None
    except csv.Error as error:
        raise DataError(f"{path} cannot be read as CSV: {error}") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or type(error).__name__}") from error
    cells = zip(*rows, strict=True) if rows else ((),) * len(header)
    return pd.DataFrame(
        {name: pd.Series(column, dtype="str") for name, column in zip(header, cells, strict=True)}
    )


def _records(reader: Iterable[list[str]], path: Path) -> Iterator[list[str]]:
    """Yield the non-empty records, all as long as the first."""
    fields = None
    for number, record in enumerate(reader, start=1):
        if not record:
            continue
        fields = len(record) if fields is None else fields
        if len(record) != fields:
            raise DataError(
                f"{path}, record {number}: {counted(len(record), 'field')}, but the header has "
                f"{counted(fields or 0, 'column')}"
            )
        yield record


def whole_numbers(column: "pd.Series[str]") -> "pd.Series[int]":
    """Return a text column as 64-bit integers.

    Raises
    ------
    DataError
        Some values are not whole numbers.
    """
    wrong = int((~column.str.fullmatch(r"[+-]?[0-9]{1,18}")).sum())
    if wrong:
        raise DataError(
            f"column {column.name}: {wrong} of {counted(len(column), 'value')} "
            f"{form(wrong, 'is no whole number', 'are not whole numbers')}"
        )
    return column.astype(np.int64)


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write a CSV file: UTF-8, comma, header, LF line ends."""
    frame.to_csv(path, index=False, lineterminator="\n", encoding="utf-8")
