"""Data Packages: whose they are, and the releases that they list."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from minv_verifiers.errors import InputError
from minv_verifiers.reading.json_text import UnreadableError, parse_json
from minv_verifiers.reading.tables import Table, TextFormat, read_table

MANIFEST = "datapackage.json"


def is_series(path: Path) -> bool:
    """Whether a path is a series folder, its public part, or a Data Package that says so."""
    for candidate in (path / "public" / MANIFEST, path / MANIFEST):
        if candidate.is_file():
            return _content(candidate).get("name") == "minv-series" or "minv" in _content(candidate)
    return (path / "public").is_dir() or (path / "private").is_dir()


def release_tables(sources: Sequence[Any], text_format: TextFormat) -> list[Table]:
    """Return the releases in order; a Data Package (its file or its folder) stands for all its resources.

    Raises
    ------
    InputError
        A file cannot be read, or a package lists none inside its folder.
    """
    tables: list[Table] = []
    for source in sources:
        manifest = _manifest_of(source)
        if manifest is None:
            tables.append(read_table(source, text_format, f"release {len(tables) + 1}"))
        else:
            tables += _resources(manifest, text_format)
    return tables


def _manifest_of(source: Any) -> Path | None:
    if not isinstance(source, (str, Path)):
        return None
    path = Path(source)
    if path.is_dir():
        if not (path / MANIFEST).is_file():
            raise InputError(f"{path}: a folder without {MANIFEST}; name the files in order")
        return path / MANIFEST
    return path if path.suffix == ".json" else None


def _content(path: Path) -> dict[str, Any]:
    try:
        content = parse_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: the manifest cannot be read ({error.strerror})") from error
    except UnreadableError as error:
        raise InputError(f"{path}: {error}") from error
    if not isinstance(content, dict):
        raise InputError(f"{path}: the manifest is not a JSON object")
    return content


def _resources(manifest: Path, text_format: TextFormat) -> list[Table]:
    listed = _content(manifest).get("resources")
    if not isinstance(listed, list) or not listed:
        raise InputError(f"{manifest}: the package lists no resources")
    return [_resource(manifest, entry, text_format) for entry in listed]


def _resource(manifest: Path, entry: Any, text_format: TextFormat) -> Table:
    path = entry.get("path") if isinstance(entry, dict) else None
    if not isinstance(path, str) or Path(path).is_absolute() or ".." in Path(path).parts:
        raise InputError(f"{manifest}: a resource without one path inside the package")
    dialect = entry.get("dialect")
    delimiter = dialect.get("delimiter") if isinstance(dialect, dict) else None
    own = replace(
        text_format,
        encoding=entry.get("encoding", text_format.encoding),
        delimiter=delimiter or text_format.delimiter,
    )
    return read_table(manifest.parent / path, own)
