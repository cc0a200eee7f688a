"""One publisher at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

import filelock

from minv.errors import DataError, LimitError
from minv.series.durable import PRIVATE_FILE
from minv.series.layout import Layout

PATIENCE = 30.0  # seconds


@contextmanager
def locked(layout: Layout, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of a series, whose private folder exists; the system frees it if the process dies.

    Parameters
    ----------
    patience
        Seconds to wait for another publisher.

    Raises
    ------
    LimitError
        Another publisher held the series all the time.
    DataError
        The private folder is gone: another publisher gave a new series up.
    """
    lock = filelock.FileLock(layout.lock, timeout=patience, mode=PRIVATE_FILE)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise LimitError(
            f"{layout.root}: another publisher is making a release; wait until it has ended, then try again"
        ) from None
    except FileNotFoundError:
        raise DataError(
            f"{layout.root}: another publisher gave this series up meanwhile; publish again"
        ) from None
    try:
        yield
    finally:
        lock.release()
