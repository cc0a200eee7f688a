"""The reports that a command writes: refused before it works where they cannot or must not be written."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from minv_verifiers.errors import InputError, UsageError


def check_targets(targets: Sequence[Path | None], inputs: Sequence[str | Path]) -> None:
    """Refuse reports that would give something away, destroy something, or cannot be written.

    Raises
    ------
    UsageError
        A report lies in the public part of a series, is a file that the command reads, or the other report.
    InputError
        It cannot be written.
    """
    wanted = [path for path in targets if path is not None]
    for path in wanted:
        _refuse_public(path)
        _refuse_unwritable(path)
        _refuse_input(path, inputs)
    files = [path.resolve() for path in wanted if _is_plain(path.resolve())]
    if len(set(files)) < len(files):
        raise UsageError(f"{wanted[-1]}: two reports go to this file; name a file for each")


def write(path: Path, text: str) -> None:
    """Write a report beside its place and rename it there: all of it or nothing.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    resolved = path.resolve()
    plain = _is_plain(resolved)
    beside = _beside(resolved) if plain else resolved  # a device is written itself
    with _told(path):
        try:
            beside.write_text(text, encoding="utf-8")
            if plain:
                beside.replace(resolved)
        finally:
            if plain:
                with suppress(OSError):
                    beside.unlink()


def _refuse_public(path: Path) -> None:
    """Refuse to write a report into the public part of a series: it tells the custodian's figures.

    Raises
    ------
    UsageError
        The path lies there.
    """
    for folder in path.resolve().parents:
        if (folder / "datapackage.json").exists():
            raise UsageError(f"{path}: lies in the public part of a series; reports are the custodian's")


def _refuse_input(path: Path, inputs: Sequence[str | Path]) -> None:
    """Refuse to write a report over a file that is judged, or into a series beside its own files.

    Raises
    ------
    UsageError
        The path is such a file.
    """
    for name in map(Path, inputs):
        if path.exists() and name.exists() and path.samefile(name):
            raise UsageError(f"{path}: this file is read by the command; write the report to another one")
        private = name / "private"
        if private.is_dir() and path.exists() and path.resolve().is_relative_to(private.resolve()):
            raise UsageError(f"{path}: this file belongs to the series; write the report to another one")


def _refuse_unwritable(path: Path) -> None:
    """Refuse a report whose place is a folder, or where no file can be made, by making one.

    Raises
    ------
    InputError
        Naming the report.
    """
    with _told(path):
        if path.is_dir():
            raise InputError(f"{path}: cannot be written (it is a folder); name another file")
        resolved = path.resolve()
        if _is_plain(resolved):
            beside = _beside(resolved)
            beside.touch()
            beside.unlink()


def _is_plain(path: Path) -> bool:
    return path.is_file() or not path.exists()


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); name another file") from error
