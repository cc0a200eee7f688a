"""Simulated annealing of swaps, relocations and chains, in chunks that a caller can interrupt."""

import math

from minv.compiled import FloatArray, IntArray
from minv.errors import UsageError
from minv.localsearch.annealing_kernel import anneal_moves
from minv.localsearch.candidates import nearest_places
from minv.localsearch.first_improvement import improve
from minv.localsearch.limits import SizeLimits, limits_for_moves
from minv.localsearch.random_numbers import seeded_state
from minv.localsearch.requirements import Requirements
from minv.localsearch.state import State, open_state, refill
from minv.loss import sum_of_squared_errors
from minv.stopping import Stop

NEIGHBOURS = 10
START_TEMPERATURE = 100.0
END_TEMPERATURE = 1e-3
CHUNK = 1_000_000
COOLING = 0.95  # share of the remaining time; the rest is for the last descent


class Annealing:
    """A run of simulated annealing; it keeps the best labels seen at the end of any chunk.

    The number of clusters is that of the start. Temperatures are in units of the mean share of a point in
    the SSE after a descent from the start.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    colours
        (n,) colour of each point, 0..L-1.
    labels
        (n,) start: a feasible partition.
    m, max_size
        Size limits of free clusters; a max_size of 0 means 2m-1.
    seed
        Decides all moves.
    start_temperature, end_temperature
        Between them the temperature falls geometrically. Outliers, whose share is a hundred times the
        mean, need a hot start.
    neighbours
        Number of nearest places from which candidates are drawn.
    requirements
        Required signatures of points and clusters, if any.
    limits
        Sizes of each cluster, where they are others than m, max_size and the signatures say.
    stop
        Ends the first descent early.

    Raises
    ------
    UsageError
        The start breaks a rule, or temperatures do not fall.

    References
    ----------
    Kirkpatrick, Gelatt and Vecchi (1983), Optimization by simulated annealing, Science 220.
    """

    def __init__(
        self,
        points: FloatArray,
        colours: IntArray,
        labels: IntArray,
        *,
        m: int,
        max_size: int = 0,
        seed: int,
        start_temperature: float = START_TEMPERATURE,
        end_temperature: float = END_TEMPERATURE,
        neighbours: int = NEIGHBOURS,
        requirements: Requirements | None = None,
        limits: SizeLimits | None = None,
        stop: Stop | None = None,
    ) -> None:
        if not 0 < end_temperature <= start_temperature < math.inf:
            raise UsageError("temperatures must be positive and must not rise")
        sizes = limits or limits_for_moves(labels, m, max_size, requirements)
        self._state = open_state(points, colours, labels, sizes, requirements)
        self._candidates = nearest_places(self._state.points.coordinates, neighbours)
        self._points = points
        self._best = self._state.clusters.labels.copy()
        self._least = sum_of_squared_errors(points, self._best)
        self._random = seeded_state(seed)
        self._fraction = 0.0
        self.descend(stop or Stop())
        share = _mean_share(self._state)
        self._hot, self._cold = start_temperature * share, end_temperature * share

    @property
    def labels(self) -> IntArray:
        """The best labels so far."""
        return self._best.copy()

    @property
    def fraction(self) -> float:
        """How much of the cooling is done, 0..1."""
        return self._fraction

    def run(self, moves: int, until: float) -> None:
        """Propose moves while the cooling proceeds to the fraction `until`."""
        if self._hot > 0:
            hot, cold = self._temperature(self._fraction), self._temperature(until)
            anneal_moves(*self._state, self._candidates, moves, hot, cold, self._random)
        self._fraction = until
        self._keep_best()

    def descend(self, stop: Stop) -> None:
        """Go on to a local optimum, before or after annealing."""
        improve(self._state, self._candidates, stop)
        self._keep_best()

    def _temperature(self, fraction: float) -> float:
        return float(self._hot * (self._cold / self._hot) ** fraction)

    def _keep_best(self) -> None:
        refill(*self._state)  # many small changes of a centroid add up rounding
        labels = self._state.clusters.labels
        sse = sum_of_squared_errors(self._points, labels)
        if sse < self._least:
            self._best, self._least = labels.copy(), sse


def anneal(
    points: FloatArray,
    colours: IntArray,
    labels: IntArray,
    *,
    m: int,
    max_size: int = 0,
    moves: int,
    seed: int,
    start_temperature: float = START_TEMPERATURE,
    end_temperature: float = END_TEMPERATURE,
    neighbours: int = NEIGHBOURS,
    requirements: Requirements | None = None,
    limits: SizeLimits | None = None,
    stop: Stop | None = None,
) -> IntArray:
    """Anneal from a start and descend to a local optimum; never worse than the start.

    Without a deadline the result depends on the arguments alone. With one, the cooling is hastened so that
    it ends in time.

    Parameters
    ----------
    points, colours, labels, m, max_size, seed, start_temperature, end_temperature, neighbours, requirements, limits
        As `Annealing` takes them.
    moves
        Number of proposals, about ten million a second.
    stop
        Looked at after every million moves, each of which is one unit of effort.

    Returns
    -------
    IntArray
        (n,) labels; the number of clusters is that of the start.

    Raises
    ------
    UsageError
        The start breaks a rule, or temperatures do not fall.
    """
    stop = stop or Stop()
    deadline = COOLING * stop.remaining() + stop.elapsed
    annealing = Annealing(
        points,
        colours,
        labels,
        m=m,
        max_size=max_size,
        seed=seed,
        start_temperature=start_temperature,
        end_temperature=end_temperature,
        neighbours=neighbours,
        requirements=requirements,
        limits=limits,
        stop=stop,
    )
    began = stop.elapsed
    done, chunks = 0, 0
    while done < moves and annealing.fraction < 1 and not stop.reached():
        chunk = min(CHUNK, moves - done)
        done, chunks = done + chunk, chunks + 1
        spent = stop.elapsed - began
        hurried = spent * chunks / max(chunks - 1, 1) / max(deadline - began, 1e-9)
        annealing.run(chunk, until=min(1.0, max(done / moves, hurried)))
        stop.charge(1)
    annealing.descend(stop)
    return annealing.labels


def _mean_share(state: State) -> float:
    """Return SSE / n in the state's own units."""
    labels = state.clusters.labels
    return sum_of_squared_errors(state.points.coordinates, labels) / max(len(labels), 1)
