"""The original tables beside a series with a private part."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray, match
from minv_verifiers.cells.column import ValueColumn
from minv_verifiers.cells.number import parse_number
from minv_verifiers.errors import InputError
from minv_verifiers.model import Original, QuasiIdentifier, Truth
from minv_verifiers.reading.scales import scale_of
from minv_verifiers.reading.tables import Table
from minv_verifiers.text import Texts, among, blank, missing, number_text, translate
from minv_verifiers.vocabulary import encode
from minv_verifiers.wording import counted


def _number_spelling(text: str) -> str:
    number = parse_number(text)
    return text if number is None or abs(number) >= 2**53 else number_text(number)


class OriginalTables:
    """Original tables, read with the roles and missing codes of the series.

    Parameters
    ----------
    tables
        One a release, or none.
    settings
        The series' settings.
    columns, sensitive
        The roles.

    Raises
    ------
    InputError
        A column is missing, or an id is.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        settings: Mapping[str, Any],
        columns: tuple[QuasiIdentifier, ...],
        sensitive: str,
    ) -> None:
        self.tables = tables
        self.columns = columns
        self._settings = settings
        self._sensitive = sensitive
        self.sensitive = [self.texts(table, sensitive) for table in tables]
        self.ids = [self._ids(table) for table in tables]

    def _ids(self, table: Table) -> Texts:
        name = self._settings.get("id")
        if not isinstance(name, str):
            raise InputError(
                "settings.json does not name the id column, which the original table is compared by"
            )
        ids = self._spelled(table, name)
        if ids.null_count:
            raise InputError(
                f"{table.name}: {counted(ids.null_count, 'row has', 'rows have')} no id in column {name}"
            )
        return ids

    def _spelled(self, table: Table, name: str) -> Texts:
        """Return a column, its numbers in canonical text where the series took the column for numbers."""
        column = table.column(name)
        if self._settings.get("columns", {}).get(name) != "number":
            return column
        return translate(column, _number_spelling)

    def texts(self, table: Table, name: str) -> Texts:
        """Return a column with the declared missing codes as nulls."""
        column = self._spelled(table, name)
        codes = list(self._settings.get("missing_codes", {}).get(name, ()))
        if self._settings.get("missing", {}).get(name) in ("category", "drop"):
            codes.append("")
        if not codes:
            return column
        return blank(column, among(column, codes))

    def droppable(self, table: Table) -> BoolArray:
        """Rows that the policy `drop` leaves out."""
        result = np.zeros(len(table), dtype=np.bool_)
        for name, policy in self._settings.get("missing", {}).items():
            if policy == "drop" and name in table.columns:
                result |= missing(self.texts(table, name))
        return result


def code_original(
    originals: OriginalTables, index: int, truth: Truth, sensitive: IntArray, persons: IntArray
) -> Original:
    """One original table in integer codes, linked with the private file by id."""
    table = originals.tables[index]
    values = {}
    for column in originals.columns:
        (codes,), vocabulary = encode([originals.texts(table, column.name)])
        values[column.name] = ValueColumn(codes, vocabulary, scale_of(column))
    return Original(
        source=table.name,
        persons=persons,
        sensitive=sensitive,
        values=values,
        link=np.where(truth.persons >= 0, match(truth.persons, persons), -1),
        droppable=originals.droppable(table),
    )
