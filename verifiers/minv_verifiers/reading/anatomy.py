"""Anatomy-style pairs (Xiao and Tao 2006): exact quasi-identifiers in one table, sensitive counts in another."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from minv_verifiers.arrays import match
from minv_verifiers.errors import InputError, UsageError
from minv_verifiers.reading.roles import Roles
from minv_verifiers.reading.tables import Table
from minv_verifiers.text import pick
from minv_verifiers.vocabulary import encode
from minv_verifiers.wording import counted


def join_anatomy(
    tables: Sequence[Table], sensitive_tables: Sequence[Table], roles: Roles
) -> tuple[list[Table], Roles, bool, tuple[str, ...]]:
    """One table a release: the sensitive values of each class, with the people of the class beside them in any order.

    Who has which value is not told by such a pair and is not used by any rule on signatures. Values beyond the
    people of a class are nobody's (counterfeits).

    Raises
    ------
    UsageError
        No class or sensitive column is named.
    InputError
        A class has more people than sensitive values.
    """
    if roles.class_id is None or roles.sensitive is None:
        raise UsageError(
            "an anatomy-style pair needs a class column (--class) and a sensitive column (--sensitive)"
        )
    joined = [_join(table, values, roles) for table, values in zip(tables, sensitive_tables, strict=True)]
    note = "anatomy-style pairs: quasi-identifiers are published exactly, so no rule on cells applies"
    return joined, replace(roles, quasi_identifiers=(), count=None, counterfeit=None), True, (note,)


def _join(table: Table, values: Table, roles: Roles) -> Table:
    class_id, sensitive = roles.class_id or "", roles.sensitive or ""
    name = roles.count or "count"
    counts = values.counts(name) if name in values.columns else np.ones(len(values), dtype=np.int64)
    rows = np.repeat(np.arange(len(values)), counts)
    columns = {class_id: pick(values.column(class_id), rows), sensitive: pick(values.column(sensitive), rows)}
    (people, places), _ = encode([table.column(class_id), columns[class_id]])
    spot = match(people, places)
    if (spot < 0).any():
        raise InputError(
            f"{table.name}: {counted(int((spot < 0).sum()), 'row finds', 'rows find')} no sensitive "
            "value of their class"
        )
    if roles.person is not None:
        nameless = table.column(roles.person).null_count
        if nameless:
            raise InputError(
                f"{table.name}: column {roles.person}: {counted(nameless, 'row has', 'rows have')} no id"
            )
        owner = np.full(len(places), -1, dtype=np.int64)
        owner[spot] = np.arange(len(people))
        columns[roles.person] = pick(table.column(roles.person), owner)
    return Table(table.name, columns)
