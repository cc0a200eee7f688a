"""Publishing is a transaction: whatever fails, the series is the old one or the new one."""

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from minv.errors import DataError, LimitError, MinvError
from minv.publish.series import Series
from minv.series.folder import read_settings
from minv.series.layout import Layout
from minv.series.lock import locked

NewSeries = Callable[..., Series]

# Every way in which a publication touches the disk.
OPERATIONS = ("open", "fsync", "chmod", "fchmod", "rename", "replace", "mkdir", "unlink", "rmdir")


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncing takes nearly all the time; that it is called is what counts here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


class DiskError(OSError):
    """The disk failed, on purpose."""


@contextmanager
def failing_at(step: int, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> Iterator[list[str]]:
    """Let the operation of that number fail; give the list of those that were begun."""
    done: list[str] = []

    def wrap(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            done.append(name)
            if len(done) == step:
                raise error("on purpose")
            return original(*arguments, **options)

        return run

    with monkeypatch.context() as patch:
        for name in OPERATIONS:
            patch.setattr(os, name, wrap(name, getattr(os, name)))
        yield done


def content(folder: Path) -> dict[str, bytes]:
    if not folder.exists():
        return {}
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def releases(folder: Path) -> int:
    layout = Layout(folder)
    return len(read_settings(layout)[1]) if layout.manifest.exists() else 0


def steps_of_a_publication(series: Series, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> int:
    with failing_at(-1, monkeypatch, DiskError) as done:
        series.publish(table)
    return len(done)


@pytest.mark.parametrize("error", [DiskError, KeyboardInterrupt])
def test_failure_at_any_step_of_the_first_release(
    new_series: NewSeries, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """The folder is gone again, or holds the whole release; and the next attempt works."""
    steps = steps_of_a_publication(new_series(), table, monkeypatch)
    assert steps > 20
    outcomes = set()
    for step in range(1, steps + 1):
        series = new_series()
        try:
            with failing_at(step, monkeypatch, error):
                series.publish(table)
        except (error, MinvError):
            pass
        published = releases(series.path)
        outcomes.add(published)
        if not published:
            assert content(series.path) == {}
            series.publish(table)
        assert releases(series.path) == 1
        assert Series.open(series.path).publish(table).number == 2
    assert outcomes == {0, 1}


@pytest.mark.parametrize("error", [DiskError, KeyboardInterrupt])
def test_failure_at_any_step_of_a_later_release(
    new_series: NewSeries, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """All files are as before, or the release is complete; and the next attempt works."""
    probe = new_series()
    probe.publish(table)
    steps = steps_of_a_publication(probe, table, monkeypatch)
    for step in range(1, steps + 1):
        series = new_series()
        series.publish(table)
        before = content(series.path)
        try:
            with failing_at(step, monkeypatch, error):
                series.publish(table)
        except (error, MinvError):
            pass
        published = releases(series.path)
        if published == 1:
            assert content(series.path) == before
        assert Series.open(series.path).publish(table).number == published + 1


def kill_at(step: int, folder: Path, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish in a child process that is gone, without any clean-up, at that step."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of libraries, none of which is at work
        child = os.fork()
    if child == 0:
        with failing_at(step, monkeypatch, SystemExit) as done:
            for name in OPERATIONS:
                original = getattr(os, name)

                def run(*arguments: Any, original: Callable[..., Any] = original, **options: Any) -> Any:
                    if len(done) + 1 == step:
                        os.kill(os.getpid(), 9)
                    return original(*arguments, **options)

                setattr(os, name, run)
            (Series.open(folder) if releases(folder) else begin(folder)).publish(table)
        os._exit(0)
    os.waitpid(child, 0)


def begin(folder: Path) -> Series:
    return Series.create(
        folder, id="person", quasi_identifiers=["age", "sex:nominal"], sensitive="illness", m=2
    )


@pytest.mark.parametrize("earlier", [0, 1])
def test_killed_at_any_step(
    new_series: NewSeries, table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: int
) -> None:
    """A killed process cleans nothing up; the next publisher does."""
    probe = new_series()
    for _ in range(earlier):
        probe.publish(table)
    steps = steps_of_a_publication(probe, table, monkeypatch)
    outcomes = set()
    for step in range(1, steps + 1):
        folder = tmp_path / f"killed-{step}"
        for _ in range(earlier):
            begin(folder).publish(table)
        kill_at(step, folder, table, monkeypatch)
        published = releases(folder)
        outcomes.add(published)
        again = Series.open(folder) if published else begin(folder)
        assert again.publish(table).number == published + 1
        assert not list((folder / "private").glob("staging-*"))
        listed = {f"release-{number:04d}.parquet" for number in range(1, published + 2)}
        assert {path.name for path in (folder / "public").iterdir()} == listed | {"datapackage.json"}
    assert outcomes == {earlier, earlier + 1}


def test_lost_manifest_costs_no_file(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    series.publish(table)
    series.publish(table)
    manifest = series.path / "public/datapackage.json"
    kept = manifest.read_bytes()
    manifest.unlink()
    before = content(series.path)
    with pytest.raises(DataError, match="manifest lists 0 releases"):
        begin(series.path).publish(table)
    assert content(series.path) == before
    manifest.write_bytes(kept)
    assert Series.open(series.path).publish(table).number == 3


def test_manifest_of_an_older_backup_costs_no_file(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    series.publish(table)
    manifest = series.path / "public/datapackage.json"
    older = manifest.read_bytes()
    history = (series.path / "private/history-0001.parquet").read_bytes()
    series.publish(table)
    manifest.write_bytes(older)
    (series.path / "private/history-0001.parquet").write_bytes(history)
    with pytest.raises(DataError, match="files of release 2 exist"):
        Series.open(series.path).publish(table)


def test_only_the_newest_history_is_kept(new_series: NewSeries, table: pd.DataFrame) -> None:
    series = new_series()
    for _ in range(3):
        series.publish(table)
    assert [path.name for path in (series.path / "private").glob("history-*")] == ["history-0003.parquet"]


def test_second_publisher_is_refused_while_the_first_works(
    new_series: NewSeries, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = new_series()
    series.publish(table)
    monkeypatch.setattr("minv.publish.series.locked", lambda layout: locked(layout, patience=0.05))
    with locked(Layout(series.path)), pytest.raises(LimitError, match="another publisher"):
        Series.open(series.path).publish(table)
    assert series.publish(table).number == 2


def test_series_begun_by_another_meanwhile_is_not_overwritten(
    new_series: NewSeries, table: pd.DataFrame
) -> None:
    first = new_series()
    second = Series(first.path, first.settings)
    with second._state() as state:
        first.publish(table)
        before = content(first.path)
        with pytest.raises(DataError, match="another publisher began"), second._folder_for(state):
            pass
    assert content(first.path) == before
