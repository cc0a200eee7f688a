"""The order of an ordinal column and the hierarchy of a nominal one, from their files."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from minv.errors import DataError
from minv.hierarchy import Hierarchy, read_hierarchy
from minv.tables.roles import Kind, QuasiIdentifier


def resolve(column: QuasiIdentifier) -> QuasiIdentifier:
    """Read the file of a quasi-identifier, if it names one.

    Raises
    ------
    DataError
        The file cannot be read or does not hold what it should.
    """
    if column.source is None:
        return column
    path = Path(column.source)
    if column.kind is Kind.ORDINAL:
        return replace(column, source=None, levels=read_order(path))
    hierarchy = read_hierarchy(path)
    if not isinstance(hierarchy, Hierarchy):
        raise DataError(f"{path}: intervals are no hierarchy of a nominal column; list its values")
    return replace(column, source=None, hierarchy=hierarchy)


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
            f"{path}: {twice} values are listed more than once; a value has one place in an order"
        )
    return levels
