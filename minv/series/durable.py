"""Files that survive a crash: synced to the disk before anything relies on them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
PUBLIC_FILE = 0o644
_PUBLIC_FOLDER = 0o755


def write_file(path: Path, write: Callable[[BinaryIO], object], mode: int = PRIVATE_FILE) -> None:
    """Create a new file that only its owner can read, fill it, give it its mode, and sync it.

    Parameters
    ----------
    write
        Receives the open file.

    Raises
    ------
    OSError
        The file exists, or writing fails.
    """
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            write(file)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
    except OSError as error:
        error.filename = error.filename or str(path)  # a full disk does not tell where
        raise


def make_folder(path: Path, mode: int) -> None:
    """Create a folder with exactly this mode, and sync its parent."""
    path.mkdir(mode=mode)
    path.chmod(mode)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make what was created, renamed or removed in a folder permanent."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_file(path: Path, content: bytes, mode: int = PUBLIC_FILE) -> None:
    """Write a file beside its place and rename it there: readers see the old one or the new one.

    Raises
    ------
    OSError
        Writing fails; what was there is unchanged.
    """
    draft = draft_file(path, content, mode)
    try:
        draft.replace(path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise
    sync_folder(path.parent)


def draft_file(path: Path, content: bytes, mode: int = PUBLIC_FILE) -> Path:
    """Write beside a path what shall take its place by a rename, and return where it is.

    Raises
    ------
    OSError
        Writing fails; nothing is left.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        write_file(draft, lambda file: file.write(content), mode & ~_umask())
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)  # not the one beside it, which nobody asked for
        raise
    return draft


def public_file_mode() -> int:
    """Return the mode of public files under the user's umask."""
    return PUBLIC_FILE & ~_umask()


def public_folder_mode() -> int:
    """Return the mode of public folders under the user's umask."""
    return _PUBLIC_FOLDER & ~_umask()


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
