"""What every kind of table offers: the names of its columns, and some of the columns as Arrow arrays."""

import difflib
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from minv.errors import DataError
from minv.wording import counted


class Source(Protocol):
    """A table that has not been read yet."""

    @property
    def title(self) -> str:
        """What to call the table in messages."""
        ...

    @property
    def names(self) -> list[str]:
        """The names of all columns, checked by `check_names`."""
        ...

    @property
    def rows(self) -> int:
        """Number of rows, or an estimate before a CSV file is read."""
        ...

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return these columns, in this order.

        Raises
        ------
        DataError
            A column is missing or cannot be read.
        """
        ...


def check_names(names: Sequence[object], title: str) -> list[str]:
    """Return column names, refusing those that are not text, are empty or occur twice.

    The names themselves are not repeated in messages: in a file without a header they would be data.

    Raises
    ------
    DataError
        With the position of the first bad column, counted from 1.
    """
    texts: list[str] = []
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str):
            raise DataError(f"{title}: the name of column {position} is not text; rename the columns")
        if not name:
            raise DataError(
                f"{title}: column {position} of {len(names)} has no name; "
                "name it, or remove it (a comma too many?)"
            )
        texts.append(name)
    twice = [position for position, name in enumerate(texts, start=1) if Counter(texts)[name] > 1]
    if twice:
        places = ", ".join(map(str, twice[:4]))
        raise DataError(f"{title}: several columns have the same name (columns {places}); rename them")
    return texts


def check_columns(names: Sequence[str], wanted: Sequence[str], title: str) -> None:
    """Refuse wanted columns that a table does not have.

    Raises
    ------
    DataError
        Naming the first such column, and a similar one if there is one.
    """
    for name in wanted:
        if name in names:
            continue
        similar = [n for n in names if n.strip().casefold() == name.strip().casefold()]
        similar = similar or difflib.get_close_matches(name, names, 1, 0.8)
        hint = f"; did you mean {similar[0]!r}?" if similar else f" among its {counted(len(names), 'column')}"
        if not similar and ":" in name:
            hint += " (the kinds after a colon are numeric, ordinal and nominal)"
        raise DataError(f"{title}: there is no column {name!r}{hint}")
