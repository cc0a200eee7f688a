"""All of it: samples, runs, comparison, report."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from minv.reproduce.published import TABLES
from minv.reproduce.runs import SWAP_FIRST, Measurement, Solve, datasets_of, run_table
from minv.reproduce.samples import DESIGNS, draw_samples
from minv.reproduce.sources import find_table
from minv.reproduce.summary import compare
from minv.reproduce.writing import Context, write_report

LIMIT_OF_ROUTE, LIMIT_OF_OPTIMISER = 5.0, 50.0
"""Wall seconds for each run of Tables 4-7 and of Table 8: all tables on 10 samples within two hours.

4 tables x 3 m x 5 s x 10 samples = 600 runs of 5 s and 2 data sets x 3 m x 10 samples = 60 runs of 50 s make 100
minutes; limits are kept within 10 % and a second, most runs of the route end early.
"""


def reproduce(
    tables: Sequence[int],
    sources: Mapping[str, str],
    *,
    samples: int,
    time_limit: float | None,
    solve: Solve,
    out: Path,
    report: Callable[[str], None],
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield each table's comparison (see `summary.compare`) once it is done.

    The report in `out` is written anew whenever a data set is done for one m, so that little is lost when
    the work is interrupted.

    Parameters
    ----------
    tables
        Numbers of the paper's tables.
    sources
        For each of the paper's data sets, a file or the name of an offered table.
    samples
        Number of samples of each.
    time_limit
        Wall seconds for each run; None for 5 s in Tables 4-7 and 50 s in Table 8.
    solve
        What partitions.
    report
        Told in one phrase what begins.

    Raises
    ------
    UsageError, DataError
        A source is not to be had or not usable.
    """
    needed = [dataset for dataset in DESIGNS if any(dataset in datasets_of(table) for table in tables)]
    drawn = {
        dataset: draw_samples(find_table(sources[dataset]), DESIGNS[dataset], samples) for dataset in needed
    }
    context = Context(
        software=f"minv {version('minv')}",
        tables={dataset: sources[dataset] for dataset in needed},
        seeds={dataset: tuple(sample.seed for sample in drawn[dataset]) for dataset in needed},
        cores=len(os.sched_getaffinity(0)),
        limits={table: limit_of(table, time_limit) for table in tables},
    )
    done: dict[int, pd.DataFrame] = {}
    for table in tables:
        runs = run_table(table, drawn, solve, context.limits[table], report)
        for found in _ever_more(runs):
            done[table] = compare(table, found)
            write_report(out, done, context)
        yield table, done[table]


def _ever_more(runs: Iterable[Measurement]) -> Iterator[list[Measurement]]:
    """Yield all measurements so far whenever a data set is done for one m, or the work ends early."""
    found: list[Measurement] = []
    try:
        for run in runs:
            if found and (run.dataset, run.m) != (found[-1].dataset, found[-1].m):
                yield found
            found.append(run)
    except (Exception, KeyboardInterrupt):
        if found:
            yield found
        raise
    yield found


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
