"""Our search for classes of least loss: start, descend, anneal until the budget is spent."""

import math
from dataclasses import dataclass

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.errors import UsageError
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance
from minv.kanonymity.search.annealing import anneal
from minv.kanonymity.search.classes import Classes
from minv.kanonymity.search.descent import descend
from minv.kanonymity.search.draws import start_draws
from minv.kanonymity.search.journal import empty_journal
from minv.kanonymity.search.neighbours import nearest_records
from minv.kanonymity.search.objective import Objective, certainty_penalty, squared_errors
from minv.kanonymity.search.start import start_classes
from minv.loss import MixedRecords, total_sum_of_squares
from minv.progress import Progress, ProgressCallback, silent
from minv.stopping import Stop


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What steers the search.

    Attributes
    ----------
    neighbours
        Length of the lists of near records whose classes a record may move to.
    most_ruined
        Largest number of classes that one step dissolves.
    start_temperature, end_temperature
        By which share of the cost of a class a step may raise it, about; falls geometrically.
    """

    neighbours: int = 10
    most_ruined: int = 4
    start_temperature: float = 0.2
    end_temperature: float = 0.003

    def __post_init__(self) -> None:
        if self.neighbours < 1:
            raise UsageError("the search needs at least 1 neighbour of each record")
        if self.most_ruined < 2:
            raise UsageError("the search must be allowed to ruin at least 2 classes at a time")
        if not 0 < self.end_temperature <= self.start_temperature:
            raise UsageError("the search's temperatures must be above 0, the last at most the first")


def minimise_squared_errors(
    points: FloatArray,
    k: int,
    *,
    seed: int,
    stop: Stop,
    settings: SearchSettings | None = None,
    progress: ProgressCallback = silent,
    start: IntArray | None = None,
) -> IntArray:
    """Partition `points` into classes of k to 2k-1 with little SSE (microaggregation).

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    k
        Least size of a class.
    seed
        Of all random choices.
    stop
        The budget; one unit of effort is one step of ruin and recreate. With a limit of effort the result
        depends on nothing else. Without any limit, `default_effort` holds.
    settings
        What steers the search; by default `SearchSettings()`.
    progress
        Told about the best loss so far, as IL in percent.
    start
        (n,) classes of at least k to begin with, which the result is never worse than; by default they are
        made by agglomeration.

    Returns
    -------
    (n,) class of each point, numbered by first appearance.

    Raises
    ------
    UsageError, InfeasibleError
        See `check_k`.
    """
    report = _Report(progress, stop, total_sum_of_squares(points))
    return _search(squared_errors(points), k, seed, stop, settings or SearchSettings(), report, start)


def minimise_certainty_penalty(
    records: MixedRecords,
    k: int,
    *,
    seed: int,
    stop: Stop,
    settings: SearchSettings | None = None,
    progress: ProgressCallback = silent,
) -> IntArray:
    """Partition `records` into classes of k to 2k-1 with little NCP.

    The parameters are those of `minimise_squared_errors`; `progress` is told the NCP in percent of that of a
    single class.
    """
    report = _Report(progress, stop, float(records.values.size))
    return _search(certainty_penalty(records), k, seed, stop, settings or SearchSettings(), report)


def default_effort(n: int) -> int:
    """Return the steps for n records where no limit is given: seconds for thousands of records."""
    return min(100 * n, 400_000)


@dataclass(frozen=True, slots=True)
class _Report:
    progress: ProgressCallback
    stop: Stop
    whole: float  # loss of a single class

    def __call__(self, phase: str, cost: float) -> None:
        loss = 100.0 * cost / self.whole if self.whole > 0 else 0.0
        self.progress(Progress(phase, self.stop.elapsed, incumbent_il=loss))


def _search(
    objective: Objective,
    k: int,
    seed: int,
    stop: Stop,
    settings: SearchSettings,
    report: _Report,
    start: IntArray | None = None,
) -> IntArray:
    n = len(objective.values)
    check_k(n, k)
    if k == 1 or n < 2 * k:
        return np.arange(n) if k == 1 else np.zeros(n, np.int64)
    state = start_draws(seed)
    neighbours = nearest_records(objective, settings.neighbours)
    classes = start_classes(objective, neighbours, k, state, start)
    report("start", float(classes.costs.sum()))
    journal = empty_journal(*classes.members.shape)
    least_gain = 1e-12 * float(classes.costs.sum())
    descend(classes, journal, neighbours, k, least_gain, np.arange(n), np.zeros(n, np.int64))
    best = _Best(classes)
    schedule = _Schedule(stop, default_effort(n))
    mean_cost = best.cost / n * k
    while best.cost > 0 and not schedule.finished():
        report("improve", best.cost)
        temperature = schedule.geometric(settings.start_temperature, settings.end_temperature)
        steps = schedule.take(_steps_at_a_time(k, objective))
        anneal(
            classes,
            journal,
            neighbours,
            k,
            steps,
            temperature,
            mean_cost,
            settings.most_ruined,
            least_gain,
            state,
        )
        best.keep(classes)
    report("improve", best.cost)
    return by_first_appearance(best.labels)


def _steps_at_a_time(k: int, objective: Objective) -> int:
    """Return how many steps take about a twentieth of a second, estimated so that it never varies."""
    dimension: int = objective.values.shape[1]
    return max(1, 400_000 // (k * k * (4 + dimension)))


class _Best:
    """The best partition so far."""

    def __init__(self, classes: Classes) -> None:
        self.cost = math.inf
        self.keep(classes)

    def keep(self, classes: Classes) -> None:
        """Remember the present partition if it is better."""
        cost = float(classes.costs.sum())
        if cost < self.cost:
            self.cost, self.labels = cost, classes.labels.copy()


_FIRST_STEPS = 8  # under a time limit, before it is known how long a step takes


class _Schedule:
    """How much of the budget is spent: of time or of effort, whichever is nearer to its end."""

    def __init__(self, stop: Stop, effort: int) -> None:
        limited = math.isfinite(stop.remaining()) or math.isfinite(stop.effort_left)
        self._stop = stop if limited else Stop(effort=effort, cancel=stop.cancel)
        self._effort, self._seconds = self._stop.effort_left, self._stop.remaining()
        self._taken = 0

    def finished(self) -> bool:
        return self._stop.reached()

    def geometric(self, first: float, last: float) -> float:
        """Return the value on the way from `first` to `last` that the spent share of the budget calls for."""
        spent = max(
            _spent(self._effort, self._stop.effort_left), _spent(self._seconds, self._stop.remaining())
        )
        return float(first * (last / first) ** spent)

    def take(self, steps: int) -> int:
        """Charge up to `steps`, at most about a hundredth of a budget, and return their number.

        How many steps go into a second is learned as they are taken.
        """
        if math.isfinite(self._effort):
            steps = int(min(steps, max(1, self._effort // 100), self._stop.effort_left))
        if math.isfinite(self._seconds):
            spent = self._seconds - self._stop.remaining()
            pace = self._taken / spent if self._taken else _FIRST_STEPS / max(self._seconds / 100, 1e-9)
            steps = int(min(steps, max(1.0, pace * min(self._seconds / 100, self._stop.remaining()))))
            self._taken += steps
        self._stop.charge(steps)
        return steps


def _spent(budget: float, left: float) -> float:
    """Return the spent share of one budget."""
    if not math.isfinite(budget):
        return 0.0
    return 1.0 - left / budget if budget > 0 else 1.0
