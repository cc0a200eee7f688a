"""Proposals about values that look like missing ones."""

from collections.abc import Iterator

from minv_verifiers.reading.tables import Table
from minv_verifiers.text import among, missing

_LIKELY = ("", "?", "-", ".", "NA", "N/A", "NULL", "null", "None", "nan", "NaN", "-9", "-99", "999")


def propose_missing_codes(table: Table, columns: list[str]) -> Iterator[str]:
    """Say which columns hold texts that often stand for a missing value, and what missing values count as."""
    for name in columns:
        texts = table.column(name)
        for code in _LIKELY:
            count = int(among(texts, [code]).sum())
            if count:
                yield (
                    f"{table.name}: column {name}: {count} cells are {code!r}, taken as a value; if it means missing,"
                    f" say so (--missing-code {code!r})"
                )
        absent = int(missing(texts).sum())
        if absent:
            yield f"{table.name}: column {name}: {absent} cells are missing, which counts as one value"
