"""Whole partitions side by side: each in a process of a pool, with one worker."""

from typing import Any

from minv.compiled import FloatArray, IntArray
from minv.publish.partition import partition
from minv.publish.result import Partition
from minv.publish.workers import task_token


def partition_alone(points: FloatArray, colours: IntArray, m: int, **options: Any) -> Partition:
    """Partition with one worker until done or until the pool's caller cancels; see `partition` for the rest.

    To be called by a task of `open_executor`.
    """
    return partition(points, colours, m, workers=1, cancel=task_token(), **options)
