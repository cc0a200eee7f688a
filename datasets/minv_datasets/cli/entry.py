"""Where the programs begin: little is imported before Ctrl-C is looked after."""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
NOTHING_WRITTEN = "interrupted, nothing was written"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `minv-simulate` and exit."""
    words = _words(arguments)
    with _ended_by_interrupt("minv-simulate", as_json="--json" in words):
        from minv_datasets.cli.guard import run
        from minv_datasets.cli.simulate import app  # takes its time

        code = run(app, "minv-simulate", words)
    sys.exit(code)


def export(arguments: Sequence[str] | None = None) -> None:
    """Run `minv-datasets` and exit."""
    words = _words(arguments)
    with _ended_by_interrupt("minv-datasets", as_json=False):
        from minv_datasets.cli.export import app  # takes its time
        from minv_datasets.cli.guard import run

        code = run(app, "minv-datasets", words)
    sys.exit(code)


def _words(arguments: Sequence[str] | None) -> list[str]:
    return list(sys.argv[1:] if arguments is None else arguments)


@contextmanager
def _ended_by_interrupt(program: str, *, as_json: bool) -> Iterator[None]:
    """Let Ctrl-C end the process at once, with one line: for the time in which no command works.

    There is nothing to tidy up then, and in the midst of an import an exception would be shown, lost or
    turned into another one. Where somebody else looks after Ctrl-C, or it is ignored, nothing changes.
    """

    def end(number: int, frame: FrameType | None) -> None:
        if as_json:
            error = {"schema_version": 1, "error": NOTHING_WRITTEN, "exit_code": INTERRUPTED}
            os.write(1, f"{json.dumps(error)}\n".encode())
        os.write(2, f"{program}: {NOTHING_WRITTEN}\n".encode())
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
