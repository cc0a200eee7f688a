"""What a series holds so far: releases, persons, lifespans, signatures, storage."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minv.series.columns import read_parquet
from minv.series.folder import read_settings
from minv.series.history import History
from minv.series.layout import Layout
from minv.series.manifest import Entry
from minv.series.settings import Settings


@dataclass(frozen=True, slots=True)
class ReleaseOverview:
    """One release. `rows` are those of real persons that were published; `signatures` the different ones."""

    number: int
    rows: int
    classes: int
    counterfeits: int
    suppressed: int
    deleted: int
    signatures: int
    public_bytes: int
    private_bytes: int


@dataclass(frozen=True, eq=False)
class Overview:
    """A whole series.

    Attributes
    ----------
    persons
        Number of persons ever published.
    lifespans
        Number of persons by their number of lifespans: maximal runs of releases in which they were published.
    signatures
        Number of different signatures that are remembered.
    bytes
        Storage of the folder.
    """

    settings: Settings
    releases: tuple[ReleaseOverview, ...]
    persons: int
    lifespans: dict[int, int]
    signatures: int
    bytes: int


def survey(layout: Layout) -> Overview:
    """Look through a series, the private part included.

    Raises
    ------
    DataError
        There is no series, its private part is missing, or a file is damaged.
    """
    settings, entries = read_settings(layout)
    history = History.read(layout.history(len(entries)))
    begun: Counter[str] = Counter()
    before: set[str] = set()
    releases = []
    for entry in entries:
        private: Any = read_parquet(
            layout.private_release(entry.number),
            ["id", "class", "counterfeit", "status", settings.roles.sensitive],
        )
        rows = private.to_pylist()
        present = {row["id"] for row in rows if row["status"] == "published" and not row["counterfeit"]}
        begun.update(present - before)
        before = present
        releases.append(_release(layout, entry, rows, settings.roles.sensitive))
    return Overview(
        settings=settings,
        releases=tuple(releases),
        persons=len(set(history.ids.tolist())),
        lifespans=dict(sorted(Counter(begun.values()).items())),
        signatures=len(history.signatures),
        bytes=sum(path.stat().st_size for path in layout.root.rglob("*") if path.is_file()),
    )


def _release(layout: Layout, entry: Entry, rows: list[dict[str, Any]], sensitive: str) -> ReleaseOverview:
    statuses = Counter(row["status"] for row in rows)
    values: dict[int, list[str]] = {}
    for row in rows:
        if row["status"] == "published":
            values.setdefault(row["class"], []).append(row[sensitive])
    counterfeits = sum(entry.counterfeits.values())
    return ReleaseOverview(
        number=entry.number,
        rows=statuses["published"] - counterfeits,
        classes=len(values),
        counterfeits=counterfeits,
        suppressed=statuses["suppressed"],
        deleted=statuses["deleted"],
        signatures=len({tuple(sorted(group)) for group in values.values()}),
        public_bytes=entry.bytes,
        private_bytes=_size(layout.private_release(entry.number)) + _size(layout.quality(entry.number)),
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
