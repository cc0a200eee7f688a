"""From a series folder (docs/format.md) to evidence."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from minv_verifiers.errors import InputError
from minv_verifiers.folder import Folder, PrivatePart, ReleaseFile
from minv_verifiers.model import Claims, Evidence, Model
from minv_verifiers.reading.coding import SeriesTables, code_series
from minv_verifiers.reading.manifest import (
    expected_columns,
    manifest_errors,
    read_manifest,
    roles_are_usable,
)
from minv_verifiers.reading.private_part import read_private_part
from minv_verifiers.reading.tables import Table, read_table
from minv_verifiers.wording import counted

_PATH = re.compile(r"release-\d{4,}\.(parquet|csv)")
_NO_PRIVATE = "the private part is not there"
_PUBLIC_ONLY = "the private part was left aside (--public-only)"


def read_series(root: Path, *, public_only: bool = False, tables: Sequence[Table] = ()) -> Evidence:
    """Read a series folder, or its public part alone.

    Parameters
    ----------
    root
        The folder of the series, or its `public` folder.
    public_only
        Leave the private part aside.
    tables
        The original table of each release, in order; none, or one a release.

    Raises
    ------
    InputError
        There is no manifest that can be read, or the original tables are not one a release.
    """
    public = root / "public" if (root / "public").is_dir() else root
    manifest, content = read_manifest(public / "datapackage.json")
    errors = manifest_errors(manifest, content)
    read = [
        _read_release(public, number, entry) for number, entry in enumerate(_resources(manifest), start=1)
    ]
    files = tuple(file for file, _ in read)
    private: PrivatePart | None = None
    private_tables: tuple[Table | None, ...] = ()
    why_public = _PUBLIC_ONLY if public_only else _NO_PRIVATE
    if public != root and (root / "private").is_dir() and not public_only:
        private, private_tables = read_private_part(root / "private", len(files))
        why_public = ""
    folder = Folder(
        root=root,
        public=public,
        manifest=manifest,
        manifest_errors=tuple(errors),
        files=files,
        private=private,
        why_public=why_public,
    )
    if tables and len(tables) != len(files):
        raise InputError(
            f"{counted(len(tables), 'original table')} for {counted(len(files), 'release')}; give one "
            "for each, in order"
        )
    if tables and private is None:
        raise InputError(f"original tables are compared with the private part, and {why_public}")
    defect = _defect(manifest, files)
    if defect:
        return Evidence(
            claims=_claims(manifest, private),
            quasi_identifiers=(),
            tables=(),
            sensitive_values=None,
            persons=None,
            folder=folder,
            defect=defect,
        )
    public_tables = [table for _, table in read if table is not None]
    return code_series(
        folder, _claims(manifest, private), SeriesTables(public_tables, private_tables, tables)
    )


def _resources(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = manifest.get("resources")
    return [entry if isinstance(entry, dict) else {} for entry in listed] if isinstance(listed, list) else []


def _read_release(public: Path, number: int, resource: Mapping[str, Any]) -> tuple[ReleaseFile, Table | None]:
    """One listed release, with the reason where it cannot be read."""
    name = resource.get("path")
    if not isinstance(name, str) or not _PATH.fullmatch(name):
        path = public / f"release-{number:04d}"
        problem = "the manifest names no file of a release"
        return ReleaseFile(number=number, path=path, resource=resource, columns=None, problem=problem), None
    path = public / name
    try:
        table = read_table(path)
    except InputError as error:
        problem = "the file is missing" if not path.exists() else str(error)
        return ReleaseFile(number=number, path=path, resource=resource, columns=None, problem=problem), None
    return ReleaseFile(number=number, path=path, resource=resource, columns=tuple(table.columns)), table


def _defect(manifest: Mapping[str, Any], files: Sequence[ReleaseFile]) -> str:
    """Why the releases cannot be looked at."""
    if not roles_are_usable(manifest):
        return "the manifest does not follow its schema"
    columns = expected_columns(dict(manifest))
    for file in files:
        if file.columns is None:
            return f"release {file.number} cannot be read"
        absent = [name for name in columns if name not in file.columns]
        if absent:
            return f"release {file.number} has no column {absent[0]}"
    return "" if files else "the manifest lists no release"


def _claims(manifest: Mapping[str, Any], private: PrivatePart | None) -> Claims:
    settings = private.settings if private is not None else None
    disjoint = settings is not None and settings.get("on_update") == "disjoint"
    model: Model = "tau-safe"
    if disjoint:
        model = "equal-or-disjoint"
    elif settings is not None and settings.get("model") == "m-invariant":
        model = "m-invariant"
    return Claims(model=model, m=_stated_m(manifest), resumes_suppressed=not disjoint)


def _stated_m(manifest: Mapping[str, Any]) -> int:
    """Return the m of a manifest, whatever else is wrong with it; 0 where it states none."""
    roles = manifest.get("minv")
    m = roles.get("m") if isinstance(roles, dict) else None
    if isinstance(m, bool) or not isinstance(m, int | float):
        return 0
    return int(m) if m >= 1 and m == m // 1 else 0
