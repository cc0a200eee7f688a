"""The folder of a series: what is in it, and how a release is added."""

import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from minv.errors import DataError
from minv.series.checksum import checksum
from minv.series.columns import read_parquet, write_csv, write_parquet
from minv.series.contents import Contents
from minv.series.documents import read_document, to_bytes
from minv.series.durable import PRIVATE_FOLDER, make_folder, public_folder_mode
from minv.series.history import History
from minv.series.layout import Layout
from minv.series.manifest import Entry, Manifest
from minv.series.recheck import Written, recheck
from minv.series.settings import Settings
from minv.series.transaction import Publication, leftovers, recover

KEY_BYTES = 32


@dataclass(frozen=True, eq=False)
class State:
    """Everything that a new release depends on.

    Attributes
    ----------
    entries
        The releases so far.
    key
        Random bytes of the series.
    history
        After the last release.
    participants
        Ids that took part in the last release, published or not.
    """

    settings: Settings
    entries: tuple[Entry, ...] = ()
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES), repr=False)
    history: History = field(default_factory=History.empty)
    participants: frozenset[str] = frozenset()

    @property
    def next_release(self) -> int:
        """The number of the release to be made next."""
        return len(self.entries) + 1


def exists(layout: Layout) -> bool:
    """Whether there is a series with at least one release."""
    return layout.manifest.exists()


def read_settings(layout: Layout) -> tuple[Settings, tuple[Entry, ...]]:
    """Read the terms of a series and the list of its releases.

    Raises
    ------
    DataError
        There is no series, its private part is missing, or a file is damaged.
    """
    if not layout.manifest.exists():
        raise DataError(f"{layout.root}: no series here ({layout.manifest.name} is missing in public/)")
    manifest = Manifest.read(layout.manifest)
    if not layout.settings.exists():
        raise DataError(
            f"{layout.root}: the private part of the series is missing; it is needed to add a release"
        )
    private = read_document(layout.settings, "settings")
    return Settings.from_parts(manifest.terms, private), manifest.entries


def read_state(layout: Layout) -> State:
    """Read what the next release depends on; the caller holds the lock.

    Raises
    ------
    DataError
        There is no series, its private part is missing, or a file is damaged.
    """
    settings, entries = read_settings(layout)
    last = len(entries)
    leftovers(layout, last)
    _check_published(layout, entries)
    try:
        key = layout.key.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise DataError(f"{layout.key}: {reason}; restore the file from a backup") from None
    if len(key) != KEY_BYTES:
        raise DataError(f"{layout.key}: the key is damaged; restore the file from a backup")
    ids = read_parquet(layout.private_release(last), ["id"]).column("id").to_pylist()
    return State(
        settings=settings,
        entries=entries,
        key=key,
        history=History.read(layout.history(last)),
        participants=frozenset(person for person in ids if person is not None),
    )


def _check_published(layout: Layout, entries: tuple[Entry, ...]) -> None:
    """Refuse to continue a series that the judge would fail: all sizes, and the content of the last release.

    To read all releases again each time would slow a long series down.
    """
    for entry in entries:
        path = layout.public_release(entry.number, entry.file_format)
        if not path.exists():
            raise DataError(f"{path}: a published release is missing; restore the file from a backup")
        whole = path.stat().st_size == entry.bytes
        if whole and entry is entries[-1]:
            whole = checksum(path) == (entry.bytes, entry.sha256)
        if not whole:
            raise DataError(
                f"{path}: the file is not what was published; restore it from a backup before the next release"
            )


def check_place(layout: Layout) -> None:
    """Refuse a place where no series can begin.

    Raises
    ------
    DataError
        It is a file, holds other files or an unlisted release, or its parent does not exist.
    """
    if not layout.root.parent.is_dir():
        raise DataError(f"{layout.root}: the folder {layout.root.parent} does not exist; make it first")
    if layout.root.exists() and not layout.root.is_dir():
        raise DataError(f"{layout.root}: this is a file; name a folder for the series")
    inside = list(layout.root.iterdir()) if layout.root.is_dir() else []
    if any(path not in (layout.public, layout.private) for path in inside):
        raise DataError(
            f"{layout.root}: the folder holds other files; name a new or empty folder for the series"
        )
    leftovers(layout, published=0)


def prepare_folder(layout: Layout) -> None:
    """Make the folders of a new series, or accept those that another publisher made or left unfinished.

    Raises
    ------
    DataError
        As `check_place`, or another publisher removes them meanwhile.
    """
    check_place(layout)
    public = public_folder_mode()
    for folder, mode in ((layout.root, public), (layout.private, PRIVATE_FOLDER), (layout.public, public)):
        try:
            make_folder(folder, mode)
        except FileExistsError:
            if not folder.is_dir():
                raise
        except FileNotFoundError:
            if folder == layout.root:
                raise DataError(f"{layout.root}: no folder can be made here; choose another place") from None
            raise DataError(
                f"{layout.root}: another publisher gave this series up meanwhile; publish again"
            ) from None


def remove_empty_folder(layout: Layout) -> None:
    """Remove the folders of a series whose first release failed, if nothing else is in them.

    The caller holds the lock; the folders stay if another publisher puts something into them meanwhile.
    """
    leftovers = [
        path for folder in (layout.public, layout.private) if folder.is_dir() for path in folder.iterdir()
    ]
    if any(path != layout.lock for path in leftovers):
        return
    layout.lock.unlink(missing_ok=True)
    with suppress(OSError):
        for folder in (layout.public, layout.private, layout.root):
            folder.rmdir()


def add_release(
    layout: Layout,
    state: State,
    contents: Contents,
    quality: dict[str, Any],
    *,
    software: str,
    il: float | None = None,
) -> Entry:
    """Write, check and publish a release; the caller holds the lock.

    Parameters
    ----------
    quality
        The figures of the release, for the custodian.
    software
        Name and version of the program, for the manifest.
    il
        Loss to publish, rounded already; None keeps it private.

    Raises
    ------
    MinvError
        The written files did not pass the check; the series is unchanged.
    OSError
        Writing failed; the series is unchanged.
    """
    number = state.next_release
    settings = state.settings
    file_format = settings.release_format
    recover(layout, number - 1)
    history = state.history.after(number, contents.signatures)
    write_public = write_csv if file_format == "csv" else write_parquet
    with Publication(layout, number) as publication:
        if number == 1:
            publication.stage(layout.settings, lambda file: file.write(to_bytes(settings.private_part())))
            publication.stage(layout.key, lambda file: file.write(state.key))
        private = publication.stage(
            layout.private_release(number), lambda file: write_parquet(contents.private, file)
        )
        staged_history = publication.stage(
            layout.history(number), lambda file: write_parquet(history.to_table(), file)
        )
        publication.stage(layout.quality(number), lambda file: file.write(to_bytes(quality)))
        public = publication.stage(
            layout.public_release(number, file_format), lambda file: write_public(contents.public, file)
        )
        size, sha256 = checksum(public)
        entry = Entry(
            number, file_format, tuple(contents.public.column_names), size, sha256, contents.counterfeits, il
        )
        recheck(settings, entry, Written(public, private, staged_history), state.history)
        manifest = Manifest(settings.public_part(), (*state.entries, entry))
        publication.commit(manifest.to_bytes(software))
    _remove_old_histories(layout, number)
    return entry


def _remove_old_histories(layout: Layout, newest: int) -> None:
    """Remove what the newest history replaces; what cannot be removed now is removed by the next release."""
    for path in layout.histories_before(newest):
        with suppress(OSError):
            path.unlink()
