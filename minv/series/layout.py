"""Where everything of a series lies."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Format = Literal["parquet", "csv"]

_NUMBERED = re.compile(r"(?:release|history|quality)-(\d{4,})\.(?:parquet|csv|json)")
_HISTORY = re.compile(r"history-(\d{4,})\.parquet")
_STAGING = re.compile(r"staging-(\d{4,})")


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths inside the folder of a series."""

    root: Path

    @property
    def public(self) -> Path:
        """The part that may be given away."""
        return self.root / "public"

    @property
    def private(self) -> Path:
        """The custodian's part."""
        return self.root / "private"

    @property
    def manifest(self) -> Path:
        """The file whose renaming into place publishes a release."""
        return self.public / "datapackage.json"

    @property
    def settings(self) -> Path:
        """What was fixed when the series was created."""
        return self.private / "settings.json"

    @property
    def key(self) -> Path:
        """The random bytes of the series."""
        return self.private / "key"

    @property
    def lock(self) -> Path:
        """The file that a publisher holds locked."""
        return self.private / "lock"

    def public_release(self, number: int, file_format: str) -> Path:
        """Return the path of a published release."""
        return self.public / f"{release_name(number)}.{file_format}"

    def private_release(self, number: int) -> Path:
        """Return the path of the table that says who is in which class."""
        return self.private / f"{release_name(number)}.parquet"

    def history(self, number: int) -> Path:
        """Return the path of the signatures after a release."""
        return self.private / f"history-{number:04d}.parquet"

    def quality(self, number: int) -> Path:
        """Return the path of the figures of a release."""
        return self.private / f"quality-{number:04d}.json"

    def staging(self, number: int) -> Path:
        """Return the folder that holds the files of a release before they are renamed into place."""
        return self.private / f"staging-{number:04d}"

    def files_after(self, release: int) -> list[tuple[int, Path]]:
        """Return all files that carry the number of a release after this one, with that number."""
        found = _numbered(_NUMBERED, self.public) + _numbered(_NUMBERED, self.private)
        return [(number, folder / name) for number, folder, name in found if number > release]

    def histories_before(self, release: int) -> list[Path]:
        """Return the histories after earlier releases than this one."""
        found = _numbered(_HISTORY, self.private)
        return [folder / name for number, folder, name in found if number < release]

    def staging_folders(self) -> list[Path]:
        """Return what is left of publications under way."""
        return [folder / name for _, folder, name in _numbered(_STAGING, self.private)]


def release_name(number: int) -> str:
    """Return the name of a release, such as `release-0001`."""
    return f"release-{number:04d}"


def _numbered(pattern: re.Pattern[str], folder: Path) -> list[tuple[int, Path, str]]:
    """Return number, folder and name, ascending by name; paths are slow to make of the names of all releases."""
    if not folder.is_dir():
        return []
    matches = map(pattern.fullmatch, sorted(entry.name for entry in os.scandir(folder)))
    return [(int(match[1]), folder, match[0]) for match in matches if match]
