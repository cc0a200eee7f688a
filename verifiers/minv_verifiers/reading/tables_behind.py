"""The original tables behind the files of anybody."""

from collections.abc import Sequence

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray, match
from minv_verifiers.cells.column import ValueColumn
from minv_verifiers.errors import InputError
from minv_verifiers.model import QuasiIdentifier, Truth
from minv_verifiers.reading.missing_codes import says_missing, sensitive_values
from minv_verifiers.reading.roles import Roles
from minv_verifiers.reading.scales import scale_of
from minv_verifiers.reading.tables import Table
from minv_verifiers.text import Texts
from minv_verifiers.vocabulary import Vocabulary, encode, missing_code
from minv_verifiers.wording import counted


def truth_behind(
    table: Table,
    roles: Roles,
    *,
    persons: Sequence[IntArray],
    sensitive: Sequence[IntArray],
    values: Vocabulary | None,
) -> Truth:
    """Return the original table behind one release, linked by id.

    Parameters
    ----------
    table
        The original.
    persons, sensitive
        The codes of the release and those of the original; no sensitive ones where no column was named.
    values
        What the sensitive codes mean.

    Raises
    ------
    InputError
        A column is missing, or an id is.
    """
    shown, own = persons
    if (own < 0).any():
        raise InputError(
            f"{table.name}: column {roles.person}: {counted(int((own < 0).sum()), 'row has', 'rows have')} no id"
        )
    everybody = np.ones(len(table), dtype=np.bool_)
    link = np.where(shown >= 0, match(shown, own), -1)
    return Truth(
        source=table.name,
        persons=own,
        sensitive=np.zeros(len(table), dtype=np.int64)
        if values is None
        else _settled(sensitive[1], sensitive[0], link, values),
        values={column.name: _coded(table, column) for column in roles.quasi_identifiers},
        published=everybody,
        suppressed=~everybody,
        counterfeit=~everybody,
        link=link,
    )


def true_values(table: Table, roles: Roles) -> Texts:
    r"""Return the sensitive column of an original; what tells no value is missing, save the text ``\N``.

    An original is not written in our format: there the text may be a value, which is published as ``\\N``.
    """
    return sensitive_values(table, roles, keep_missing_sign=True)


def _settled(true: IntArray, shown: IntArray, link: IntArray, values: Vocabulary) -> IntArray:
    r"""Return an original's codes, ``\N`` taken for a missing value where one is published for it."""
    missing = missing_code(values)
    behind = link[(link >= 0) & (shown == missing)]
    signs: BoolArray = says_missing(values.array)[true[behind]]
    settled = true.copy()
    settled[behind[signs]] = missing
    return settled


def _coded(table: Table, column: QuasiIdentifier) -> ValueColumn:
    (codes,), vocabulary = encode([table.column(column.name)])
    return ValueColumn(codes, vocabulary, scale_of(column))
