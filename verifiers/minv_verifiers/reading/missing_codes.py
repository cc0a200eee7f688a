"""Proposals about values that look like missing ones."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.arrays import BoolArray
from minv_verifiers.cells.published import MISSING
from minv_verifiers.reading.roles import Roles
from minv_verifiers.reading.tables import Table
from minv_verifiers.text import Texts, among, blank, distinct, missing
from minv_verifiers.wording import counted, form

_LIKELY = ("", "?", "-", ".", "NA", "N/A", "NULL", "null", "None", "nan", "NaN", "-9", "-99", "999")


def sensitive_values(table: Table, roles: Roles, *, keep_missing_sign: bool = False) -> Texts:
    r"""Return the sensitive column; what tells no value is missing, unless declared a value, or ``\N`` and kept."""
    texts = table.column(roles.sensitive or "")
    if roles.missing_is_value:
        return texts
    nothing = _tells_nothing(texts)
    return blank(texts, nothing & ~says_missing(texts) if keep_missing_sign else nothing)


def says_missing(texts: Texts) -> BoolArray:
    r"""Whether each text is ``\N``, which means a missing value in our own format alone."""
    codes, vocabulary = distinct(texts)
    signs = [text is not None and text.strip() == MISSING for text in vocabulary.to_pylist()]
    return np.array(signs, dtype=np.bool_)[codes]


def _tells_nothing(texts: Texts) -> BoolArray:
    """Whether each text is missing, blank, a star or the missing value of our own format."""
    codes, vocabulary = distinct(texts)
    nothing = [text is None or text.strip() in ("", "*", MISSING) for text in vocabulary.to_pylist()]
    return np.array(nothing, dtype=np.bool_)[codes]


def count_valueless(table: Table, roles: Roles) -> Iterator[str]:
    """Say how many sensitive values tell nothing, and what they count as."""
    count = 0 if roles.sensitive is None else int(_tells_nothing(table.column(roles.sensitive)).sum())
    if count:
        meaning = (
            f"taken as {form(count, 'a value', 'values')} like any other, as was said (missing-is-value)"
            if roles.missing_is_value
            else f"which may hide any and so {form(count, 'protects', 'protect')} nobody (unless --missing-is-value)"
        )
        yield (
            f"{table.name}: column {roles.sensitive}: "
            f"{counted(count, 'sensitive value is', 'sensitive values are')} missing, empty or"
            f" suppressed, {meaning}"
        )


def propose_missing_codes(table: Table, roles: Roles) -> Iterator[str]:
    """Say which columns hold texts that often stand for a missing value, and what missing values count as."""
    columns = [column.name for column in roles.quasi_identifiers] + [
        name for name in (roles.sensitive,) if name
    ]
    if not len(table):
        yield f"{table.name}: no rows, so that every rule on rows holds"
    for name in columns:
        texts = table.column(name)
        for code in _LIKELY:
            if name == roles.sensitive and not code:
                continue  # counted as telling nothing
            count = int(among(texts, [code]).sum())
            if count:
                yield (
                    f"{table.name}: column {name}: {counted(count, 'cell is', 'cells are')} {code!r}, "
                    "taken as a value; if it means missing,"
                    f" say so (--missing-code {code!r})"
                )
        absent = int(missing(texts).sum())
        if absent and name != roles.sensitive:
            yield (
                f"{table.name}: column {name}: {counted(absent, 'cell is', 'cells are')} missing, "
                "which counts as one value"
            )
