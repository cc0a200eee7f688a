"""Tables of text on disk: plain Parquet and plain CSV that carry nothing but their cells."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from minv.errors import CancelledError, DataError

Column = np.ndarray[tuple[int], np.dtype[Any]]

_TYPES: dict[str, Any] = {"i": pa.int64(), "b": pa.bool_()}


def to_table(columns: Mapping[str, Column], *, nullable: bool) -> pa.Table:
    """Return columns as Arrow: integers (a masked array's masked ones are null), booleans, else text.

    Parameters
    ----------
    nullable
        Whether cells may be null.
    """
    fields = []
    arrays = []
    for name, values in columns.items():
        kind = _TYPES.get(values.dtype.kind, pa.string())
        mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
        fields.append(pa.field(name, kind, nullable))
        arrays.append(pa.array(np.ma.getdata(values), kind, mask=mask))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def write_parquet(table: pa.Table, file: BinaryIO) -> None:
    """Write one row group, no dictionary, no metadata: nothing that tells how the table came about."""
    plain: Any = table.replace_schema_metadata(None)
    parquet.write_table(
        plain,
        file,
        row_group_size=max(1, plain.num_rows),
        use_dictionary=False,
        compression="zstd",
        store_schema=False,
    )


def write_csv(table: pa.Table, file: BinaryIO) -> None:
    """Write RFC 4180 with LF line ends; an empty text is an empty field."""
    text = io.StringIO(newline="")
    as_needed = csv.writer(text, lineterminator="\n")
    quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    columns = [column.to_pylist() for column in table.columns]
    for row in (table.column_names, *zip(*columns, strict=True)):
        # The csv module leaves a lone carriage return unquoted.
        lone = any(isinstance(cell, str) and "\r" in cell for cell in row)
        (quoted if lone else as_needed).writerow(row)
    file.write(text.getvalue().encode())


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table that `write_parquet` wrote.

    Raises
    ------
    DataError
        The file is missing, damaged or lacks a column.
    """
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            if columns is not None and not set(columns) <= set(names):
                raise DataError(f"{path}: columns are missing; restore the file from a backup")
            return file.read(None if columns is None else list(columns))
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    except pa.ArrowException:
        raise DataError(f"{path}: the file is damaged; restore it from a backup") from None


def read_csv(path: Path) -> pa.Table:
    """Read a table that `write_csv` wrote: `class` as integers, everything else as text.

    Raises
    ------
    DataError
        The file is missing or damaged.
    CancelledError
        Ctrl-C while it was read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            names = next(csv.reader(file))
        types = {name: pa.int64() if name == "class" else pa.string() for name in names}
        return arrow_csv.read_csv(
            path,
            parse_options=arrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
            convert_options=arrow_csv.ConvertOptions(column_types=types, strings_can_be_null=False),
        )
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    except pa.ArrowCancelled:  # Arrow looks at signals itself
        raise CancelledError("interrupted") from None
    except (pa.ArrowException, UnicodeDecodeError, StopIteration, csv.Error):
        raise DataError(f"{path}: the file is damaged; restore it from a backup") from None
