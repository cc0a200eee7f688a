"""Where the program begins: little is imported before Ctrl-C is looked after."""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit.

    Raises
    ------
    SystemExit
        Always, with the exit code of the contract.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    with ended_by_interrupt(as_json="--json" in words):
        from minv.cli.app import run  # takes its time

        code = run(words)
    sys.exit(code)


@contextmanager
def ended_by_interrupt(*, as_json: bool) -> Iterator[None]:
    """Let Ctrl-C end the process at once, with one line: for the time in which no command works.

    There is nothing to tidy up then, and in the midst of an import an exception would be shown, lost or
    turned into another one. Where somebody else looks after Ctrl-C, or it is ignored, nothing changes.
    """

    def end(number: int, frame: FrameType | None) -> None:
        if as_json:
            error = {"error": "interrupted", "exit_code": INTERRUPTED, "schema_version": 1}
            os.write(1, f"{json.dumps(error)}\n".encode())
        os.write(2, b"error: interrupted\n")
        os._exit(INTERRUPTED)

    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
