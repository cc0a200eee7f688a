"""Size and checksum of a file."""

import hashlib
from pathlib import Path


def checksum(path: Path) -> tuple[int, str]:
    """Return the size in bytes and the SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        return file.tell(), digest.hexdigest()
