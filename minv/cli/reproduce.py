"""`minv reproduce`: the papers' tables beside ours."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from minv.cli import options
from minv.cli.interrupts import cancel_on_interrupt
from minv.cli.output import note, say, tell_choice
from minv.errors import UsageError


def reproduce(
    table_id: Annotated[
        str,
        typer.Argument(
            metavar="4|5|6|7|8|all|coaa",
            help="Which table of the m-invariance paper; the experiments of the COAA paper.",
        ),
    ],
    adult: Annotated[
        str, typer.Option("--adult", metavar="TABLE", help="File or offered table to sample for Adult.")
    ] = "adult",
    ipums: Annotated[
        str,
        typer.Option(
            "--ipums", metavar="TABLE", help="The same for IPUMS: columns sex, age, educ, occ(upation)."
        ),
    ] = "ipums-like",
    hierarchies: Annotated[
        Path | None,
        typer.Option(
            "--hierarchies", metavar="DIR", help="Of coaa: folder with COLUMN.csv; by default those offered."
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Number of samples.")] = 10,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            min=0.0,
            help="Seconds for each run. Default: 5, in Table 8 100, of coaa those of the slowest other.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            help="Runs at a time, each in one process; by default one a core. Not of coaa.",
        ),
    ] = None,
    solver: options.Solver = options.SolverName.AUTO,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the report: Markdown, HTML, CSV.")
    ] = Path("reproduction"),
    quiet: options.Quiet = False,
) -> None:
    """Run the paper's tables on samples of its size, and print and write its figures beside ours."""
    report: Callable[[str], None] = (lambda _: None) if quiet else note
    if table_id == "coaa":
        if solver is not options.SolverName.AUTO:
            raise UsageError("coaa solves no linear or integer programs: --solver is for the tables")
        from minv.reproduce.clustering_report import hierarchy_files, reproduce_clustering

        files = hierarchy_files(hierarchies, adult)
        say(reproduce_clustering(adult, files, samples=seeds, time_limit=time_limit, out=out, report=report))
        say([f"written to {out}"])
        return
    from minv.reproduce.reproduction import Team, parse_tables, reproduce
    from minv.reproduce.writing import TITLES, markdown_table

    tables = parse_tables(table_id)
    if not tables:
        raise UsageError(
            f"no table {table_id}: the paper's tables of results are 4, 5, 6, 7 and 8; or say all, or coaa"
        )
    from minv.publish.engines import resolve_solver
    from minv.publish.side_by_side import partition_alone
    from minv.publish.workers import open_executor, resolve_workers

    chosen = resolve_solver(solver)
    tell_choice(solver, chosen, quiet=quiet)
    at_once = resolve_workers(workers)
    with cancel_on_interrupt() as cancel, open_executor(at_once, cancel) as executor:
        found = reproduce(
            tables,
            {"adult": adult, "ipums": ipums},
            samples=seeds,
            time_limit=time_limit,
            team=Team(partial(partition_alone, solver=chosen, pricing="box"), at_once, executor),
            solver=chosen,
            out=out,
            report=report,
            cancel=cancel,
        )
        for table, comparison in found:
            say([f"Table {table}: {TITLES[table]}", *markdown_table(comparison).splitlines(), ""])
    say([f"written to {out}"])
