"""Worker processes: how many, and how they start."""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager

from minv.errors import UsageError


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


@contextmanager
def open_executor(workers: int) -> Iterator[Executor | None]:
    """Yield a pool of worker processes, or None for one worker: then the work is done in this process.

    Workers are forked from a server that runs no threads, as forking a process with threads is unsafe.
    """
    if workers == 1:
        yield None
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["minv.publish.neighbourhoods"])
    pool = ProcessPoolExecutor(workers, mp_context=context)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
