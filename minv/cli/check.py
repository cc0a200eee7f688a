"""`minv check`: whether a table can be published; solves nothing."""

from pathlib import Path
from typing import Annotated

import typer

from minv.cli import options
from minv.cli.guard import error_document, note_error
from minv.cli.output import say, say_json, warn
from minv.cli.outputs import refuse_public_stdout


def check(
    table: options.TableArgument,
    qi: options.QuasiIdentifiers = None,
    sensitive: options.Sensitive = None,
    id: options.Id = None,  # noqa: A002
    m: options.LeastSize = None,
    series: Annotated[
        Path | None, typer.Option("--series", metavar="DIR", help="Take the roles and m from this series.")
    ] = None,
    max_class_size: options.MaxClassSize = None,
    missing: options.Missing = None,
    missing_code: options.MissingCode = None,
    encoding: options.Encoding = "utf-8",
    delimiter: options.Delimiter = ",",
    json_output: options.Json = False,
    quiet: options.Quiet = False,
    show_values: options.ShowValues = False,
) -> None:
    """Check roles, missing values and m-eligibility of a table; write nothing."""
    if json_output:
        refuse_public_stdout()
    from minv.publish.checking import check_for_series, check_table_alone
    from minv.publish.terms import Terms
    from minv.report.lines import describe_check
    from minv.tables.opening import open_table

    source = open_table(table, encoding=encoding, delimiter=delimiter)
    terms = Terms(
        id=id,
        quasi_identifiers=qi or None,
        sensitive=sensitive,
        m=m,
        missing=missing or None,
        missing_codes=missing_code or None,
        max_class_size=max_class_size,
    )
    checked = check_table_alone(source, terms) if series is None else check_for_series(source, series, terms)
    warn(checked.warnings, quiet=quiet)
    fault = checked.fault
    if json_output:
        say_json(checked.figures if fault is None else {**checked.figures, **error_document(fault)})
    elif not quiet:
        say(describe_check(checked.figures))
    if fault is not None:
        note_error(fault, show_values=show_values)
        raise typer.Exit(fault.exit_code)
