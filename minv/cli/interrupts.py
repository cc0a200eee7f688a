"""Ctrl-C asks the work to stop; pressed again, it stops at once."""

import signal
from collections.abc import Iterator
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
