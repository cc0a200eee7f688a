"""Worker processes: how many, how they start, and how they learn that they shall stop."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from minv.errors import LimitError, UsageError
from minv.stopping import CancelToken, Flag

_LOOK = 0.1  # seconds between two looks at the caller's token

_token = CancelToken()


def resolve_workers(workers: int | None) -> int:
    """Return the number of workers: one a core by default.

    Raises
    ------
    UsageError
        It is below 1.
    """
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 1:
        raise UsageError(f"the number of workers must be at least 1, not {workers}")
    return workers


def task_token() -> CancelToken:
    """Return the token that a task looks at, in a worker process or in the caller's own."""
    return _token


@contextmanager
def open_executor(workers: int, cancel: CancelToken) -> Iterator[Executor | None]:
    """Yield a pool of worker processes, or None for one worker: then the work is done in this process.

    Workers are forked from a server that runs no threads, as forking a process with threads is unsafe. Their tasks
    end early once the caller's token is set; Ctrl-C reaches them only by it.

    Raises
    ------
    LimitError
        A worker process died or could not start.
    """
    if workers == 1:
        with _told(cancel):
            yield None
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["minv.publish.neighbourhoods"])
    flag = context.Event()
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(flag,))
    ended = threading.Event()
    watch = threading.Thread(target=_pass_on, args=(cancel, flag, ended), name="minv-cancel", daemon=True)
    watch.start()
    try:
        yield pool
    except BrokenProcessPool:
        raise LimitError(
            "a worker process died or could not start; call minv under `if __name__ == '__main__':` in a script, "
            "allow more memory, or use one worker"
        ) from None
    finally:
        ended.set()
        watch.join()
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(flag: Flag) -> None:
    """Prepare a worker process."""
    global _token
    _token = CancelToken(flag)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _told(cancel: CancelToken) -> Iterator[None]:
    """Let the tasks of this process look at the caller's token."""
    global _token
    before, _token = _token, cancel
    try:
        yield
    finally:
        _token = before


def _pass_on(cancel: CancelToken, flag: Flag, ended: threading.Event) -> None:
    while not ended.wait(_LOOK):
        if cancel.cancelled:
            flag.set()
            return
