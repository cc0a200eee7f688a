"""From columns to validated microdata: roles, missing values, ids, kinds."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.errors import DataError
from minv.hierarchy import Hierarchy, cover
from minv.numerals import ObjectArray, number_texts, rewritten_numerals
from minv.tables.columns import Family, RawColumn, raw_column, stored_family
from minv.tables.levels import resolve
from minv.tables.memory import check_memory
from minv.tables.microdata import Attribute, Microdata
from minv.tables.missing import MissingPolicy, MissingRules
from minv.tables.quoting import quoting
from minv.tables.roles import Kind, QuasiIdentifier, Roles
from minv.tables.source import Source
from minv.wording import counted, form

Columns = Mapping[str, RawColumn]


def read_microdata(
    source: Source, roles: Roles, missing: MissingRules | None = None, *, number_trees: bool = False
) -> Microdata:
    """Read the columns of `roles` and check everything that can be wrong with them.

    Parameters
    ----------
    number_trees
        Whether numbers may have a hierarchy or intervals (see `resolve`).

    Raises
    ------
    DataError
        Columns or values that cannot be used, naming the column and the count, never a value.
    UsageError
        Rules for missing values of columns without a role; a hierarchy of numbers where there may be none.
    """
    quasi_identifiers = [resolve(column, number_trees=number_trees) for column in roles.quasi_identifiers]
    missing = missing or MissingRules()
    missing.check_columns(roles.columns)
    memory = check_memory(source.rows, len(roles.columns), source.title)
    table = source.read(roles.columns)
    if not table.num_rows:
        raise DataError(f"{source.title}: the table has columns but no rows")
    columns = {name: raw_column(name, table.column(name), missing.codes_of(name)) for name in roles.columns}
    if roles.id is not None:
        _check_ids(columns[roles.id])
    keep, dropped, kept_missing = _apply_policies(columns, roles, missing, table.num_rows)
    if not keep.any():
        raise DataError(f"{source.title}: no row is left after those with missing values are dropped")
    positions = np.flatnonzero(keep)
    values, colours = _sensitive(columns.get(roles.sensitive), positions)
    return Microdata(
        attributes=tuple(_attribute(q, columns[q.name], positions) for q in quasi_identifiers),
        sensitive=roles.sensitive,
        colours=colours,
        sensitive_values=values,
        ids=None if roles.id is None else columns[roles.id].texts[positions],
        positions=positions,
        input_rows=table.num_rows,
        other={name: columns[name].texts[positions] for name in roles.other},
        dropped=dropped,
        missing=kept_missing,
        families={name: column.family for name, column in columns.items()},
        warnings=(*memory, *_warnings(columns, roles, values)),
    )


def _check_ids(column: RawColumn) -> None:
    if column.missing.any():
        raise DataError(
            f"id column {column.name!r}: {counted(int(column.missing.sum()), 'id is', 'ids are')} "
            "missing; every person needs one"
        )
    kind = column.values.type
    if not (pa.types.is_integer(kind) or stored_family(kind) is Family.TEXT):
        raise DataError(f"id column {column.name!r} has the type {kind}; ids must be whole numbers or text")
    counts = Counter(column.texts.tolist())
    repeated = {text: count for text, count in counts.items() if count > 1}
    if repeated:
        error = DataError(
            f"id column {column.name!r}: {counted(len(repeated), 'id occurs', 'ids occur')} more than once, in "
            f"{sum(repeated.values())} rows; "
            "a person has one row in a release"
        )
        raise quoting(error, repeated)
    rewritten = rewritten_numerals(counts)
    if rewritten:
        error = DataError(
            f"id column {column.name!r}: {counted(len(rewritten), 'number is', 'numbers are')} written "
            "in different ways (such as leading "
            "zeros); write every id in one way"
        )
        raise quoting(error, rewritten)


def _apply_policies(
    columns: Columns, roles: Roles, rules: MissingRules, rows: int
) -> tuple[BoolArray, dict[str, int], dict[str, int]]:
    """Return which rows stay, how many each column drops, and the missing values kept by column."""
    keep = np.ones(rows, dtype=np.bool_)
    dropped: dict[str, int] = {}
    for name in roles.columns:
        missing = columns[name].missing
        if name == roles.id or not missing.any():
            continue
        policy = rules.policy(name)
        if policy is MissingPolicy.ERROR:
            raise DataError(
                f"column {name!r}: {int(missing.sum())} of {counted(rows, 'value')} "
                f"{form(int(missing.sum()), 'is missing; fill it', 'are missing; fill them')} in, or say "
                f"--missing {name}=category (a value of its own) or --missing {name}=drop (leave the rows)"
            )
        if policy is MissingPolicy.DROP:
            dropped[name] = int((missing & keep).sum())
            keep &= ~missing
    kept = {name: int((columns[name].missing & keep).sum()) for name in roles.columns}
    return keep, dropped, {name: count for name, count in kept.items() if count}


def _sensitive(column: RawColumn | None, positions: IntArray) -> tuple[tuple[str | None, ...], IntArray]:
    """Return the sensitive values and each row's place among them; without a column, all are missing."""
    if column is None:
        return (None,), np.zeros(len(positions), np.int64)
    return _codes(column.texts[positions])


