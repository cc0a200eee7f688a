"""The order of an ordinal column and the hierarchy of another, from their files."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from minv.errors import DataError, UsageError
from minv.hierarchy import Hierarchy, Intervals, number_tree, read_hierarchy
from minv.tables.roles import Kind, QuasiIdentifier
from minv.wording import counted


def resolve(column: QuasiIdentifier, *, number_trees: bool = False) -> QuasiIdentifier:
    """Read the file of a quasi-identifier, if it names one.

    Parameters
    ----------
    number_trees
        Whether numbers may have a hierarchy or intervals: only `minv kanon` publishes labels of those.

    Raises
    ------
    UsageError
        A numeric column with a hierarchy where it may have none.
    DataError
        The file cannot be read or does not hold what it should.
    """
    given = column.source or column.hierarchy or column.intervals
    if column.kind is Kind.NUMERIC and given and not number_trees:
        raise UsageError(
            f"column {column.name!r}: intervals of numbers are for minv kanon; here a class is published with its "
            "least and greatest number, so leave the file out"
        )
    if column.source is None:
        if column.kind is Kind.NUMERIC and column.hierarchy is not None:
            return replace(column, hierarchy=number_tree(column.hierarchy, f"column {column.name!r}"))
        return column
    path = Path(column.source)
    if column.kind is Kind.ORDINAL:
        return replace(column, source=None, levels=read_order(path))
    found = read_hierarchy(path)
    if column.kind is Kind.NUMERIC:
        if isinstance(found, Intervals):
            return replace(column, source=None, intervals=found)
        return replace(column, source=None, hierarchy=number_tree(found, path.name))
    if not isinstance(found, Hierarchy):
        raise DataError(f"{path}: intervals are no hierarchy of a nominal column; list its values")
    return replace(column, source=None, hierarchy=found)


def read_order(path: Path) -> tuple[str, ...]:
    """Read an order file: UTF-8, one value a line, in ascending order.

    Raises
    ------
    DataError
        The file cannot be read, is empty, or lists a value twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: not UTF-8; an order file is UTF-8 text with one value a line") from None
    levels = tuple(line for line in text.split("\n") if line)
    if not levels:
        raise DataError(f"{path}: the order file is empty; it needs one value a line, in ascending order")
    twice = sum(count > 1 for count in Counter(levels).values())
    if twice:
        raise DataError(
            f"{path}: {counted(twice, 'value is', 'values are')} listed more than once; a value has one "
            "place in an order"
        )
    return levels
