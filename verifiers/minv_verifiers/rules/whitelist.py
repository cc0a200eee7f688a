"""Rules on what the public part may hold."""

import re
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from minv_verifiers.dossier import Dossier
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.reading.manifest import expected_columns, roles_are_usable
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.rules.uniqueness import DIFFER
from minv_verifiers.wording import counted

_SOURCE = "docs/format.md, section 2"


@rule("public-files", Group.FORMAT, source=_SOURCE)
def public_files(dossier: Dossier) -> Iterator[Witness]:
    """Nothing lies in the public folder but the manifest, the listed releases and left-overs of the next one."""
    folder = dossier.folder
    allowed = {"datapackage.json"} | {file.path.name for file in folder.files}
    leftover = re.compile(
        rf"\.?release-{len(folder.files) + 1:04d}\.(parquet|csv)(\..*)?|\.?datapackage\.json\..*"
    )
    for path in sorted(folder.public.iterdir()):
        if path.name not in allowed and not leftover.fullmatch(path.name):
            yield Witness(message="the file does not belong into the public part", file=path.name)


@rule("public-columns", Group.FORMAT, source=_SOURCE)
def public_columns(dossier: Dossier) -> Iterator[Witness]:
    """Every release has exactly the columns class, the quasi-identifiers, the sensitive one and the listed others."""
    if not roles_are_usable(dossier.folder.manifest):
        raise NotCheckable("the manifest does not follow its schema")
    expected = tuple(expected_columns(dict(dossier.folder.manifest)))
    for file in dossier.folder.files:
        if file.columns is None or file.columns == expected:
            continue
        extra = set(file.columns) - set(expected)
        message = (
            f"{counted(len(extra), 'column')} too many"
            if extra
            else "columns are missing or in another order"
        )
        yield Witness(
            message=message,
            size=max(1, len(extra)),
            release=file.number,
            file=file.path.name,
            raw={"columns": tuple(sorted(extra))},
        )


@rule("other-columns-constant", Group.FORMAT, source=_SOURCE)
def other_columns_constant(dossier: Dossier) -> Iterator[Witness]:
    """Every other column has one value in each class."""
    for release in dossier.releases:
        for name, column in release.others.items():
            first = column[release.groups.order[release.groups.starts[:-1]]]
            odd = (column != first[release.class_of_row]).nonzero()[0]
            for class_index in sorted(set(release.class_of_row[odd].tolist())):
                rows = odd[release.class_of_row[odd] == class_index]
                yield Witness(
                    message=counted(len(rows), *DIFFER),
                    size=len(rows),
                    release=release.number,
                    class_id=release.class_ids.text(class_index),
                    rows=release.file_rows(rows),
                    column=name,
                )


@rule("parquet-plain", Group.FORMAT, source=_SOURCE)
def parquet_plain(dossier: Dossier) -> Iterator[Witness]:
    """Every Parquet release is plain: text and 64-bit classes, one row group, no dictionary, no metadata, no nulls."""
    for file in dossier.folder.files:
        if file.problem or file.path.suffix != ".parquet":
            continue
        with pq.ParquetFile(file.path) as parquet:
            for message in _departures(parquet):
                yield Witness(message=message, release=file.number, file=file.path.name)


def _departures(parquet: pq.ParquetFile) -> Iterator[str]:
    metadata, schema = parquet.metadata, parquet.schema_arrow
    if metadata.metadata or schema.metadata:
        yield "the file carries key-value metadata"
    if metadata.num_row_groups != 1:
        yield f"{metadata.num_row_groups} row groups instead of one"
    for field in schema:
        if field.type != (pa.int64() if field.name == "class" else pa.string()):
            yield f"column {field.name} has the type {field.type}"
        if field.metadata and set(field.metadata) - {b"PARQUET:field_id"}:
            yield f"column {field.name} carries metadata"
    for group in range(metadata.num_row_groups):
        for index in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(index)
            if chunk.has_dictionary_page or "DICTIONARY" in "".join(chunk.encodings):
                yield f"column {chunk.path_in_schema} is dictionary-encoded"
            if chunk.statistics is not None and chunk.statistics.null_count:
                yield f"column {chunk.path_in_schema} has {chunk.statistics.null_count} nulls"
