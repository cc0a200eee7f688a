"""The files that a command writes, checked before it works: what cannot or must not be written is refused at once."""

import os
import re
import sys
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from minv.errors import DataError, UsageError
from minv.series.durable import PRIVATE_FILE, draft_file

_OF_A_SERIES = re.compile(
    r"(settings\.json|key|lock|(release|history|quality)-\d{4,}\.(parquet|json)|staging-\d{4,})"
)


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path] = ()) -> None:
    """Refuse files that would destroy something, or that cannot be made.

    Raises
    ------
    UsageError
        An output is an input, another output, or a file of a series.
    DataError
        Its folder does not exist or cannot be written into, or it is a folder itself.
    """
    wanted = [path for path in outputs if path is not None]
    for path in wanted:
        if any(_same(path, read) for read in inputs):
            raise UsageError(f"{path}: this file is read by the command; write to another one")
        _check_private(path)
        _check_place(path)
    for one, other in combinations(wanted, 2):
        if _same(one, other):
            raise UsageError(f"{other}: two results go to this file; name a file for each")


def files_of_columns(specifications: Iterable[str] | None) -> list[Path]:
    """Return the files that column specifications such as `C:nominal=FILE` may name."""
    names = (text.partition("=")[2] for text in specifications or ())
    return [Path(name) for name in names if name]


def refuse_public(*paths: Path | None) -> None:
    """Refuse to write a custodian's file into the public part of a series, by name or through stdout.

    Raises
    ------
    UsageError
        Naming the file.
    """
    for path in paths:
        if path is not None and _is_public(path.resolve()):
            raise UsageError(
                f"{path}: this file is the custodian's and must not lie in the public part of a series"
            )


def refuse_public_stdout() -> None:
    """Refuse to print a custodian's figures into a file in the public part of a series."""
    try:
        path = Path(f"/proc/self/fd/{sys.stdout.fileno()}").resolve()
    except (OSError, ValueError):
        return
    refuse_public(path)


def _is_public(path: Path) -> bool:
    return any(folder.name == "public" and (folder / "datapackage.json").exists() for folder in path.parents)


def _check_private(path: Path) -> None:
    folder = path.resolve().parent
    of_series = folder.name == "private" and (folder / "settings.json").exists()
    if of_series and _OF_A_SERIES.fullmatch(path.name):
        raise UsageError(f"{path}: this file belongs to a series; write to another one")


def _check_place(path: Path) -> None:
    folder = path.parent
    if not folder.is_dir():
        raise DataError(f"{path}: the folder {folder} does not exist; make it first")
    if path.is_dir():
        raise DataError(f"{path}: this is a folder; name a file")
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: this is no plain file; name another one")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise DataError(f"{path}: no right to write into the folder {folder}; choose another one")
    try:
        draft_file(path, b"", PRIVATE_FILE).unlink()
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror}); name another file") from None


def _same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()
