"""Fetching files from their official places into a cache that never holds half a file."""

import os
import tempfile
from pathlib import Path

import pooch

from minv_datasets.errors import UnavailableError

TIMEOUT_SECONDS = 60


def cache_folder() -> Path:
    """Return the user's cache folder for downloaded and converted files (honours XDG_CACHE_HOME)."""
    return Path(pooch.os_cache("minv-datasets"))


def fetch(url: str, sha256: str | None, folder: Path, name: str) -> Path:
    """Return `folder`/`name`, downloaded from `url` unless a file with the right sha256 is already there.

    Parameters
    ----------
    url
        Where the file is published.
    sha256
        Its known digest; None where the publisher revises files in place and gives no digest. Then the caller
        must check the contents.
    folder, name
        Where to keep it.

    Raises
    ------
    UnavailableError
        The network or the server fails, or the file that arrives has another digest.
    """
    known_hash = None if sha256 is None else f"sha256:{sha256}"
    downloader = pooch.HTTPDownloader(timeout=TIMEOUT_SECONDS)
    try:
        return Path(pooch.retrieve(url, known_hash, fname=name, path=folder, downloader=downloader))
    except (OSError, ValueError) as error:  # requests raises OSErrors, pooch a ValueError for a wrong digest
        reason = "it has another sha256" if isinstance(error, ValueError) else type(error).__name__
        raise UnavailableError(f"the download of {url} failed ({reason})") from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and rename it there, so that readers see all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
