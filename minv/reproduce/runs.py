"""Runs of a table: the paper's steps and ours on each sample, a job each."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.reproduce.published import published_cells
from minv.reproduce.samples import Sample

SUBSETS = (40, 20, 10, 5, 2)
SIZES = (3, 5, 7)
SWAP_FIRST = {4: False, 5: False, 6: True, 7: True}
"""Whether a table applies two-swap before column generation too."""

START_METHODS = {"classic": "random-bucket", "tau": "tau", "classic-as-specified": "classic"}
"""Our method for each heuristic of the paper; the last is its "Classic" as Xiao and Tao specify it."""

_WARM_UP = 450  # points: enough for every phase of the optimiser


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

    def __hash__(self) -> int:
        """Tell solvers apart: the kernels of each are loaded once."""
        ...

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
        effort: int | None = None,
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


@dataclass(frozen=True, eq=False, slots=True)
class Job:
    """All runs of one table on one sample. `time_limit` is in wall seconds for each limited run."""

    table: int
    dataset: str
    m: int
    sample: Sample
    time_limit: float

    @property
    def kind(self) -> tuple[int, str, int]:
        """What it shares with the jobs that take about as long."""
        return self.table, self.dataset, self.m

    @property
    def most_seconds(self) -> float:
        """Wall seconds that its limits allow."""
        return self.time_limit * (len(SUBSETS) if self.table in SWAP_FIRST else 1)


class Done(NamedTuple):
    """What came out of a job, and its wall seconds."""

    measurements: list[Measurement]
    seconds: float


def datasets_of(table: int) -> tuple[str, ...]:
    """Return the data sets of a table, under the paper's names."""
    return tuple(dict.fromkeys(cell.dataset for cell in published_cells(table)))


def jobs_of(table: int, samples: Mapping[str, Sequence[Sample]], time_limit: float) -> list[Job]:
    """Return the jobs of one table, those of a data set and m one after the other.

    Parameters
    ----------
    samples
        By the paper's name of the data set.
    time_limit
        Wall seconds for each run of column generation or of the optimiser.
    """
    return [
        Job(table, dataset, m, sample, time_limit)
        for dataset in datasets_of(table)
        for m in SIZES
        for sample in samples[dataset]
    ]


def run_job(solve: Solve, job: Job) -> Done:
    """Do all runs of a job.

    Parameters
    ----------
    solve
        Partitions; injected, so that this module does not depend on how.
    """
    _load_kernels(solve)
    began = time.perf_counter()
    found = list(_heuristics(solve, job))
    if job.table in SWAP_FIRST:
        found += _papers_route(solve, job)
    else:
        found.append(_optimised(solve, job))
    return Done(found, time.perf_counter() - began)


@cache
def _load_kernels(solve: Solve) -> None:
    """Run each method once in this process, so that no measured time is that of the compiler."""
    generator = np.random.default_rng(0)
    points, colours = generator.normal(size=(_WARM_UP, 3)), np.arange(_WARM_UP) % 20
    for method in START_METHODS.values():
        solve(points, colours, SIZES[0], method=method)
    solve(points, colours, SIZES[0], method="paper", subsets=SUBSETS[0], swap_first=True)
    solve(points, colours, SIZES[0], method="optimise", effort=1)


def _heuristics(solve: Solve, job: Job) -> Iterator[Measurement]:
    sample = job.sample
    for step, method in START_METHODS.items():
        found = solve(sample.points, sample.colours, job.m, method=method, seed=sample.seed)
        yield Measurement(*job.kind, None, step, sample.seed, found.seconds, found.il)


def _papers_route(solve: Solve, job: Job) -> Iterator[Measurement]:
    sample, swap_first = job.sample, SWAP_FIRST[job.table]
    names = ("two-swap-before", "column-generation", "two-swap-after")[0 if swap_first else 1 :]
    for subsets in SUBSETS:
        found = solve(
            sample.points,
            sample.colours,
            job.m,
            method="paper",
            subsets=subsets,
            swap_first=swap_first,
            time_limit=job.time_limit,
            seed=sample.seed,
        )
        for name, step in zip(names, found.steps[-len(names) :], strict=True):
            # The first two-swap is the same for every s; the paper prints it once.
            if name != "two-swap-before":
                yield Measurement(*job.kind, subsets, name, sample.seed, step.seconds, step.il)
            elif subsets == SUBSETS[0]:
                yield Measurement(*job.kind, None, name, sample.seed, step.seconds, step.il)


def _optimised(solve: Solve, job: Job) -> Measurement:
    sample = job.sample
    found = solve(
        sample.points,
        sample.colours,
        job.m,
        method="optimise",
        time_limit=job.time_limit,
        seed=sample.seed,
    )
    return Measurement(
        *job.kind, None, "optimization", sample.seed, found.seconds, found.il, found.lower_bound_il
    )
