"""`minv-verify certificate`."""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from minv_verifiers.certificate.checking import CertificateReport, check_certificate
from minv_verifiers.certificate.claim import read_claim
from minv_verifiers.cli import options as common
from minv_verifiers.reading.tables import TextFormat, read_table
from minv_verifiers.wording import counted

SCHEMA_VERSION = 1


def certificate_command(
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="The certificate.")],
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="The table that it is about.")],
    encoding: common.Encoding = None,
    delimiter: common.Delimiter = None,
    missing_code: common.MissingCodes = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0, metavar="SECONDS", help="For the pricing.")
    ] = math.inf,
    as_json: common.AsJson = False,
) -> None:
    """Check the proof of a bound: that no partition of the table loses less than the certificate claims.

    Exit codes: 0 accepted, 1 rejected, 2 usage, 3 bad data or not decided in time.
    """
    text_format = TextFormat(
        encoding=encoding or "utf-8", delimiter=delimiter or ",", missing_codes=tuple(missing_code or ())
    )
    claim = read_claim(certificate)
    report = check_certificate(claim, read_table(table, text_format), time_limit=time_limit)
    _print(report, Console(stderr=True))
    if as_json:
        typer.echo(json.dumps({"schema_version": SCHEMA_VERSION, **asdict(report)}))
    raise typer.Exit(report.exit_code)


def _print(report: CertificateReport, console: Console) -> None:
    for reason in report.reasons:
        console.print(Text(reason), soft_wrap=True)
    style = "bold green" if report.verdict == "accepted" else "bold red"
    text = f"{report.verdict.upper()}: a bound of {report.claimed_il:.6g} % IL is claimed for {report.scope}"
    if report.verdict == "accepted":
        text += f" and proved by {counted(report.boxes, 'box', 'boxes')} in {report.seconds:.1f} s"
    console.print(Text(text, style=style), soft_wrap=True)
