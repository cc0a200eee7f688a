"""Ids in a file of their own: who stands in which row or class."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from minv_verifiers.arrays import IntArray, match
from minv_verifiers.cells.number import parse_number
from minv_verifiers.errors import InputError, UsageError
from minv_verifiers.reading.roles import Roles
from minv_verifiers.reading.tables import Table
from minv_verifiers.text import pick
from minv_verifiers.vocabulary import encode
from minv_verifiers.wording import counted

PERSON = "id (link file)"  # the column that the ids get beside those of the release


def add_links(
    tables: Sequence[Table], links: Sequence[Table], roles: Roles
) -> tuple[list[Table], Roles, bool]:
    """Return the releases with the linked ids as one more column, the roles, and that rows may be nobody's.

    Raises
    ------
    InputError
        A link points nowhere, or a class has more people than rows.
    """
    if roles.person is None:
        raise UsageError("name the id column of the link files (--id)")
    joined = [_join(table, link, roles) for table, link in zip(tables, links, strict=True)]
    return joined, replace(roles, person=PERSON), True


def named_alike(table: Table, roles: Roles) -> Table:
    """Return an original table with its ids under the name that linked ids have in the releases."""
    return Table(table.name, {**table.columns, PERSON: table.column(roles.person or "")})


def _join(table: Table, link: Table, roles: Roles) -> Table:
    ids = link.column(roles.person or "")
    if ids.null_count:
        raise InputError(
            f"{link.name}: column {roles.person}: {counted(ids.null_count, 'row has', 'rows have')} no id"
        )
    if "row" in link.columns:
        rows = _rows(table, link)
    elif roles.class_id is not None and roles.class_id in link.columns:
        rows = _rows_of_classes(table, link, roles)
    else:
        raise InputError(f"{link.name}: needs a column row (from 1) or the class column (--class)")
    owner = np.full(len(table), -1, dtype=np.int64)
    owner[rows] = np.arange(len(link))
    person = pick(ids, owner)
    return Table(table.name, {**table.columns, PERSON: person})


def _rows(table: Table, link: Table) -> IntArray:
    numbers = [parse_number(text or "") for text in link.column("row").to_pylist()]
    wrong = sum(
        number is None or number != int(number) or not 1 <= number <= len(table) for number in numbers
    )
    if wrong:
        raise InputError(
            f"{link.name}: column row: {counted(wrong, 'value is', 'values are')} no row of {table.name}"
        )
    rows = np.array(numbers, dtype=np.int64) - 1
    twice = len(rows) - len(np.unique(rows))
    if twice:
        raise InputError(f"{link.name}: column row: {counted(twice, 'row is', 'rows are')} linked twice")
    return rows


def _rows_of_classes(table: Table, link: Table, roles: Roles) -> IntArray:
    """Return a row of the person's class, by the sensitive value too where the link file has it."""
    names = [roles.class_id or ""]
    if roles.sensitive is not None and roles.sensitive in link.columns:
        names.append(roles.sensitive)
    keys = [np.zeros(len(table), np.int64), np.zeros(len(link), np.int64)]
    for name in names:
        (own, theirs), _ = encode([table.column(name), link.column(name)])
        width = max(own.max(initial=0), theirs.max(initial=0)) + 1
        keys = [keys[0] * width + own, keys[1] * width + theirs]
    rows = match(keys[1], keys[0])
    if (rows < 0).any():
        raise InputError(
            f"{link.name}: {counted(int((rows < 0).sum()), 'person finds', 'people find')} no row of "
            f"their class in {table.name}"
        )
    return rows
