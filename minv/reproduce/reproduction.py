"""All of it: samples, runs, comparison, report."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from minv.errors import CancelledError
from minv.reproduce.published import TABLES
from minv.reproduce.remaining import Remaining, in_words
from minv.reproduce.runs import SWAP_FIRST, Done, Job, Measurement, Solve, datasets_of, jobs_of, run_job
from minv.reproduce.samples import DESIGNS, draw_samples
from minv.reproduce.sources import find_table
from minv.reproduce.summary import compare
from minv.reproduce.writing import Context, write_report
from minv.stopping import CancelToken
from minv.wording import counted

LIMIT_OF_ROUTE, LIMIT_OF_OPTIMISER = 5.0, 100.0
"""Wall seconds for each run of Tables 4-7 and of Table 8: all tables on 10 samples within two hours on two cores.

4 tables x 3 m x 5 s x 10 samples = 600 runs of at most 5 s and 2 data sets x 3 m x 10 samples = 60 runs of 100 s are
150 minutes of one core, two runs at a time 75; limits are kept within 10 % and a second, many runs of the route end
early.
"""


class Team(NamedTuple):
    """Who does the runs.

    Attributes
    ----------
    solve
        What partitions, with one worker; a function of a module where there is an executor.
    at_once
        How many runs there are at a time.
    executor
        Does them in as many processes; None does them here.
    """

    solve: Solve
    at_once: int = 1
    executor: Executor | None = None


def reproduce(
    tables: Sequence[int],
    sources: Mapping[str, str],
    *,
    samples: int,
    time_limit: float | None,
    team: Team,
    solver: str,
    out: Path,
    report: Callable[[str], None],
    cancel: CancelToken | None = None,
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield each table's comparison (see `summary.compare`) once it is done.

    The report in `out` is written anew whenever a data set is done for one m, and when the work ends early, so that
    little is lost; it says how many samples are done.

    Parameters
    ----------
    tables
        Numbers of the paper's tables.
    sources
        For each of the paper's data sets, a file or the name of an offered table.
    samples
        Number of samples of each.
    time_limit
        Wall seconds for each run; None for 5 s in Tables 4-7 and 100 s in Table 8.
    team
        Who does the runs.
    solver
        The name of who solves the team's programs, for the report.
    report
        Told in one phrase what is done, and how long the rest will take.
    cancel
        Looked at after each sample; runs that it cut short do not count.

    Raises
    ------
    UsageError, DataError
        A source is not to be had or not usable.
    CancelledError
        The token was set; the report holds what was done before.
    """
    needed = [dataset for dataset in DESIGNS if any(dataset in datasets_of(table) for table in tables)]
    drawn = {
        dataset: draw_samples(find_table(sources[dataset]), DESIGNS[dataset], samples) for dataset in needed
    }
    limits = {table: limit_of(table, time_limit) for table in tables}
    jobs = [job for table in tables for job in jobs_of(table, drawn, limits[table])]
    context = Context(
        software=f"minv {version('minv')}",
        tables={dataset: sources[dataset] for dataset in needed},
        seeds={dataset: tuple(sample.seed for sample in drawn[dataset]) for dataset in needed},
        cores=len(os.sched_getaffinity(0)),
        at_once=team.at_once,
        limits=limits,
        jobs=len(jobs),
        solver=solver,
    )
    found: dict[int, list[Measurement]] = {}
    finished = written = 0

    def write() -> dict[int, pd.DataFrame]:
        nonlocal written
        written = finished
        comparisons = {table: compare(table, rows) for table, rows in found.items()}
        write_report(out, comparisons, replace(context, done=finished))
        return comparisons

    try:
        for job, measurements in _measure(jobs, team, report, cancel or CancelToken()):
            found.setdefault(job.table, []).extend(measurements)
            finished += 1
            following = jobs[finished] if finished < len(jobs) else None
            if following is None or following.kind != job.kind:
                comparisons = write()
            if following is None or following.table != job.table:
                yield job.table, comparisons[job.table]
    except (Exception, KeyboardInterrupt):
        if finished > written:
            write()
        raise


def _measure(
    jobs: Sequence[Job], team: Team, report: Callable[[str], None], cancel: CancelToken
) -> Iterator[tuple[Job, list[Measurement]]]:
    """Yield each job with its measurements, in the order of the jobs."""
    remaining = Remaining(jobs, team.at_once)
    report(
        f"{counted(len(jobs), 'sample')} to run, {team.at_once} at a time; about {in_words(remaining.seconds)} at most"
    )
    work = partial(run_job, team.solve)
    results: Iterable[Done] = map(work, jobs) if team.executor is None else team.executor.map(work, jobs)
    for number, (job, result) in enumerate(zip(jobs, results, strict=True), 1):
        if cancel.cancelled:
            raise CancelledError("interrupted")
        remaining.finish(job, result.seconds)
        report(
            f"table {job.table}: {job.dataset}, m = {job.m}, seed {job.sample.seed} done; "
            f"{number} of {counted(len(jobs), 'sample')}, about {in_words(remaining.seconds)} left"
        )
        yield job, result.measurements


def limit_of(table: int, time_limit: float | None) -> float:
    """Return the wall seconds for each run of a table."""
    if time_limit is not None:
        return time_limit
    return LIMIT_OF_ROUTE if table in SWAP_FIRST else LIMIT_OF_OPTIMISER


def parse_tables(text: str) -> tuple[int, ...]:
    """Return the numbers that `4`, `5`, `6`, `7`, `8` or `all` stands for; none for any other text."""
    if text == "all":
        return TABLES
    return tuple(table for table in TABLES if str(table) == text)
