"""What was found in a series folder, before any judgement (docs/format.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minv_verifiers.outcome import NotCheckable
from minv_verifiers.text import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFile:
    """A public release file as it lies on the disk.

    Attributes
    ----------
    number, path
        The release and its file.
    resource
        Its entry in the manifest.
    columns
        Column names in the file's order; None where it cannot be read.
    problem
        Why it cannot be read; empty otherwise.
    """

    number: int
    path: Path
    resource: Mapping[str, Any]
    columns: tuple[str, ...] | None
    problem: str = ""

    @property
    def stated(self) -> Mapping[str, Any]:
        """Our own members of the entry, as far as they are an object."""
        own = self.resource.get("minv")
        return own if isinstance(own, dict) else {}

    @property
    def counterfeits(self) -> Mapping[str, int] | None:
        """The declared number of counterfeits by class id; None where it is no such thing."""
        declared = self.stated.get("counterfeits")
        if not isinstance(declared, dict) or any(type(count) is not int for count in declared.values()):
            return None
        return declared


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivatePart:
    """The custodian's files.

    Attributes
    ----------
    root
        The folder.
    settings, history, qualities
        Their contents; None where unreadable.
    problems
        Why a file cannot be read, by file name.
    """

    root: Path
    settings: Mapping[str, Any] | None
    history: Mapping[str, Texts] | None
    qualities: tuple[Mapping[str, Any] | None, ...]
    problems: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A series folder.

    Attributes
    ----------
    root, public
        The series, and its part that may be given away.
    manifest
        The manifest, parsed.
    manifest_errors
        Where it departs from its schema: places, never values.
    files
        The listed releases.
    private
        The custodian's part; None in public mode.
    why_public
        Why there is no custodian's part.
    """

    root: Path
    public: Path
    manifest: Mapping[str, Any]
    manifest_errors: tuple[str, ...]
    files: tuple[ReleaseFile, ...]
    private: PrivatePart | None
    why_public: str = ""

    def custodian(self) -> PrivatePart:
        """Return the private part; raises NotCheckable without it."""
        if self.private is None:
            raise NotCheckable(self.why_public)
        return self.private
