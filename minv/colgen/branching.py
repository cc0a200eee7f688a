"""Branch and cut over columns that are all listed: two points together or apart, fewer or more clusters.

Ryan and Foster (1981): in a fractional partition some two points share a cluster to a fraction. Of points that occur
once, either all columns with one hold the other too, or none does; both only shorten the list. See docs/bound.md.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from minv.colgen.covering import columns_of, covering_of
from minv.colgen.generation import LinearBound
from minv.colgen.pool import take
from minv.colgen.relaxation import CLOSED, ListedRelaxation
from minv.colgen.rounding import choose_partition, labels_of_columns, room_for_columns
from minv.compiled import BoolArray, FloatArray, IntArray
from minv.instance import Instance
from minv.loss import sum_of_squared_errors
from minv.pricing.cuts import chosen_cuts
from minv.pricing.protocol import Columns, joined
from minv.pricing.reduced_costs import priced
from minv.solvers.protocol import SetPartitionSolver, SolveStatus
from minv.stopping import Stop

Heard = Callable[[float, IntArray], None]
"""Told the proved bound and the best labels from time to time."""


def ignore(bound: float, labels: IntArray) -> None:
    """Hear nothing."""


_LANES = 2  # parts solved side by side, whatever the number of workers: the result must not depend on it
_ROOT_ROUNDS = 100
_ROUNDS = 10
_CANDIDATES = 6
_FRACTIONAL = 1e-5
_UNEVEN = 0.05  # numbers of clusters as far from a whole number are branched on first
_LEAST_GAIN = 1e-6  # of the loss: what a branch gains counts as this much at least
_FIRST_A_ROW = 5  # columns that the relaxation begins with
_FEW = 800  # columns that an integer program takes at once
_FEW_NODES = 2000
_MOST = 20_000  # columns that it takes where the part cannot be divided


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the search: the columns that are left, and how many clusters there may be."""

    listed: IntArray
    clusters: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Branched:
    """What a part led to: parts to search, better labels, or neither where it is closed.

    `open` where it could not be divided further, or time ran out.
    """

    bound: float
    parts: tuple[Part, ...] = ()
    labels: IntArray | None = None
    open: bool = False


