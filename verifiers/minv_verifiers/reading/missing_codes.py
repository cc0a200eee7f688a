"""Proposals about values that look like missing ones."""

from collections.abc import Iterator

from minv_verifiers.reading.tables import Table
from minv_verifiers.text import among, missing

_LIKELY = ("", "?", "-", ".", "NA", "N/A", "NULL", "null", "None", "nan", "NaN", "-9", "-99", "999")


def suppressed_values(table: Table, sensitive: str | None) -> Iterator[str]:
    """Say how many sensitive values are suppressed: nobody can tell that they differ from the others."""
    count = 0 if sensitive is None else int(among(table.column(sensitive), ["*"]).sum())
    if count:
        yield (
            f"{table.name}: column {sensitive}: {count} sensitive values are suppressed ('*'), which counts as one"
            " value although it may hide any"
        )


def propose_missing_codes(table: Table, columns: list[str]) -> Iterator[str]:
    """Say which columns hold texts that often stand for a missing value, and what missing values count as."""
    if not len(table):
        yield f"{table.name}: no rows, so that every rule on rows holds"
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
