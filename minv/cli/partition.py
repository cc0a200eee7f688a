"""`minv partition`: one partition of a table, no series."""

from pathlib import Path
from typing import Annotated

import typer

from minv.cli import options
from minv.cli.interrupts import cancel_on_interrupt
from minv.cli.output import say, say_json, tell_choice, tell_gap, warn
from minv.cli.outputs import check_outputs, files_of_columns, refuse_public, refuse_public_stdout
from minv.cli.progress import live_progress

INTERRUPTED = 130
GAP_EXCEEDED = 6


def partition(
    table: options.TableArgument,
    qi: options.QuasiIdentifiers = None,
    sensitive: options.Sensitive = None,
    m: options.LeastSize = None,
    method: options.Method = options.MethodName.OPTIMISE,
    subsets: Annotated[
        int, typer.Option("--subsets", min=1, help="Number of subsets to divide the rows into.")
    ] = 1,
    start: Annotated[str, typer.Option("--start", help="Method of the first partition.")] = "tau",
    swap_first: Annotated[
        bool, typer.Option("--swap-first/--no-swap-first", help="Improve the first partition by two-swap.")
    ] = True,
    pricing: options.Pricing = "auto",
    max_class_size: options.MaxClassSize = None,
    weight: options.Weights = None,
    missing: options.Missing = None,
    missing_code: options.MissingCode = None,
    encoding: options.Encoding = "utf-8",
    delimiter: options.Delimiter = ",",
    time_limit: options.TimeLimit = None,
    gap: options.Gap = None,
    effort: options.WorkUnits = None,
    workers: options.Workers = None,
    seed: options.Seed = 0,
    solver: options.Solver = options.SolverName.AUTO,
    solver_log: options.SolverLog = None,
    labels_out: Annotated[
        Path | None, typer.Option("--labels-out", help="Write the class of each row (CSV: row,class).")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write what is needed to check the bound again.")
    ] = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
    show_values: options.ShowValues = False,
) -> None:
    """Partition a table into m-unique classes of least information loss, and prove a bound."""
    for value, name in ((qi, "--qi"), (sensitive, "--sensitive"), (m, "--m")):
        options.need(value, name)
    refuse_public(labels_out, certificate, solver_log)
    check_outputs((labels_out, certificate, solver_log), (table, *files_of_columns(qi)))
    if json_output:
        refuse_public_stdout()
    from minv.publish.engine import Budget
    from minv.publish.figures import partition_figures, table_figures
    from minv.publish.labels import write_labels
    from minv.publish.tables import Route, partition_table, write_certificate
    from minv.report.lines import describe_partition, describe_table
    from minv.tables.missing import parse_missing
    from minv.tables.opening import open_table
    from minv.tables.roles import Roles, quasi_identifiers

    assert sensitive is not None
    assert m is not None
    roles = Roles(quasi_identifiers(qi or (), options.parse_weights(weight)), sensitive)
    rules = parse_missing(missing or (), missing_code or (), roles.columns)
    with cancel_on_interrupt() as cancel, live_progress(quiet=quiet) as progress:
        found = partition_table(
            open_table(table, encoding=encoding, delimiter=delimiter),
            roles,
            m,
            missing=rules,
            max_class_size=max_class_size,
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
            route=Route(subsets, start, swap_first, certified=certificate is not None),
        )
    if labels_out is not None:
        write_labels(labels_out, found.microdata, found.partition.labels)
    warn(found.microdata.warnings, quiet=quiet)
    tell_choice(solver, found.partition.solver, quiet=quiet)
    figures = partition_figures(found.partition, seed=seed) | table_figures(found.microdata, roles, rules)
    if not (json_output or quiet):
        say([*describe_partition(figures), *describe_table(figures)])
    if certificate is not None and cancel.cancelled and found.partition.certificate is None:
        warn(["no bound was proved, so there is no certificate"], quiet=quiet)
    elif certificate is not None:  # last: labels and figures are of use without it
        write_certificate(certificate, found)
    if json_output:
        say_json(figures)
    if cancel.cancelled:
        raise typer.Exit(INTERRUPTED)
    if tell_gap(found.partition.gap, gap, quiet=quiet):
        raise typer.Exit(GAP_EXCEEDED)