class Search:
    """The search over one list of columns.

    Parameters
    ----------
    instance, labels
        A partition to beat.
    columns
        All columns that can be part of a better one that costs less than the ceiling.
    ceiling
        Partitions that cost as much or more are of interest only by chance.
    integer
        Solves the parts with few columns.
    proof
        Its cuts and the columns of least reduced cost under its duals are what the relaxation begins with.
    seed
        Of the cuts' starts.

    Raises
    ------
    ValueError
        The instance may have counterfeits: they are no rows of this search.
    """

    def __init__(
        self,
        instance: Instance,
        labels: IntArray,
        columns: Columns,
        ceiling: float,
        integer: SetPartitionSolver,
        *,
        proof: LinearBound,
        seed: int,
    ) -> None:
        if instance.continues and instance.counterfeits:
            raise ValueError("a release with counterfeits is not searched by branching")
        known = columns_of(instance, labels)
        self.labels, self.sse = labels, sum_of_squared_errors(instance.points, labels)
        self._instance, self._ceiling, self._integer = instance, ceiling, integer
        self._multiplicity = instance.rows.multiplicity
        self._columns = joined([columns, known])
        self._random = [np.random.default_rng([seed, lane]) for lane in range(_LANES)]
        reduced = priced(columns, proof.duals, proof.cuts)
        best = np.argsort(reduced, kind="stable")[: _FIRST_A_ROW * len(self._multiplicity)]
        self._lanes = [
            ListedRelaxation(
                self._columns,
                self._multiplicity,
                self.sse,
                float(known.costs.mean()) or 1.0,
                np.append(np.sort(best), columns.number + np.arange(known.number)),
                chosen_cuts(proof.cuts.cuts, np.flatnonzero(proof.cuts.penalties > 0)),
            )
        ]
        whole = Part(np.arange(self._columns.number), (1, covering_of(instance).clusters))
        self._open: list[tuple[float, int, Part]] = [(0.0, 0, whole)]
        self._made = 0
        self.searched = 0
        self._left = np.inf  # bound of the parts that could not be divided

    @property
    def bound(self) -> float:
        """No partition costs less."""
        return min(self.target, self._left, *(bound for bound, _, _ in self._open))

    @property
    def target(self) -> float:
        """What a partition must cost less than to be looked for."""
        return min(self.sse, self._ceiling)

    @property
    def proved(self) -> bool:
        """Whether no partition is better than the labels."""
        return self.bound >= self.sse * (1 - CLOSED)

    @property
    def finished(self) -> bool:
        """Whether no partition is better than the target."""
        return self.bound >= self.target * (1 - CLOSED)

    def run(self, stop: Stop, *, node_limit: int | None, workers: int, heard: Heard) -> None:
        """Search until the labels are proved best, or a limit is reached; `node_limit` parts at most."""
        with ThreadPoolExecutor(max_workers=min(workers, _LANES)) as threads:
            while self._open and (node_limit is None or self.searched < node_limit):
                if stop.reached(1 - self.bound / self.sse):
                    return
                parts = self._next()
                self.searched += len(parts)
                if len(parts) > len(self._lanes):
                    self._lanes.append(self._lanes[0].twin())
                jobs = zip(range(len(parts)), parts, repeat(self._made == 0), repeat(stop))
                self._take(parts, list(threads.map(lambda job: self._search(*job), jobs)))
                heard(self.bound, self.labels)

    def _next(self) -> list[tuple[float, Part]]:
        """Return the part of least bound, and the one with the fewest columns, which soonest gives a partition."""
        self._open = [entry for entry in self._open if entry[0] < self.target * (1 - CLOSED)]
        parts: list[tuple[float, Part]] = []
        for key in (_by_bound, _by_columns)[: min(_LANES, len(self._open))]:
            entry = min(self._open, key=key)
            self._open.remove(entry)
            parts.append((entry[0], entry[2]))
        return parts

    def _take(self, parts: list[tuple[float, Part]], results: list[Branched]) -> None:
        for (before, _), result in zip(parts, results, strict=True):
            if result.labels is not None:
                sse = sum_of_squared_errors(self._instance.points, result.labels)
                if sse < self.sse:
                    self.labels, self.sse = result.labels, sse
            bound = max(before, result.bound)
            if result.open:
                self._left = min(self._left, bound)
            for child in result.parts:
                self._made += 1
                self._open.append((bound, self._made, child))

    def _search(self, lane: int, entry: tuple[float, Part], root: bool, stop: Stop) -> Branched:
        """Solve the relaxation of a part, and divide it where that is fractional."""
        part, relaxation = entry[1], self._lanes[lane]
        relaxed = relaxation.solve(
            part.listed,
            part.clusters,
            self.target,
            rounds=_ROOT_ROUNDS if root else _ROUNDS,
            random=self._random[lane],
            stop=stop,
        )
        if relaxed.support is None or relaxed.values is None:
            return Branched(relaxed.bound, open=relaxed.bound < self.target * (1 - CLOSED))
        part = Part(relaxed.listed, part.clusters)
        used = take(self._columns, relaxed.support)
        if (np.abs(relaxed.values - np.rint(relaxed.values)) <= _FRACTIONAL).all():
            labels = self._rounded(used, relaxed.values)
            return Branched(relaxed.bound, labels=labels, open=labels is None)
        few = len(part.listed) <= _FEW
        parts = () if few else self._divide(part, relaxation, used, relaxed.values)
        if parts:
            return Branched(relaxed.bound, parts)
        labels, optimal = self._integer_program(part, stop)
        if optimal:
            return Branched(relaxed.bound, labels=labels)
        if few:
            parts = self._divide(part, relaxation, used, relaxed.values)
        return Branched(relaxed.bound, parts, labels, open=not parts)

    def _rounded(self, columns: Columns, values: FloatArray) -> IntArray | None:
        """Return the partition that these columns are, or None where they leave rows uncovered."""
        chosen = np.repeat(np.arange(columns.number), np.rint(values).astype(np.int64))
        covered = np.bincount(take(columns, chosen).members, minlength=len(self._multiplicity))
        if (covered != self._multiplicity).any():
            return None
        return labels_of_columns(columns, chosen, self._instance.rows.row_of_point)

    def _integer_program(self, part: Part, stop: Stop) -> tuple[IntArray | None, bool]:
        if len(part.listed) > min(_MOST, room_for_columns(self._integer, self.labels)):
            return None, False
        labels, solution = choose_partition(
            self._integer,
            self._instance,
            take(self._columns, part.listed),
            self.labels,
            time_limit=stop.remaining(),
            node_limit=_FEW_NODES,
        )
        return labels, solution.status is SolveStatus.OPTIMAL

    def _divide(
        self, part: Part, relaxation: ListedRelaxation, used: Columns, values: FloatArray
    ) -> tuple[Part, ...]:
        number = float(values.sum())
        uneven = abs(number - round(number))
        pairs = fractional_pairs(used, values, self._multiplicity)
        if uneven > (_UNEVEN if pairs else _FRACTIONAL):
            least, most = part.clusters
            below = int(np.floor(number))
            return Part(part.listed, (least, below)), Part(part.listed, (below + 1, most))
        cost = float(used.costs @ values)
        best: tuple[float, tuple[Part, ...]] = (-1.0, ())
        for pair in pairs[:_CANDIDATES]:
            children = tuple(Part(listed, part.clusters) for listed in self._split(part.listed, pair))
            gains = [min(relaxation.estimate(child.listed), self.target) - cost for child in children]
            score = float(np.prod([max(gain, _LEAST_GAIN * self.sse) for gain in gains]))
            if score > best[0]:
                best = (score, children)
        return best[1]

    def _split(self, listed: IntArray, pair: tuple[int, int]) -> tuple[IntArray, IntArray]:
        """Return the columns left where the two rows are together, and where they are apart."""
        columns = take(self._columns, listed)
        first, second = (holding(columns, row) for row in pair)
        lonely = np.zeros(columns.number, bool)
        for row, one, other in ((pair[0], first, second), (pair[1], second, first)):
            if self._multiplicity[row] == 1:
                lonely |= one & ~other
        return listed[~lonely], listed[~(first & second)]


