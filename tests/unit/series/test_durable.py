"""Files that cannot be written: the error names the file that was asked for."""

import errno
from pathlib import Path
from typing import BinaryIO

import pytest

from minv.series import durable
from minv.series.durable import replace_file, write_file


def full_disk(_: BinaryIO) -> None:
    """Fail as a write to a full disk does, without a file name."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_told_with_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space") as failed:
        write_file(tmp_path / "file", full_disk)
    assert failed.value.filename == str(tmp_path / "file")


def test_the_draft_is_not_what_a_message_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(durable, "write_file", refuse)
    with pytest.raises(OSError, match="No space") as failed:
        replace_file(tmp_path / "labels.csv", b"")
    assert failed.value.filename == str(tmp_path / "labels.csv")
    assert not list(tmp_path.iterdir())
