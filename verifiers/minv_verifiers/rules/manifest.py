"""Rules on the manifest and the files that it lists."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from minv_verifiers.dossier import Dossier
from minv_verifiers.outcome import Witness
from minv_verifiers.rules.registry import Group, rule


@rule("manifest-schema", Group.FORMAT, source="docs/format.md, section 2")
def manifest_schema(dossier: Dossier) -> Iterator[Witness]:
    """Exactly the members of the format stand in the manifest, keys sorted, releases numbered 1, 2, 3, ..."""
    folder = dossier.folder
    for place in folder.manifest_errors:
        yield Witness(message=place, file="datapackage.json")


@rule("releases-readable", Group.FORMAT, source="docs/format.md, sections 1 and 2")
def releases_readable(dossier: Dossier) -> Iterator[Witness]:
    """Every listed release file exists and can be read as the format says."""
    for file in dossier.folder.files:
        if file.problem:
            yield Witness(message=file.problem, release=file.number, file=file.path.name)


@rule("checksums", Group.FORMAT, source="docs/format.md, section 2")
def checksums(dossier: Dossier) -> Iterator[Witness]:
    """Every public file has the size and the SHA-256 that the manifest states."""
    for file in dossier.folder.files:
        if not file.path.is_file():
            yield Witness(message="the file is missing", release=file.number, file=file.path.name)
            continue
        size = file.path.stat().st_size
        if size != file.resource.get("bytes"):
            yield Witness(
                message="the size is not the stated one", release=file.number, file=file.path.name, size=size
            )
        if f"sha256:{_sha256(file.path)}" != file.resource.get("hash"):
            yield Witness(
                message="the checksum is not the stated one", release=file.number, file=file.path.name
            )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