def _by_bound(entry: tuple[float, int, Part]) -> tuple[float, int]:
    return entry[:2]


def _by_columns(entry: tuple[float, int, Part]) -> tuple[int, int]:
    return len(entry[2].listed), entry[1]


def holding(columns: Columns, row: int) -> BoolArray:
    """Return which columns hold a row."""
    result = np.zeros(columns.number, bool)
    owners = np.searchsorted(columns.starts, np.flatnonzero(columns.members == row), side="right") - 1
    result[owners] = True
    return result


def fractional_pairs(columns: Columns, values: FloatArray, multiplicity: IntArray) -> list[tuple[int, int]]:
    """Return the pairs of rows that share clusters to a fraction, the nearest to a half first.

    At least one of the two occurs only once: for others, together and apart are not all there is.
    """
    rows = len(multiplicity)
    together = np.zeros((rows, rows))
    for column, value in enumerate(values.tolist()):
        members = columns.members[columns.starts[column] : columns.starts[column + 1]]
        together[np.ix_(members, members)] += value
    first, second = np.triu_indices(rows, 1)
    shares = together[first, second]
    single = (multiplicity[first] == 1) | (multiplicity[second] == 1)
    pairs = np.flatnonzero((np.abs(shares - np.rint(shares)) > _FRACTIONAL) & single)
    order = pairs[np.argsort(np.abs(shares[pairs] % 1 - 0.5), kind="stable")]
    return list(zip(first[order].tolist(), second[order].tolist(), strict=True))
