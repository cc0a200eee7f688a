"""Publishing as a transaction: staged, synced, renamed into place, the manifest last."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Self

from minv.errors import DataError
from minv.series.durable import PRIVATE_FOLDER, make_folder, public_file_mode, sync_folder, write_file
from minv.series.layout import Layout
from minv.wording import counted


class Publication:
    """The files of one release on their way into a series; the caller holds the series' lock.

    Everything is written to a staging folder in the private part first, so that nothing of an unfinished
    release is ever in the public part but for the moment between two renames. Killed before the manifest is
    renamed, the series is the old one, and `recover` removes what is left; killed after it, it is the new one.

    Parameters
    ----------
    number
        The release to be made, one more than the manifest lists.
    """

    def __init__(self, layout: Layout, number: int) -> None:
        self._layout = layout
        self._number = number
        self._staging = layout.staging(number)
        self._places: list[tuple[Path, Path]] = []
        self._staged_manifest: Path | None = None

    def __enter__(self) -> Self:
        make_folder(self._staging, PRIVATE_FOLDER)
        return self

    def __exit__(self, *exception: object) -> None:
        if exception[0] is not None and not self._is_published():
            try:
                self._undo()
            except OSError:
                return  # the staging folder stays, so that `recover` knows what to remove
        shutil.rmtree(self._staging, ignore_errors=True)

    def stage(self, place: Path, write: Callable[[BinaryIO], object]) -> Path:
        """Write the file that shall stand at `place`, and return where it is meanwhile."""
        staged = self._staging / f"{place.parent.name}-{place.name}"
        write_file(staged, write)
        self._places.append((staged, place))
        return staged

    def commit(self, manifest: bytes) -> None:
        """Rename all files into place, and publish by renaming the manifest.

        Raises
        ------
        OSError
            A rename or sync failed; leaving the context takes everything back that is not yet published.
        """
        layout = self._layout
        staged_manifest = self._staging / layout.manifest.name
        write_file(staged_manifest, lambda file: file.write(manifest))
        self._staged_manifest = staged_manifest
        sync_folder(self._staging)
        for staged, place in self._places:
            staged.rename(place)
            if place.parent == layout.public:
                place.chmod(public_file_mode())
        sync_folder(layout.private)
        sync_folder(layout.public)
        staged_manifest.chmod(public_file_mode())
        staged_manifest.replace(layout.manifest)
        sync_folder(layout.public)

    def _is_published(self) -> bool:
        """Whether the manifest was renamed; asked of the disk, since an interrupt may follow at once."""
        return self._staged_manifest is not None and not self._staged_manifest.exists()

    def _undo(self) -> None:
        for staged, place in self._places:
            if not staged.exists():
                place.unlink(missing_ok=True)


def leftovers(layout: Layout, published: int) -> list[Path]:
    """Return the files that a publication left behind that was cut short.

    Files of the release after the last published one are left-overs only beside their staging folder. Without
    it they are not: the manifest was lost or replaced by an older one.

    Parameters
    ----------
    published
        Number of releases that the manifest lists.

    Raises
    ------
    DataError
        Files of releases that the manifest does not list.
    """
    unfinished = layout.staging(published + 1).is_dir()
    strays = layout.files_after(published)
    found = [path for number, path in strays if unfinished and number == published + 1]
    if len(found) < len(strays):
        raise DataError(
            f"{layout.root}: files of release {max(number for number, _ in strays)} exist but the manifest lists "
            f"{counted(published, 'release')}; restore {layout.manifest.name} or move these files away"
        )
    if unfinished and not published:
        found += [path for path in (layout.settings, layout.key) if path.exists()]
    return found


def recover(layout: Layout, published: int) -> None:
    """Remove what a publication left behind that was cut short; the caller holds the series' lock.

    Raises
    ------
    DataError
        As `leftovers`; nothing is removed.
    """
    for path in leftovers(layout, published):
        path.unlink()
    for folder in layout.staging_folders():
        shutil.rmtree(folder)
