"""Files with known contents: where they are looked for, and the check that they are what they claim to be."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from minv_datasets.errors import DataError

DATA_VARIABLE = "MINV_DATA"


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """A file name together with the sha256 of the bytes that results are reported on."""

    name: str
    sha256: str

    def matches(self, path: Path) -> bool:
        """Whether the file at `path` has the known bytes."""
        return sha256_of(path) == self.sha256

    def verify(self, path: Path) -> Path:
        """Return `path` if the file there has the known bytes.

        Raises
        ------
        DataError
            The file cannot be read, or its sha256 is another one.
        """
        try:
            found = sha256_of(path)
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror}") from error
        if found != self.sha256:
            raise DataError(
                f"{path} is damaged or another file: its sha256 is {found}, not {self.sha256}; "
                "reinstall or replace it"
            )
        return path

    def in_data_folder(self) -> Path | None:
        """Return the verified copy in the folder that MINV_DATA names, or None if there is none.

        Raises
        ------
        DataError
            The folder has a file of this name with other contents.
        """
        folder = os.environ.get(DATA_VARIABLE)
        if not folder:
            return None
        path = Path(folder) / self.name
        return self.verify(path) if path.is_file() else None


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def existing_file(path: str | os.PathLike[str]) -> Path:
    """Return `path` as a Path if a file is there.

    Raises
    ------
    DataError
        No file is there.
    """
    result = Path(path)
    if not result.is_file():
        raise DataError(f"no file {result}")
    return result
