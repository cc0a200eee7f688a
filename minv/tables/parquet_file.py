"""Parquet files in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from minv.errors import DataError
from minv.tables.source import check_columns, check_names


class ParquetSource:
    """A Parquet file with flat columns, whatever its row groups and dictionaries.

    Raises
    ------
    DataError
        The file is damaged, or column names are empty or repeated.
    """

    def __init__(self, path: Path) -> None:
        self.title = str(path)
        self._path = path
        with self._told_of_damage(), parquet.ParquetFile(path) as file:
            self._schema = file.schema_arrow
            self.rows = file.metadata.num_rows
        self.names = check_names(self._schema.names, self.title)

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return these columns; nested ones are refused."""
        check_columns(self.names, columns, self.title)
        for name in columns:
            if pa.types.is_nested(self._schema.field(name).type):
                raise DataError(
                    f"{self.title}: column {name!r} is nested; write plain columns, one value a cell"
                )
        with self._told_of_damage(), parquet.ParquetFile(self._path) as file:
            return file.read(columns=list(columns)).select(list(columns))

    @contextmanager
    def _told_of_damage(self) -> Iterator[None]:
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # of the system; what Arrow finds in the pages has no number
            raise DataError(
                f"{self.title}: not a readable Parquet file (damaged or cut short?); save it again"
            ) from None
