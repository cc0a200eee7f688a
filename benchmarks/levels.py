"""How near to the proved bound, how often proved optimal, and how far below the paper: as Markdown on standard output.

Run `python -m benchmarks.levels gaps`, `proofs`, `samples`, `large` or `speedup`. Not asv benchmarks: each takes many
minutes, and what they report depends on the clock.
"""

import os
import resource
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer

import minv_datasets
from benchmarks.cases import ACS, ADULT, M_VALUES, PAPER_ROWS, InstanceCase
from benchmarks.instances import SOURCES, Microdata, load, z_scores
from benchmarks.judge import Claim, judge
from benchmarks.published import best_il

app = typer.Typer(help=__doc__, no_args_is_help=True)
Seconds = Annotated[float, typer.Option(help="Time limit of each run.")]
Count = Annotated[int, typer.Option(help="Number of samples.")]
Datasets = Annotated[list[str], typer.Option("--dataset", help="Only this one; may be repeated.")]
Sizes = Annotated[list[int], typer.Option("--m", help="Only this m; may be repeated.")]
_EVERYTHING = {ADULT: 30_162, ACS: 50_000}


def solve(data: Microdata, m: int, seconds: float, seed: int = 0) -> Any:
    """Partition with the default method; the independent judge verifies the result."""
    from minv.publish.partition import partition

    found = partition(data.points, data.colours, m, time_limit=seconds, seed=seed)
    judge(data, m, Claim(np.asarray(found.labels), found.il, found.lower_bound_il))
    return found


def gap(found: Any) -> float:
    """Return the gap between loss and bound, in percent of the loss."""
    if found.il <= 0:
        return 0.0
    return 100 * (1 - (found.lower_bound_il or 0.0) / found.il)


def draws(dataset: str, rows: int, m: int, count: int) -> Iterator[Microdata]:
    """Yield the first so many eligible random samples of a data set."""
    source = SOURCES[dataset]
    whole = minv_datasets.complete_rows(source.load(10**9), [*source.quasi_identifiers[:3], source.sensitive])
    for _, drawn in minv_datasets.eligible_samples(whole, source.sensitive, rows, m, count):
        coordinates = [z_scores(drawn[name]) for name in source.quasi_identifiers[:3]]
        colours = pd.factorize(drawn[source.sensitive], sort=True)[0].astype(np.int64)
        yield Microdata(np.column_stack(coordinates), colours)


def heading() -> str:
    """Return how the figures came about."""
    words = " ".join([Path(sys.argv[0]).stem, *sys.argv[1:]])
    cores = len(os.sched_getaffinity(0))
    return f"`python -m benchmarks.{words}`, {cores} cores, {datetime.now(UTC):%Y-%m-%d}"


@app.command()
def gaps(seconds: Seconds = 60.0, datasets: Datasets = [ADULT, ACS], sizes: Sizes = list(M_VALUES)) -> None:  # noqa: B006
    """Solve the six instances of the paper's size: loss, bounds and gap."""
    typer.echo(f"{heading()}\n")
    typer.echo("| instance | IL | LP bound | certified bound | gap | status | seconds |")
    typer.echo("|---|---|---|---|---|---|---|")
    for dataset in datasets:
        for m in sizes:
            case = InstanceCase(dataset, PAPER_ROWS[dataset], m)
            found = solve(load(case), m, seconds)
            typer.echo(
                f"| {case} | {found.il:.5g} | {found.lp_bound_il:.5g} | {found.certified_bound_il:.5g} | "
                f"{gap(found):.2f} % | {found.status} | {found.seconds:.1f} |"
            )


@app.command()
def proofs(
    points: int = 100,
    count: Count = 30,
    seconds: Seconds = 60.0,
    datasets: Datasets = [ADULT, ACS],  # noqa: B006
    sizes: Sizes = [3, 5],  # noqa: B006
) -> None:
    """Solve random samples, small enough to be proved optimal."""
    typer.echo(
        f"{heading()}\n\n| sample | m | proved | median s | longest s | largest gap left |\n|---|---|---|---|---|---|"
    )
    for dataset in datasets:
        for m in sizes:
            runs = [solve(data, m, seconds) for data in draws(dataset, points, m, count)]
            proved = [run.seconds for run in runs if run.status == "optimal"]
            times = [run.seconds for run in runs]
            typer.echo(
                f"| {dataset}-{points} | {m} | {len(proved)} of {len(runs)} | {np.median(times):.1f} | "
                f"{max(times):.1f} | {max(gap(run) for run in runs):.2f} % |"
            )


@app.command()
def samples(count: Count = 10, seconds: Seconds = 60.0) -> None:
    """Solve random eligible samples of the paper's size, beside the paper's best."""
    typer.echo(f"{heading()}\n\n| sample | m | median IL | least | most | paper | ours/paper | median gap |")
    typer.echo("|---|---|---|---|---|---|---|---|")
    for dataset in (ADULT, ACS):
        for m in M_VALUES:
            runs = [solve(data, m, seconds) for data in draws(dataset, PAPER_ROWS[dataset], m, count)]
            losses = [run.il for run in runs]
            paper = best_il(dataset, m)
            typer.echo(
                f"| {dataset}-{PAPER_ROWS[dataset]} | {m} | {np.median(losses):.4g} | {min(losses):.4g} | "
                f"{max(losses):.4g} | {paper:.4g} | {np.median(losses) / paper:.3f} | "
                f"{np.median([gap(run) for run in runs]):.2f} % |"
            )


@app.command()
def large(dataset: str = ADULT, m: int = 5, seconds: Seconds = 120.0) -> None:
    """Solve a whole data set: all complete rows of Adult, or the first 50,000 of ACS."""
    case = InstanceCase(dataset, _EVERYTHING[dataset], m)
    data = load(case)
    found = solve(data, m, seconds)
    bound = "none" if found.lower_bound_il is None else f"{found.lower_bound_il:.5g}"
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    typer.echo(
        f"{heading()}\n\n| instance | IL | bound | gap | seconds | peak MiB of a process |\n|---|---|---|---|---|---|"
    )
    typer.echo(
        f"| {case} | {found.il:.5g} | {bound} | {gap(found):.2f} % | {found.seconds:.1f} | {peak / 1024:.0f} |"
    )


@app.command()
def speedup(dataset: str = ADULT, m: int = 5, subsets: int = 10, effort: int = 20) -> None:
    """Time the same work with one worker and with two: subsets of the method paper, and patches of a large table."""
    from minv.publish.partition import partition

    typer.echo(
        f"{heading()}\n\n| step | one worker, s | two workers, s | speed-up | same labels |\n|---|---|---|---|---|"
    )
    small = load(InstanceCase(dataset, PAPER_ROWS[dataset], m))
    whole = load(InstanceCase(dataset, _EVERYTHING[dataset], m))
    works: dict[str, tuple[Microdata, dict[str, Any]]] = {
        "column generation": (small, {"method": "paper", "subsets": subsets}),
        "patches": (whole, {"effort": effort}),
    }
    for step, (data, options) in works.items():
        runs = [partition(data.points, data.colours, m, workers=workers, **options) for workers in (1, 2)]
        one, two = (next(part.seconds for part in run.steps if part.name == step) for run in runs)
        same = bool((runs[0].labels == runs[1].labels).all())
        typer.echo(f"| {step} | {one:.1f} | {two:.1f} | {one / two:.2f} | {'yes' if same else 'no'} |")


if __name__ == "__main__":
    app()
