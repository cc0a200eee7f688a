"""Runs of a table: the paper's steps and ours on each sample."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from minv.compiled import FloatArray, IntArray
from minv.reproduce.published import published_cells
from minv.reproduce.samples import Sample

SUBSETS = (40, 20, 10, 5, 2)
SIZES = (3, 5, 7)
SWAP_FIRST = {4: False, 5: False, 6: True, 7: True}
"""Whether a table applies two-swap before column generation too."""

START_METHODS = {"classic": "random-bucket", "tau": "tau", "classic-as-specified": "classic"}
"""Our method for each heuristic of the paper; the last is its "Classic" as Xiao and Tao specify it."""


class StepResult(Protocol):
    """What is reported of one step."""

    @property
    def il(self) -> float:
        """IL in percent after the step."""
        ...

    @property
    def seconds(self) -> float:
        """Wall seconds of the step."""
        ...


class PartitionResult(StepResult, Protocol):
    """What is reported of a partition."""

    @property
    def lower_bound_il(self) -> float | None:
        """Proved lower bound on IL in percent, where there is one."""
        ...

    @property
    def steps(self) -> Sequence[StepResult]:
        """The steps of the method, in order."""
        ...


class Solve(Protocol):
    """Partitions (n, d) points of (n,) colours by a named method; see `minv partition`."""

    def __call__(
        self,
        points: FloatArray,
        colours: IntArray,
        m: int,
        *,
        method: str,
        subsets: int = 1,
        swap_first: bool = True,
        time_limit: float | None = None,
        seed: int = 0,
    ) -> PartitionResult:
        """Return a verified partition."""
        ...


@dataclass(frozen=True, slots=True)
class Measurement:
    """One step on one sample. `bound` is a proved lower bound on IL in percent, where there is one."""

    table: int
    dataset: str
    m: int
    subsets: int | None
    step: str
    seed: int
    seconds: float
    il: float
    bound: float | None = None


def datasets_of(table: int) -> tuple[str, ...]:
    """Return the data sets of a table, under the paper's names."""
    return tuple(dict.fromkeys(cell.dataset for cell in published_cells(table)))


def run_table(
    table: int,
    samples: Mapping[str, Sequence[Sample]],
    solve: Solve,
    time_limit: float,
    report: Callable[[str], None],
) -> Iterator[Measurement]:
    """Yield the measurements of one table.

    Parameters
    ----------
    samples
        By the paper's name of the data set.
    solve
        Partitions; injected, so that this module does not depend on how.
    time_limit
        Wall seconds for each run of column generation or of the optimiser.
    report
        Told in one phrase what begins.
    """
    for dataset in datasets_of(table):
        for m in SIZES:
            for sample in samples[dataset]:
                report(f"table {table}: {dataset}, m = {m}, seed {sample.seed}")
                yield from _heuristics(table, dataset, m, sample, solve)
                if table in SWAP_FIRST:
                    yield from _papers_route(table, dataset, m, sample, solve, time_limit)
                else:
                    yield _optimised(table, dataset, m, sample, solve, time_limit)


def _heuristics(table: int, dataset: str, m: int, sample: Sample, solve: Solve) -> Iterator[Measurement]:
    for step, method in START_METHODS.items():
        found = solve(sample.points, sample.colours, m, method=method, seed=sample.seed)
        yield Measurement(table, dataset, m, None, step, sample.seed, found.seconds, found.il)


def _papers_route(
    table: int, dataset: str, m: int, sample: Sample, solve: Solve, time_limit: float
) -> Iterator[Measurement]:
    names = ("two-swap-before", "column-generation", "two-swap-after")[0 if SWAP_FIRST[table] else 1 :]
    for subsets in SUBSETS:
        found = solve(
            sample.points,
            sample.colours,
            m,
            method="paper",
            subsets=subsets,
            swap_first=SWAP_FIRST[table],
            time_limit=time_limit,
            seed=sample.seed,
        )
        for name, step in zip(names, found.steps[-len(names) :], strict=True):
            # The first two-swap is the same for every s; the paper prints it once.
            if name != "two-swap-before":
                yield Measurement(table, dataset, m, subsets, name, sample.seed, step.seconds, step.il)
            elif subsets == SUBSETS[0]:
                yield Measurement(table, dataset, m, None, name, sample.seed, step.seconds, step.il)


def _optimised(
    table: int, dataset: str, m: int, sample: Sample, solve: Solve, time_limit: float
) -> Measurement:
    found = solve(
        sample.points, sample.colours, m, method="optimise", time_limit=time_limit, seed=sample.seed
    )
    return Measurement(
        table,
        dataset,
        m,
        None,
        "optimization",
        sample.seed,
        found.seconds,
        found.il,
        found.lower_bound_il,
    )
