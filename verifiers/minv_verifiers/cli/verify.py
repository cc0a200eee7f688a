"""`minv-verify SERIES` and `minv-verify FILE ...`."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from minv_verifiers.api import verify
from minv_verifiers.cli import options as common
from minv_verifiers.cli.configuration import CommandLine, options
from minv_verifiers.cli.targets import check_targets, write
from minv_verifiers.model import Model
from minv_verifiers.reading.packages import is_series
from minv_verifiers.report.as_html import html_page
from minv_verifiers.report.as_json import report_object
from minv_verifiers.report.as_junit import junit_xml
from minv_verifiers.report.as_text import print_report

CLAIM = "Claim (a series folder states its own)"


def verify_command(
    inputs: common.Inputs,
    qi: common.QuasiIdentifiers = None,
    sensitive: common.Sensitive = None,
    person: common.Person = None,
    class_id: common.ClassId = None,
    counterfeit: common.Counterfeit = None,
    count: common.Count = None,
    m: Annotated[
        int | None, typer.Option("--m", min=1, help="m, or k with k-anonymous.", rich_help_panel=CLAIM)
    ] = None,
    model: Annotated[
        Model | None,
        typer.Option(
            "--model",
            help="Default: tau-safe with ids and several releases, else m-unique.",
            rich_help_panel=CLAIM,
        ),
    ] = None,
    l_distinct: Annotated[
        int | None, typer.Option("--l", min=1, help="Least distinct l-diversity.", rich_help_panel=CLAIM)
    ] = None,
    l_entropy: Annotated[
        float | None,
        typer.Option("--entropy-l", min=1, help="Least entropy l-diversity.", rich_help_panel=CLAIM),
    ] = None,
    claimed_il: Annotated[
        list[float] | None,
        typer.Option(
            "--claimed-il", help="IL in percent, for each release; needs --table.", rich_help_panel=CLAIM
        ),
    ] = None,
    claimed_ncp: Annotated[
        list[float] | None,
        typer.Option(
            "--claimed-ncp", help="NCP in [0, 1], for each release; needs --table.", rich_help_panel=CLAIM
        ),
    ] = None,
    table: common.Tables = None,
    link: common.Links = None,
    anatomy: common.SensitiveTables = None,
    counterfeit_counts: common.CounterfeitCounts = None,
    encoding: common.Encoding = None,
    delimiter: common.Delimiter = None,
    missing_code: common.MissingCodes = None,
    missing_is_value: common.MissingIsValue = False,
    config: common.Config = None,
    public_only: common.PublicOnly = False,
    as_json: common.AsJson = False,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Write JUnit XML.", rich_help_panel=common.OUTPUT),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write one HTML file.", rich_help_panel=common.OUTPUT),
    ] = None,
    show_values: common.ShowValues = False,
) -> None:
    """Judge a series folder, or the releases of anybody in the order given."""
    given: dict[str, Any] = {
        "qi": qi,
        "sensitive": sensitive,
        "id": person,
        "class": class_id,
        "counterfeit": counterfeit,
        "count": count,
        "m": m,
        "model": model,
        "l": l_distinct,
        "entropy-l": l_entropy,
        "encoding": encoding,
        "delimiter": delimiter,
        "missing-codes": missing_code,
        "missing-is-value": missing_is_value or None,
    }
    line = CommandLine(
        given=given,
        claimed_il=claimed_il or (),
        claimed_ncp=claimed_ncp or (),
        tables=table or (),
        links=link or (),
        sensitive_tables=anatomy or (),
        counterfeit_counts=counterfeit_counts or (),
        public_only=public_only,
    )
    series = len(inputs) == 1 and is_series(Path(inputs[0]))
    check_targets(
        (junit, html), [*inputs, *(table or ()), *(link or ()), *(anatomy or ()), *(counterfeit_counts or ())]
    )
    report = verify(inputs, **options(line, config, series=series))
    print_report(report, Console(stderr=True), show_values=show_values)
    if junit is not None:
        write(junit, junit_xml(report, show_values=show_values))
    if html is not None:
        write(html, html_page(report, show_values=show_values))
    if as_json:  # last, so that a report that cannot be written leaves one object alone: the error
        typer.echo(json.dumps(report_object(report, show_values=show_values)))
    raise typer.Exit(report.exit_code)