def _attribute(spec: QuasiIdentifier, column: RawColumn, positions: IntArray) -> Attribute:
    if spec.kind is Kind.NOMINAL:
        return _nominal(spec, column, positions)
    if spec.levels:
        return _ordered_texts(spec, column, positions)
    numbers = column.numbers()[positions]
    return Attribute(spec.name, spec.kind, numbers, hierarchy=_number_tree(spec, numbers), weight=spec.weight)


def _number_tree(spec: QuasiIdentifier, numbers: FloatArray) -> Hierarchy | None:
    present = numbers[~np.isnan(numbers)]
    if spec.intervals and len(present):
        try:
            return spec.intervals.hierarchy(present)
        except DataError as error:
            raise DataError(f"column {spec.name!r}: {error}") from None
    if spec.hierarchy:
        _check_coverage(spec, spec.hierarchy, number_texts(present))
    return spec.hierarchy


def _check_coverage(spec: QuasiIdentifier, hierarchy: Hierarchy, texts: ObjectArray) -> None:
    covered = cover(hierarchy, texts)
    try:
        covered.require_complete(spec.name, "its hierarchy")
    except DataError as error:
        raise quoting(error, covered.missing) from None


def _nominal(spec: QuasiIdentifier, column: RawColumn, positions: IntArray) -> Attribute:
    values, codes = _codes(column.texts[positions])
    levels = tuple(value for value in values if value is not None)
    if spec.hierarchy:
        _check_coverage(spec, spec.hierarchy, column.texts[positions][codes >= len(values) - len(levels)])
    numbers = codes.astype(np.float64)
    if len(levels) < len(values):
        numbers = np.where(codes == 0, np.nan, numbers - 1)
    return Attribute(spec.name, spec.kind, numbers, levels, spec.hierarchy, spec.weight)


def _ordered_texts(spec: QuasiIdentifier, column: RawColumn, positions: IntArray) -> Attribute:
    texts = column.texts[positions]
    rank: dict[str | None, float] = {level: float(place) for place, level in enumerate(spec.levels)}
    rank[None] = np.nan
    strangers = [text for text in texts if text not in rank]
    if strangers:
        error = DataError(
            f"column {spec.name!r}: {len(strangers)} of {counted(len(texts), 'value')} "
            f"{form(len(strangers), 'is', 'are')} not among its "
            f"{counted(len(spec.levels), 'ordered level')}; add them to the order file"
        )
        raise quoting(error, strangers)
    values = np.fromiter((rank[text] for text in texts), np.float64, len(texts))
    return Attribute(spec.name, spec.kind, values, spec.levels, weight=spec.weight)


def _codes(texts: ObjectArray) -> tuple[tuple[str | None, ...], IntArray]:
    """Return the distinct texts in the order of code points, None first, and each text's place."""
    distinct = sorted(set(texts.tolist()), key=lambda text: (text is not None, text or ""))
    place = {text: code for code, text in enumerate(distinct)}
    return tuple(distinct), np.fromiter((place[text] for text in texts), np.int64, len(texts))


def _warnings(columns: Columns, roles: Roles, sensitive: tuple[str | None, ...]) -> tuple[str, ...]:
    found = []
    for name in roles.columns:
        suspicious = columns[name].look_missing()
        if suspicious and name != roles.id:
            found.append(
                f"column {name!r}: {counted(suspicious, 'value looks', 'values look')} like a sign of a "
                "missing value but "
                f"{form(suspicious, 'counts as a value; declare it', 'count as values; declare them')} with "
                f"--missing-code if {form(suspicious, 'it is', 'they are')}"
            )
    spellings: defaultdict[str, int] = defaultdict(int)
    for value in sensitive:
        if value is not None:
            spellings[" ".join(value.casefold().split())] += 1
    alike = sum(count > 1 for count in spellings.values())
    if alike:
        found.append(
            f"column {roles.sensitive!r}: {counted(alike, 'value is', 'values are')} written in several ways "
            "(case or blanks); they count as different values, but a reader takes them for one: make them the "
            "same first"
        )
    return tuple(found)
