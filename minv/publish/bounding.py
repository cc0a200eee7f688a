"""Column generation and cuts in a thread of its own, telling every bound it proves."""

import threading

import numpy as np

from minv.colgen.exact import Solvers, open_generation
from minv.colgen.generation import ColumnGeneration, LinearBound
from minv.compiled import IntArray
from minv.publish.incumbent import Incumbent
from minv.stopping import Stop

_CUTS_A_ROUND = 100
_GLANCE = 0.05  # seconds between looks at the clock
_IDLE_ROUNDS = 3
_LEAST_GAIN = 1e-5  # of the loss: a round of cuts that gains less is idle
LEAST_ITERATIONS = 30  # of column generation whatever the effort: the first few prove nothing


class Bounding:
    """Proves bounds on an incumbent's instance until nothing more is to be gained.

    Parameters
    ----------
    incumbent
        Receives the bounds.
    labels
        The partition to start from; fixed here, so that the result does not depend on what else runs.
    solvers
        Of the masters, and the pricer.
    stop
        Looked at between iterations; limits the pricing and the linear programs too.
    iterations
        Most iterations of column generation, or None.
    seed
        Of the search for cuts.

    Raises
    ------
    UsageError
        The linear relaxation has more rows than the solver takes.
    """

    def __init__(
        self,
        incumbent: Incumbent,
        labels: IntArray,
        solvers: Solvers,
        stop: Stop,
        *,
        iterations: int | None,
        seed: int,
    ) -> None:
        self._incumbent = incumbent
        self._stop = stop
        self._left = iterations
        self._random = np.random.default_rng(seed)
        self._least_gain = _LEAST_GAIN * incumbent.sse  # of now, not of when it is asked: see `labels`
        self._error: BaseException | None = None
        self.generation: ColumnGeneration = open_generation(incumbent.instance, labels, solvers)
        self.rooted = threading.Event()
        self._thread = threading.Thread(target=self._run, name="minv-bounding", daemon=True)

    def start(self) -> None:
        """Begin in the background."""
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether there is more to come."""
        return self._thread.is_alive()

    def finish(self, *, cancel: bool) -> None:
        """Wait for the end, which `cancel` hastens; raise what went wrong, if anything did."""
        if cancel:
            self._stop.cancel.cancel()
        self._thread.join()
        if self._error is not None:
            raise self._error

    def wait(self, stop: Stop) -> None:
        """Wait until nothing more is to be gained or `stop` is reached, and end it."""
        while self.running and not stop.reached(self._incumbent.gap):
            self._thread.join(_GLANCE)
        self.finish(cancel=self.running)

    @property
    def bound(self) -> LinearBound | None:
        """The best bound with its duals, or None."""
        bound = self.generation.bound
        return None if bound.value <= 0 else bound

    def _run(self) -> None:
        try:
            self._prove()
        except BaseException as error:  # handed to the thread that waits
            self._error = error
        finally:
            self.rooted.set()

    def _prove(self) -> None:
        self._converge("linear relaxation", root=True)
        self.rooted.set()
        idle = 0
        while idle < _IDLE_ROUNDS and self._may_go_on() and self.generation.cut(_CUTS_A_ROUND, self._random):
            before = self.generation.bound.value
            self._converge("cuts", root=False)
            gained = self.generation.bound.value - before
            idle = 0 if gained > self._least_gain else idle + 1

    def _converge(self, phase: str, *, root: bool) -> None:
        while self._may_go_on():
            more = self.generation.step(self._stop)
            if self._left is not None:
                self._left -= 1
            self._incumbent.bounds.learn(self.generation.bound, root=root)
            self._incumbent.report(phase)
            if not more:
                return

    def _may_go_on(self) -> bool:
        if self._left is not None:
            return self._left > 0 and not self._stop.reached()
        return not self._stop.reached(self._incumbent.gap)
