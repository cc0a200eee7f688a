"""The best partition of a run and what is proved about it, shared by everything that works on it."""

import threading
from collections.abc import Callable

from minv.compiled import IntArray
from minv.instance import Instance
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares
from minv.progress import Progress, ProgressCallback
from minv.publish.bounds import Bounds
from minv.publish.result import Step
from minv.stopping import Stop


class Incumbent:
    """Never loses its best labels; reports every change; safe to share between threads."""

    def __init__(self, instance: Instance, labels: IntArray, stop: Stop, progress: ProgressCallback) -> None:
        self.instance = instance
        self.labels = labels
        self.sse = sum_of_squared_errors(instance.points, labels)
        self.sst = total_sum_of_squares(instance.points)
        self.bounds = Bounds()
        self.steps: list[Step] = []
        self._stop = stop
        self._progress = progress
        self._lock = threading.Lock()

    @property
    def il(self) -> float:
        """Information loss of the best labels, in percent."""
        return information_loss(self.sse, self.sst)

    @property
    def gap(self) -> float:
        """Relative gap; infinite without a bound, 0 where nothing is lost."""
        if self.sse <= 0:
            return 0.0
        if self.bounds.best is None:
            return float("inf")
        return max(0.0, (self.sse - self.bounds.best) / self.sse)

    def offer(self, labels: IntArray, phase: str) -> bool:
        """Take the labels if they are better; return whether they are."""
        sse = sum_of_squared_errors(self.instance.points, labels)
        with self._lock:
            better = sse < self.sse
            if better:
                self.labels, self.sse = labels, sse
        self.report(phase)
        return better

    def report(self, phase: str) -> None:
        """Tell the caller where things stand."""
        best = self.bounds.best
        self._progress(
            Progress(
                phase,
                self._stop.elapsed,
                self.il,
                None if best is None else information_loss(best, self.sst),
                None if best is None else self.gap,
            )
        )

    def timed(self, name: str, work: Callable[[], None]) -> None:
        """Run one step of a method and record its name, the loss after it and its seconds."""
        began = self._stop.elapsed
        work()
        self.steps.append(Step(name, self.il, self._stop.elapsed - began))
