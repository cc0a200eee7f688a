"""The manifest: the public list of the releases of a series."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from minv.errors import DataError
from minv.series.documents import check_document, parse_json, read_bytes, to_lines
from minv.series.layout import Format, release_name

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_SHA256 = re.compile(r"[0-9a-f]{64}")
MEDIA_TYPES: Mapping[Format, str] = {"parquet": "application/vnd.apache.parquet", "csv": "text/csv"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One published release.

    Attributes
    ----------
    bytes, sha256
        Size and checksum of the public file.
    counterfeits
        Number of counterfeits of each class that has some.
    il
        Loss to two significant digits, where the publisher asked for it.
    """

    number: int
    file_format: Format
    columns: tuple[str, ...]
    bytes: int
    sha256: str
    counterfeits: Mapping[int, int] = field(default_factory=dict)
    il: float | None = None

    def resource(self) -> dict[str, Any]:
        """Return the entry as an object of the manifest."""
        own: dict[str, Any] = {
            "release": self.number,
            "counterfeits": {str(class_id): count for class_id, count in self.counterfeits.items()},
        }
        if self.il is not None:
            own["il"] = self.il
        fields = [{"name": n, "type": "integer" if n == "class" else "string"} for n in self.columns]
        return {
            "name": release_name(self.number),
            "path": f"{release_name(self.number)}.{self.file_format}",
            "format": self.file_format,
            "mediatype": MEDIA_TYPES[self.file_format],
            "bytes": self.bytes,
            "hash": f"sha256:{self.sha256}",
            "schema": {"fields": fields},
            "minv": own,
        }

    @classmethod
    def from_resource(cls, resource: Mapping[str, Any]) -> "Entry":
        """Return the entry of an object that is valid by the schema."""
        own = resource["minv"]
        return cls(
            number=own["release"],
            file_format=resource["format"],
            columns=tuple(column["name"] for column in resource["schema"]["fields"]),
            bytes=resource["bytes"],
            sha256=resource["hash"].removeprefix("sha256:"),
            counterfeits={int(class_id): count for class_id, count in own["counterfeits"].items()},
            il=own.get("il"),
        )


@dataclass(frozen=True, slots=True)
class Manifest:
    """The terms that are public, and the releases 1, 2, 3, ... in order."""

    terms: Mapping[str, Any]
    entries: tuple[Entry, ...]

    def to_bytes(self, software: str) -> bytes:
        """Return the file's content; terms and newest release are checked against the schema before.

        The earlier releases were checked when they were read.
        """
        document = {
            "$schema": PROFILE,
            "name": "minv-series",
            "minv": {**self.terms, "software": software},
            "resources": [entry.resource() for entry in self.entries],
        }
        _check_newest(document, "the new manifest")
        return to_lines(document, "resources")

    @classmethod
    def read(cls, path: Path) -> "Manifest":
        """Read and check a manifest.

        Raises
        ------
        DataError
            The file cannot be read, breaks the schema, or its releases are not numbered 1, 2, 3, ...
        """
        return _parse(read_bytes(path), str(path))


@lru_cache(
    maxsize=1
)  # whoever opens a series and then publishes reads its manifest once more, under the lock
def _parse(content: bytes, title: str) -> Manifest:
    document = parse_json(content, title)
    entries = _plain_entries(document)
    if entries is None:
        entries = _entries(check_document(document, "datapackage", title), title)
    else:
        _check_newest(document, title)
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
        raise _misnumbered(title)
    return Manifest(document["minv"], entries)


def _check_newest(document: dict[str, Any], title: str) -> None:
    """Check a manifest against its schema, of its releases the newest alone: the schema takes long for each."""
    check_document({**document, "resources": document["resources"][-1:]}, "datapackage", title)


def _plain_entries(document: Any) -> tuple[Entry, ...] | None:
    """Return the entries of a manifest all of whose releases are surely valid, else None."""
    if not isinstance(document, dict) or not isinstance(document.get("resources"), list):
        return None
    found = [plain_entry(resource) for resource in document["resources"]]
    entries = tuple(entry for entry in found if entry is not None)
    return entries if len(entries) == len(found) else None


def plain_entry(resource: Any) -> Entry | None:
    """Return the entry of an object that the schema accepts beyond doubt, being what the entry is written as."""
    try:
        entry = Entry.from_resource(resource)
        if entry.resource() != resource:
            return None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    whole = [entry.number, entry.bytes, *entry.counterfeits.keys(), *entry.counterfeits.values()]
    valid = (
        set(map(type, whole)) == {int}
        and min(whole) >= 1
        and len(entry.columns) >= 3
        and all(isinstance(name, str) and name for name in entry.columns)
        and _SHA256.fullmatch(entry.sha256) is not None
        and (entry.il is None or (type(entry.il) in (int, float) and 0 <= entry.il <= 100))
    )
    return entry if valid else None


def _entries(document: Mapping[str, Any], title: str) -> tuple[Entry, ...]:
    """Return the entries of a manifest that is valid by the schema, which lets names and files differ."""
    entries = []
    for resource in document["resources"]:
        entry = Entry.from_resource(resource)
        written = entry.resource()
        if any(resource[key] != written[key] for key in ("name", "path", "mediatype")):
            raise _misnumbered(title)
        entries.append(entry)
    return tuple(entries)


def _misnumbered(title: str) -> DataError:
    return DataError(f"{title}: the releases are not listed as 1, 2, 3, ... with their files")
