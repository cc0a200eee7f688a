"""`minv publish`: the next release of a series."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minv.cli import options
from minv.cli.interrupts import cancel_on_interrupt
from minv.cli.output import say, say_json, tell_choice, tell_gap, warn
from minv.cli.outputs import check_outputs, files_of_columns, refuse_public, refuse_public_stdout
from minv.cli.partition import GAP_EXCEEDED
from minv.cli.progress import live_progress

_SERIES = "Series"


class CounterfeitsName(StrEnum):
    """When counterfeits may be made."""

    BALANCE = "balance"
    ELIGIBILITY = "eligibility"
    FORBID = "forbid"


def publish(
    table: options.TableArgument,
    series: Annotated[
        Path, typer.Option("--series", metavar="DIR", help="Folder of the series.", show_default=False)
    ],
    id: options.Id = None,  # noqa: A002
    qi: options.QuasiIdentifiers = None,
    sensitive: options.Sensitive = None,
    m: options.LeastSize = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help="tau-safe (default) or m-invariant.", rich_help_panel=_SERIES),
    ] = None,
    on_update: Annotated[
        str | None,
        typer.Option(
            "--on-update",
            help="Persons whose value leaves their signature: suppress (default) or disjoint.",
            rich_help_panel=_SERIES,
        ),
    ] = None,
    counterfeits: Annotated[
        CounterfeitsName,
        typer.Option("--counterfeits", help="When counterfeits may be made.", rich_help_panel=_SERIES),
    ] = CounterfeitsName.BALANCE,
    counterfeit_price: Annotated[
        float | None,
        typer.Option(
            "--counterfeit-price",
            min=0,
            help="Squared distance that a counterfeit is worth; by default their number comes first.",
            rich_help_panel=_SERIES,
        ),
    ] = None,
    deletions: Annotated[
        int,
        typer.Option("--deletions", min=0, help="New persons that may be left out.", rich_help_panel=_SERIES),
    ] = 0,
    max_class_size: options.MaxClassSize = None,
    weight: options.Weights = None,
    other: Annotated[
        list[str] | None,
        typer.Option(
            "--other",
            metavar="COLUMN",
            help="A column to publish unchanged; it must be constant within every class.",
            rich_help_panel=_SERIES,
        ),
    ] = None,
    domain: Annotated[
        Path | None,
        typer.Option(
            "--domain",
            help="File with all sensitive values that can occur, one a line.",
            rich_help_panel=_SERIES,
        ),
    ] = None,
    release_format: Annotated[
        str | None, typer.Option("--format", help="parquet (default) or csv.", rich_help_panel=_SERIES)
    ] = None,
    publish_quality: Annotated[
        bool,
        typer.Option(
            "--publish-quality",
            help="Tell the loss, to two digits, in the manifest.",
            rich_help_panel=_SERIES,
        ),
    ] = False,
    accept_schema_change: Annotated[
        bool,
        typer.Option(
            "--accept-schema-change",
            help="Accept columns that are new, missing or of another type than in the first release.",
            rich_help_panel=_SERIES,
        ),
    ] = False,
    compare_staged: Annotated[
        bool,
        typer.Option(
            "--compare-staged",
            help="Also tell what the published staged algorithms would have made of this release.",
            rich_help_panel=_SERIES,
        ),
    ] = False,
    missing: options.Missing = None,
    missing_code: options.MissingCode = None,
    encoding: options.Encoding = "utf-8",
    delimiter: options.Delimiter = ",",
    method: options.Method = options.MethodName.OPTIMISE,
    time_limit: options.TimeLimit = None,
    gap: options.Gap = None,
    effort: options.WorkUnits = None,
    workers: options.Workers = None,
    seed: options.Seed = 0,
    solver: options.Solver = options.SolverName.AUTO,
    solver_log: options.SolverLog = None,
    pricing: options.Pricing = "auto",
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write what is needed to check the bound again.")
    ] = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
    show_values: options.ShowValues = False,
) -> None:
    """Publish the next release of a series; the first one creates it and fixes its terms."""
    refuse_public(certificate, solver_log)
    check_outputs((certificate, solver_log), (table, *files_of_columns(qi), *([domain] if domain else [])))
    if json_output:
        refuse_public_stdout()
    from minv.publish.engine import Budget, Policy
    from minv.publish.series import open_or_create
    from minv.publish.terms import Terms
    from minv.report.lines import describe_release
    from minv.tables.levels import read_order

    terms = Terms(
        id=id,
        quasi_identifiers=qi or None,
        sensitive=sensitive,
        m=m,
        model=model,
        on_update=on_update,
        missing=missing or None,
        missing_codes=missing_code or None,
        weights=options.parse_weights(weight),
        other=other or None,
        domain=None if domain is None else read_order(domain),
        release_format=release_format,
        max_class_size=max_class_size,
    )
    with cancel_on_interrupt() as cancel, live_progress(quiet=quiet) as progress:
        release = open_or_create(series, terms).publish(
            table,
            budget=Budget(
                method=method.value,
                time_limit=time_limit,
                gap=gap or 0.0,
                effort=effort,
                workers=workers,
                seed=seed,
                solver=solver,
                solver_log=solver_log,
                pricing=pricing,
                progress=progress,
                cancel=cancel,
            ),
            policy=Policy(counterfeits.value, counterfeit_price, deletions),
            encoding=encoding,
            delimiter=delimiter,
            publish_quality=publish_quality,
            accept_schema_change=accept_schema_change,
            compare_staged=compare_staged,
            certificate=certificate,
        )
    warn(release.warnings, quiet=quiet)
    tell_choice(solver, release.partition.solver, quiet=quiet)
    if json_output:
        say_json(release.figures)
    elif not quiet:
        say(describe_release(release.figures, str(release.path)))
    if tell_gap(release.partition.gap, gap, quiet=quiet):
        raise typer.Exit(GAP_EXCEEDED)
