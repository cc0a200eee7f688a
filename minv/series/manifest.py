"""The manifest: the public list of the releases of a series."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minv.errors import DataError
from minv.series.documents import check_document, parse_json, read_bytes, to_bytes
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
        """Return the file's content; it is checked against the schema before it is returned."""
        document = {
            "$schema": PROFILE,
            "name": "minv-series",
            "minv": {**self.terms, "software": software},
            "resources": [entry.resource() for entry in self.entries],
        }
        content = to_bytes(document)
        _check(parse_json(content, "the new manifest"), "the new manifest")
        return content

    @classmethod
    def read(cls, path: Path) -> "Manifest":
        """Read and check a manifest.

        Raises
        ------
        DataError
            The file cannot be read, breaks the schema, or its releases are not numbered 1, 2, 3, ...
        """
        document = _check(parse_json(read_bytes(path), str(path)), str(path))
        entries = tuple(Entry.from_resource(resource) for resource in document["resources"])
        _check_numbers(entries, document["resources"], path)
        return cls(document["minv"], entries)


def _check(document: Any, title: str) -> dict[str, Any]:
    """Check a manifest against its schema; releases that are surely valid are spared the slow way.

    So the time that a publication takes does not follow the number of earlier releases.
    """
    if isinstance(document, dict) and isinstance(document.get("resources"), list):
        *earlier, last = document["resources"] or [None]
        if all(map(surely_valid, earlier)):
            check_document({**document, "resources": [] if last is None else [last]}, "datapackage", title)
            return document
    return check_document(document, "datapackage", title)


def surely_valid(resource: Any) -> bool:
    """Whether an object is beyond doubt one that the schema accepts: it is what its entry would be written as."""
    try:
        entry = Entry.from_resource(resource)
        if entry.resource() != resource:
            return False
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    whole = [entry.number, entry.bytes, *entry.counterfeits.keys(), *entry.counterfeits.values()]
    return (
        all(type(number) is int and number >= 1 for number in whole)
        and len(entry.columns) >= 3
        and all(isinstance(name, str) and name for name in entry.columns)
        and _SHA256.fullmatch(entry.sha256) is not None
        and (entry.il is None or (type(entry.il) in (int, float) and 0 <= entry.il <= 100))
    )


def _check_numbers(entries: Sequence[Entry], resources: Sequence[Mapping[str, Any]], path: Path) -> None:
    for number, (entry, resource) in enumerate(zip(entries, resources, strict=True), start=1):
        expected = entry.resource()
        if entry.number != number or any(
            resource[key] != expected[key] for key in ("name", "path", "mediatype")
        ):
            raise DataError(f"{path}: the releases are not listed as 1, 2, 3, ... with their files")
