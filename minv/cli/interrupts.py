"""Ctrl-C while a command works: it asks the work to stop; pressed again, it stops at once."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from minv.stopping import CancelToken


@contextmanager
def cancel_on_interrupt() -> Iterator[CancelToken]:
    """Give a token that the first Ctrl-C (or SIGTERM) sets."""
    token = CancelToken()

    def handle(number: int, frame: FrameType | None) -> None:
        if token.cancelled:
            raise KeyboardInterrupt
        token.cancel()

    previous = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield token
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


@contextmanager
def noted_interrupt() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C raise KeyboardInterrupt, and give a function that tells whether it was pressed.

    Libraries may turn that exception into one of their own: pandas takes it for a fault of the file.
    """
    came = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        raise KeyboardInterrupt

    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or previous is signal.SIG_IGN:
        yield lambda: came
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: came
    finally:
        signal.signal(signal.SIGINT, previous)
