"""Simulated releases as files of a folder that appears at once, complete."""

import shutil
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from minv_datasets.errors import DataError, UsageError
from minv_datasets.simulation.plan import Step
from minv_datasets.simulation.releases import SimulatedRelease
from minv_datasets.tables import write_table

EVENTS_FILE = "events.csv"


def file_name(release: int) -> str:
    """Return the file name of a release."""
    return f"table-{release:04d}.csv"


def write_releases(
    releases: Iterable[SimulatedRelease], folder: Path, *, events: bool = False
) -> Generator[Step]:
    """Write `table-0001.csv` and so on into a new folder, and yield each step once its table is written.

    Everything is written into a hidden folder beside, which is renamed when the last release is complete: before
    that, and after any failure, `folder` is as it was. As the tables tie ids to values, only the owner may open it.

    Parameters
    ----------
    releases
        The releases in their order.
    folder
        A folder that does not exist or is empty.
    events
        Whether to add the log of all events, as `events.csv`.

    Raises
    ------
    UsageError
        The folder has files.
    DataError
        The disk refuses.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists already: give a new or empty folder")
    return _write(releases, folder, events)


def _write(releases: Iterable[SimulatedRelease], folder: Path, events: bool) -> Generator[Step]:
    logs = []
    with _all_or_nothing(folder) as draft:
        for release in releases:
            write_table(release.table, draft / file_name(release.step.release))
            logs.append(release.events)
            yield release.step
        if events:
            write_table(pd.concat(logs, ignore_index=True), draft / EVENTS_FILE)


@contextmanager
def _all_or_nothing(folder: Path) -> Iterator[Path]:
    """Give a folder to write into, which takes the place of `folder` if all goes well and vanishes if not."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise DataError(f"{folder} cannot be made: {error.strerror}") from error
    try:
        yield draft
        draft.rename(folder)
    except OSError as error:
        raise DataError(f"{folder} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
