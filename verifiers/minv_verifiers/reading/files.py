"""From the files of anybody to evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray, dense, pair_codes
from minv_verifiers.cells.column import CellColumn
from minv_verifiers.errors import InputError, UsageError
from minv_verifiers.model import Claims, Evidence, Release
from minv_verifiers.reading.anatomy import join_anatomy
from minv_verifiers.reading.identities import doubts_about_ids, refuse_respelled
from minv_verifiers.reading.links import add_links, named_alike
from minv_verifiers.reading.missing_codes import count_valueless, propose_missing_codes, sensitive_values
from minv_verifiers.reading.roles import Roles, parser_of
from minv_verifiers.reading.tables import Table
from minv_verifiers.reading.tables_behind import true_values, truth_behind
from minv_verifiers.text import Texts, among, blank, missing, pick, texts_of, translate
from minv_verifiers.vocabulary import Vocabulary, encode, encode_persons, missing_code
from minv_verifiers.wording import counted, form

_YES, _NO = ("true", "1", "yes"), ("false", "0", "no", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSet:
    """The tables of a third party's series, one a release in each list (or none).

    Attributes
    ----------
    releases
        What was published, in order.
    links
        Who is where: the id column and `row` (from 1) or the class column.
    sensitive_tables
        The second tables of anatomy-style pairs: class, sensitive value, count.
    counterfeits
        Published numbers of counterfeits: the class column and `count`.
    originals
        The tables behind.
    """

    releases: Sequence[Table]
    links: Sequence[Table] = field(default=())
    sensitive_tables: Sequence[Table] = field(default=())
    counterfeits: Sequence[Table] = field(default=())
    originals: Sequence[Table] = field(default=())

    def __post_init__(self) -> None:
        if not self.releases:
            raise UsageError("give at least one release")
        for name in ("links", "sensitive_tables", "counterfeits", "originals"):
            tables = getattr(self, name)
            one = name.replace("_", " ").removesuffix("s")
            if tables and len(tables) != len(self.releases):
                raise UsageError(
                    f"{counted(len(tables), one)} for {counted(len(self.releases), 'release')};"
                    " give one for each, in order"
                )


def read_files(files: FileSet, roles: Roles, claims: Claims) -> Evidence:
    """Code releases whose roles are given.

    Raises
    ------
    InputError
        A column is missing, or a value that must be there is.
    """
    if files.sensitive_tables:
        if files.originals:
            raise UsageError("an anatomy-style pair does not tell whose value is whose: leave out --table")
        return _code(_Prepared(*join_anatomy(files.releases, files.sensitive_tables, roles)), files, claims)
    prepared = _Prepared(list(files.releases), roles)
    if files.links:
        prepared = _Prepared(*add_links(files.releases, files.links, roles), links=True)
        files = replace(files, originals=[named_alike(table, roles) for table in files.originals])
    return _code(prepared, files, claims)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """Releases with all that is known in columns of their own; `person` may be null for nobody."""

    tables: Sequence[Table]
    roles: Roles
    nobody_allowed: bool = False
    notes: tuple[str, ...] = ()
    links: bool = False


def _code(prepared: _Prepared, files: FileSet, claims: Claims) -> Evidence:
    roles, notes = prepared.roles, list(prepared.notes)
    for table in prepared.tables:
        notes += propose_missing_codes(table, roles)
    expanded = [_expand(table, roles, notes) for table in prepared.tables]
    tables = [table for table, _ in expanded]
    for table in tables:
        notes += count_valueless(table, roles)
    flags = [_flags(table, roles) for table in tables]
    sensitive_codes, vocabulary = _sensitive(tables, files.originals, roles)
    person_codes, people = _persons(tables, files.originals, prepared, flags, notes)
    releases = []
    for index, (table, file_rows) in enumerate(expanded):
        cells = {column.name: _cells(table, column.name, roles) for column in roles.quasi_identifiers}
        classes, class_ids = _classes(table, cells, roles)
        declared = _declared(files.counterfeits[index], roles) if files.counterfeits else None
        release = Release(
            number=index + 1,
            name=table.name,
            class_of_row=classes,
            class_ids=class_ids,
            sensitive=sensitive_codes[index] if sensitive_codes else None,
            cells=cells,
            persons=person_codes[index] if person_codes else None,
            counterfeit=flags[index],
            declared_counterfeits=declared,
            unassigned=_unassigned(table, roles),
            unidentified=_unidentified(person_codes[index], classes, class_ids, flags[index], declared)
            if prepared.links
            else 0,
            expanded_rows=file_rows,
            unknown_value=-1 if roles.missing_is_value else missing_code(vocabulary),
            truth=truth_behind(
                files.originals[index],
                roles,
                persons=person_codes[index :: len(tables)],
                sensitive=sensitive_codes[index :: len(tables)],
                values=vocabulary,
            )
            if files.originals
            else None,
        )
        releases.append(release)
    return Evidence(
        claims=claims,
        quasi_identifiers=roles.quasi_identifiers,
        tables=tuple(releases),
        sensitive_values=vocabulary,
        persons=people,
        notes=tuple(notes),
    )


def _expand(table: Table, roles: Roles, notes: list[str]) -> tuple[Table, IntArray | None]:
    """One row for each tuple: rows with a count repeated, rows that tell nothing at all left out."""
    keep = np.ones(len(table), dtype=np.int64)
    if roles.count is not None:
        keep = table.counts(roles.count)
    told = [column.name for column in roles.quasi_identifiers] + (
        [roles.sensitive] if roles.sensitive else []
    )
    if roles.sensitive and roles.quasi_identifiers:
        nothing = np.logical_and.reduce([among(table.column(name), ["*"]) for name in told])
        if nothing.any():
            notes.append(
                f"{table.name}: "
                f"{counted(int(nothing.sum()), 'row')}, suppressed altogether,"
                f" {form(int(nothing.sum()), 'was', 'were')} left out"
            )
            keep[nothing] = 0
    if (keep == 1).all():
        return table, None
    rows = np.repeat(np.arange(len(table)), keep)
    return Table(table.name, {name: pick(column, rows) for name, column in table.columns.items()}), rows


def _flags(table: Table, roles: Roles) -> BoolArray | None:
    if roles.counterfeit is None:
        return None
    lower = translate(table.column(roles.counterfeit), str.lower)
    yes = among(lower, _YES)
    no = among(lower, _NO) | missing(lower)
    unclear = int((~(yes | no)).sum())
    if unclear:
        raise InputError(
            f"{table.name}: column {roles.counterfeit}: {counted(unclear, 'value is', 'values are')} "
            "neither true nor false"
        )
    return yes


def _sensitive(
    tables: Sequence[Table], originals: Sequence[Table], roles: Roles
) -> tuple[list[IntArray], Vocabulary | None]:
    if roles.sensitive is None:
        return [], None
    return encode(
        [
            *(sensitive_values(table, roles) for table in tables),
            *(true_values(table, roles) for table in originals),
        ]
    )


def _persons(
    tables: Sequence[Table],
    originals: Sequence[Table],
    prepared: _Prepared,
    flags: Sequence[BoolArray | None],
    notes: list[str],
) -> tuple[list[IntArray], Vocabulary | None]:
    name = prepared.roles.person
    if name is None:
        if originals:
            raise UsageError("name the id column (--id): the original table is compared by it")
        return [], None
    columns = [_ids(table, name) for table in (*tables, *originals)]
    for table, column, made_up in zip(tables, columns, flags, strict=False):
        nobody = missing(column)
        unexplained = int((nobody & ~made_up).sum()) if made_up is not None else int(nobody.sum())
        if unexplained and not prepared.nobody_allowed:
            raise InputError(
                f"{table.name}: column {name}: {counted(unexplained, 'row has', 'rows have')} no id; "
                f"complete {form(unexplained, 'it', 'them')}, or mark counterfeits"
                " in a column of their own (--counterfeit)"
            )
    codes, people = encode_persons(columns)
    refuse_respelled(people, name)
    notes += doubts_about_ids(people, codes[: len(tables)], flags, name)
    made_up_codes = [
        codes[index] if made_up is None else np.where(made_up, -1, codes[index])
        for index, made_up in enumerate(flags)
    ]
    return [*made_up_codes, *codes[len(tables) :]], people


def _ids(table: Table, name: str) -> Texts:
    column = table.column(name)
    return blank(column, among(column, [""]))


def _unassigned(table: Table, roles: Roles) -> dict[str, IntArray]:
    names = [name for name in table.columns if name not in roles.columns]
    return {name: encode([table.column(name)])[0][0] for name in names}


def _unidentified(
    persons: IntArray,
    classes: IntArray,
    class_ids: Vocabulary,
    made_up: BoolArray | None,
    declared: Mapping[str, int] | None,
) -> int:
    """Count the rows without an id beyond the counterfeits that are marked or declared."""
    unknown = persons < 0 if made_up is None else (persons < 0) & ~made_up
    counts = np.bincount(classes[unknown], minlength=len(class_ids))
    allowed = np.zeros(len(class_ids), dtype=np.int64)
    if made_up is None and declared is not None:
        allowed += np.array([declared.get(text or "", 0) for text in class_ids.all], dtype=np.int64)
    return int(np.maximum(counts - allowed, 0).sum())


def _cells(table: Table, name: str, roles: Roles) -> CellColumn:
    column = next(column for column in roles.quasi_identifiers if column.name == name)
    (codes,), vocabulary = encode([table.column(name)])
    return CellColumn(codes, vocabulary, parser_of(column))


def _classes(table: Table, cells: dict[str, CellColumn], roles: Roles) -> tuple[IntArray, Vocabulary]:
    """Classes by their id, or rows with equal quasi-identifiers, numbered by first appearance."""
    if roles.class_id is not None:
        column = table.column(roles.class_id)
        if column.null_count:
            raise InputError(
                f"{table.name}: column {roles.class_id}: {counted(column.null_count, 'row has', 'rows have')} no class"
            )
        (codes,), vocabulary = encode([column])
        return codes, vocabulary
    together = np.zeros(len(table), dtype=np.int64)
    for cell_column in cells.values():
        together, _ = dense(pair_codes(together, cell_column.meanings[cell_column.codes]))
    _, first = np.unique(together, return_index=True)
    rank = np.argsort(np.argsort(first))
    return rank[together].astype(np.int64), Vocabulary(
        texts_of(str(number + 1) for number in range(len(first)))
    )


def _declared(table: Table, roles: Roles) -> dict[str, int]:
    if roles.class_id is None:
        raise UsageError("numbers of counterfeits need a class column (--class)")
    return {
        text or "": int(count)
        for text, count in zip(table.column(roles.class_id).to_pylist(), table.counts("count"), strict=True)
    }
