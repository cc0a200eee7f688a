"""Re-optimise parts of a later release: classes that promising columns link, solved as a release of their own.

What stands near a class is mostly of other signatures and can exchange nothing with it. The columns of least reduced
cost know which classes can.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from minv.colgen.covering import columns_of, counterfeits_of
from minv.colgen.exact import Solvers, columns_near, open_generation
from minv.colgen.generation import ColumnGeneration
from minv.colgen.rounding import choose_partition, most_promising, room_for_columns
from minv.compiled import BoolArray, FloatArray, IntArray
from minv.grouping import grouped
from minv.instance import Instance
from minv.loss import sum_of_squared_errors
from minv.pricing.protocol import Columns
from minv.pricing.reduced_costs import reduced_costs
from minv.publish.incumbent import Incumbent
from minv.publish.neighbourhoods import with_part
from minv.stopping import Stop

_WORTH = 1e-6  # of the loss: classes of less reduced cost are not begun with
_MOST_CLASSES = 3  # with a row: a row of more classes links none of them in particular


class Depth(NamedTuple):
    """How thoroughly a part is searched, at most: points, columns, nodes, and seconds where time limits."""

    size: int
    columns: int
    nodes: int
    seconds: float


_DEPTHS = (Depth(130, 2000, 300, 2.0), Depth(220, 3000, 300, 4.0), Depth(350, 5000, 300, 15.0))


class Search:
    """Solves parts around the classes of greatest reduced cost, and skips those that were tried in vain.

    Parameters
    ----------
    incumbent
        Receives the labels.
    generation
        Whose columns and duals tell what belongs together.
    solvers
        Of the parts.
    seed
        Of the programs.
    """

    def __init__(
        self, incumbent: Incumbent, generation: ColumnGeneration, solvers: Solvers, seed: int
    ) -> None:
        self._incumbent, self._solvers, self._seed = incumbent, solvers, seed
        self._duals = generation.bound.duals
        self._links = Links(incumbent.instance, generation.master.pool.columns, self._duals)
        self._tried: set[tuple[int, frozenset[bytes]]] = set()

    def run(self, stop: Stop, most: int | None) -> None:
        """Go from small parts to large ones, and back once one gained, until none gains or a limit is reached.

        Parameters
        ----------
        most
            Parts to be solved, where effort limits the run; otherwise None.
        """
        depth, left = 0, np.inf if most is None else most
        while depth < len(_DEPTHS) and left > 0 and not stop.reached(self._incumbent.gap):
            limits = _DEPTHS[depth] if most is None else _DEPTHS[depth]._replace(seconds=np.inf)
            solved, gained = self._round(limits, stop, left)
            left -= solved
            depth = 0 if gained and depth else depth + (not gained)

    def _round(self, depth: Depth, stop: Stop, most: float) -> tuple[int, bool]:
        """Solve disjoint parts, the worst first; return how many, and whether one gained."""
        incumbent = self._incumbent
        labels = result = incumbent.labels  # parts are chosen as the classes stand now
        badness = reduced_costs(columns_of(incumbent.instance, labels), self._duals)
        used = np.zeros(len(badness), np.bool_)
        classes_of = Classes.of(incumbent.instance, labels)
        solved, before = 0, incumbent.sse
        for seed in np.argsort(-badness, kind="stable").tolist():
            if badness[seed] <= _WORTH * incumbent.sse or solved >= most or stop.reached(incumbent.gap):
                break
            classes = self._links.around(classes_of, seed, depth.size, used)
            if len(classes) < 2:  # used already, or alone
                continue
            key = (depth.size, frozenset(np.flatnonzero(labels == c).tobytes() for c in classes.tolist()))
            if key in self._tried:
                continue
            self._tried.add(key)
            used[classes] = True
            solved += 1
            members = np.flatnonzero(np.isin(labels, classes))
            result = self._improved(result, members, depth, stop)
            incumbent.offer(result, "neighbourhoods")
        return solved, incumbent.sse < before

    def _improved(self, labels: IntArray, members: IntArray, depth: Depth, stop: Stop) -> IntArray:
        """Return labels in which the classes of these points are as good or better."""
        part = part_of(self._incumbent.instance, labels, members)
        own = np.unique(labels[members], return_inverse=True)[1].astype(np.int64)
        limit = Stop(time_limit=min(depth.seconds, stop.remaining()), cancel=stop.cancel)
        found = solve_part(part, own, self._solvers, limit, depth, self._seed)
        if sum_of_squared_errors(part.points, found) >= sum_of_squared_errors(part.points, own):
            return labels
        return with_part(labels, members, found)


class Classes(NamedTuple):
    """Which rows each class has, and which classes have each row; a row of many classes counts for none."""

    sizes: IntArray
    rows: list[list[int]]
    holders: list[list[int]]

    @classmethod
    def of(cls, instance: Instance, labels: IntArray) -> "Classes":
        """Return the classes of a partition."""
        sizes = np.bincount(labels)
        pairs = np.unique(np.column_stack([instance.rows.row_of_point, labels]), axis=0)
        rows: list[list[int]] = [[] for _ in sizes]
        holders: list[list[int]] = [[] for _ in instance.rows.points]
        for row, label in pairs.tolist():
            rows[label].append(row)
            holders[row].append(label)
        return cls(sizes, rows, [held if len(held) <= _MOST_CLASSES else [] for held in holders])


class Links:
    """Which classes of a partition can exchange points, and how promising that is.

    Parameters
    ----------
    instance
        The release.
    columns, duals
        Of a relaxation; columns of small reduced cost link the classes that hold their rows.
    """

    def __init__(self, instance: Instance, columns: Columns, duals: FloatArray) -> None:
        rows = len(instance.rows.points)
        self._costs = np.maximum(reduced_costs(columns, duals), 0.0).tolist()
        owners = np.repeat(np.arange(columns.number), np.diff(columns.starts))
        real = columns.members < rows  # the others are counterfeits
        owners, members = owners[real], columns.members[real]
        self._members = _grouped(owners, members, columns.number)
        self._through = _grouped(members, owners, rows)

    def around(self, classes: Classes, seed: int, size: int, used: BoolArray) -> IntArray:
        """Return unused classes that columns of little reduced cost link to an unused one, ascending.

        Of `size` points or so; none where the first is used.
        """
        inside: set[int] = set()
        seen: set[int] = set()
        points, waiting = 0, [(0.0, seed)]
        while waiting and points < size:
            _, label = heappop(waiting)
            if label in inside or used[label]:
                continue
            inside.add(label)
            points += int(classes.sizes[label])
            for row in classes.rows[label]:
                for column in self._through[row]:
                    if column in seen:
                        continue
                    seen.add(column)
                    for other in self._members[column]:
                        for near in classes.holders[other]:
                            if near not in inside:
                                heappush(waiting, (self._costs[column], near))
        return np.array(sorted(inside), np.int64)


def _grouped(keys: IntArray, values: IntArray, number: int) -> list[list[int]]:
    """Return the values of each key 0..number-1."""
    starts, order = grouped(keys, number)
    return [part.tolist() for part in np.split(values[order], starts[1:-1])]


def part_of(instance: Instance, labels: IntArray, members: IntArray) -> Instance:
    """Return the problem of the points of some whole classes: with as many counterfeits as these classes have."""
    assert instance.required is not None
    extra = counterfeits_of(instance, labels)[np.unique(labels[members])]
    return Instance(
        instance.points[members],
        instance.colours[members],
        instance.m,
        instance.max_size,
        instance.required[members],
        instance.signatures,
        int(extra.sum()),
    )


def solve_part(
    part: Instance, labels: IntArray, solvers: Solvers, stop: Stop, depth: Depth, seed: int
) -> IntArray:
    """Return labels that lose no more: one integer program over the columns near the relaxation of the part."""
    generation = open_generation(part, labels, solvers)
    while generation.step(stop):
        pass
    gap = sum_of_squared_errors(part.points, labels) - max(generation.bound.value, 0.0)
    most = min(depth.columns, room_for_columns(solvers.integer, labels))
    columns, _ = columns_near(generation, gap, most, stop)
    if columns is None or stop.remaining() <= 0:
        return labels
    found, _ = choose_partition(
        solvers.integer,
        part,
        most_promising(columns, generation.bound.duals, most),
        labels,
        time_limit=stop.remaining(),
        seed=seed,
        node_limit=depth.nodes,
    )
    return found
