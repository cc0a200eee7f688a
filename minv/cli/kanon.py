"""`minv kanon`: one k-anonymous table by clustering."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minv.cli import options
from minv.cli.interrupts import cancel_on_interrupt
from minv.cli.output import say, say_json, tell_choice, tell_gap, warn
from minv.cli.outputs import check_outputs, files_of_columns, refuse_public, refuse_public_stdout
from minv.cli.partition import GAP_EXCEEDED, INTERRUPTED
from minv.cli.progress import live_progress
from minv.errors import CancelledError

_ANONYMITY = "Anonymity"


class KanonMethod(StrEnum):
    """Ways to make classes of at least k rows."""

    COAA = "coaa"
    KACA = "kaca"
    GAA_CP = "gaa-cp"
    MDAV = "mdav"
    V_MDAV = "v-mdav"
    OPTIMISE = "optimise"


class ObjectiveName(StrEnum):
    """Losses that `optimise` can minimise."""

    SSE = "sse"
    NCP = "ncp"


def kanon(
    table: options.TableArgument,
    qi: options.QuasiIdentifiers = None,
    k: Annotated[
        int | None, typer.Option("--k", help="Least size of a class.", rich_help_panel=_ANONYMITY)
    ] = None,
    sensitive: Annotated[
        str | None,
        typer.Option(
            "--sensitive",
            metavar="COLUMN",
            help="A column to publish as it is; its l-diversity is told.",
            rich_help_panel=_ANONYMITY,
        ),
    ] = None,
    id: options.Id = None,  # noqa: A002
    method: Annotated[
        KanonMethod, typer.Option("--method", help="How to make the classes.", rich_help_panel=_ANONYMITY)
    ] = KanonMethod.OPTIMISE,
    objective: Annotated[
        ObjectiveName | None,
        typer.Option(
            "--objective",
            help="What optimise minimises; by default ncp where a quasi-identifier is nominal or has intervals, "
            "else sse.",
            rich_help_panel=_ANONYMITY,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the generalised table (.csv or .parquet)."),
    ] = None,
    labels_out: Annotated[
        Path | None, typer.Option("--labels-out", help="Write the class of each row (CSV: row,class).")
    ] = None,
    link_out: Annotated[
        Path | None,
        typer.Option(
            "--link-out",
            metavar="FILE",
            help="Write who stands in which row of --out (CSV: id column, row, class); needs --id. Keep it secret.",
        ),
    ] = None,
    missing: options.Missing = None,
    missing_code: options.MissingCode = None,
    encoding: options.Encoding = "utf-8",
    delimiter: options.Delimiter = ",",
    time_limit: options.TimeLimit = None,
    gap: options.Gap = None,
    effort: options.WorkUnits = None,
    seed: options.Seed = 0,
    solver: options.Solver = options.SolverName.AUTO,
    solver_log: options.SolverLog = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
    show_values: options.ShowValues = False,
) -> None:
    """Generalise a table so that every row has at least k-1 others like it, at little loss."""
    for value, name in ((qi, "--qi"), (k, "--k")):
        options.need(value, name)
    if link_out is not None:
        options.need(id, "--id")
    refuse_public(labels_out, link_out, solver_log)
    check_outputs((out, labels_out, link_out, solver_log), (table, *files_of_columns(qi)))
    if json_output:
        refuse_public_stdout()
    from minv.publish.engine import Budget
    from minv.publish.kanon import anonymise
    from minv.publish.kanon_figures import kanon_figures
    from minv.publish.kanon_table import check_names, publish_table, write_links, write_table
    from minv.publish.labels import write_labels
    from minv.report.kanon_lines import describe_kanon
    from minv.tables.missing import parse_missing
    from minv.tables.opening import open_table
    from minv.tables.roles import NO_COLUMN, Roles, quasi_identifiers

    assert k is not None
    roles = Roles(quasi_identifiers(qi or ()), sensitive or NO_COLUMN, id)
    check_names(roles)
    rules = parse_missing(missing or (), missing_code or (), roles.columns)
    with cancel_on_interrupt() as cancel, live_progress(quiet=quiet) as progress:
        found = anonymise(
            open_table(table, encoding=encoding, delimiter=delimiter),
            roles,
            k,
            objective=None if objective is None else objective.value,
            missing=rules,
            budget=Budget(
                method=method.value,
                time_limit=time_limit,
                gap=gap or 0.0,
                effort=effort,
                seed=seed,
                solver=solver,
                solver_log=solver_log,
                progress=progress,
                cancel=cancel,
            ),
        )
    written = (out, labels_out, link_out)
    if cancel.cancelled and any(path is not None for path in written):
        raise CancelledError("interrupted; nothing was written")
    published = publish_table(found)
    if labels_out is not None:
        write_labels(labels_out, found.microdata, found.labels)
    if link_out is not None:
        write_links(link_out, str(id), found, published)
    if out is not None:  # last: what may be given away is there only if all the rest is
        write_table(out, published)
    warn((*found.microdata.warnings, *found.warnings), quiet=quiet)
    tell_choice(solver, found.solver, quiet=quiet)
    figures = kanon_figures(found, roles, rules)
    if json_output:
        say_json(figures)
    elif not quiet:
        say(describe_kanon(figures))
    if cancel.cancelled:
        raise typer.Exit(INTERRUPTED)
    if tell_gap(found.gap, gap, quiet=quiet):
        raise typer.Exit(GAP_EXCEEDED)
