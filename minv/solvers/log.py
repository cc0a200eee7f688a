"""Where solvers write what they do, if somebody wants to read it."""

import io
import os
from pathlib import Path

from minv.errors import UsageError


class SolverLog(io.TextIOBase):
    """A file that several processes and threads append to, one write at a time.

    Objective values tell about the loss, so the file is the custodian's: only its owner may read it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def write(self, text: str) -> int:
        """Append a text in one piece."""
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)
        return len(text)


def begin_log(path: Path) -> None:
    """Make the file anew, readable for its owner only.

    Raises
    ------
    UsageError
        It cannot be written.
    """
    try:
        path.unlink(missing_ok=True)
        SolverLog(path).write("")
    except OSError as error:
        raise UsageError(f"{path}: the solver's log cannot be written: {error.strerror}") from error
