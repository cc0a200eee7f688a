"""`minv-verify attack`."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from minv_verifiers.api import read
from minv_verifiers.attacks.attacker import Knowledge, attack
from minv_verifiers.attacks.report import attack_object, print_attack
from minv_verifiers.cells.number import parse_number
from minv_verifiers.cli import options as common
from minv_verifiers.cli.configuration import CommandLine, options
from minv_verifiers.errors import InputError
from minv_verifiers.reading.packages import is_series
from minv_verifiers.reading.tables import Table, read_table
from minv_verifiers.wording import counted

KNOWS = "What the attacker knows"


def attack_command(
    inputs: common.Inputs,
    level: Annotated[
        list[int] | None,
        typer.Option(
            "--level", min=0, max=6, help="Levels to run; 0 and 1 by default.", rich_help_panel=KNOWS
        ),
    ] = None,
    release: Annotated[
        list[int] | None,
        typer.Option(
            "--release", metavar="N", help="A release that the attacker has; all.", rich_help_panel=KNOWS
        ),
    ] = None,
    others: Annotated[
        int,
        typer.Option(
            "--others", min=0, help="Level 3: people whose values are known.", rich_help_panel=KNOWS
        ),
    ] = 1,
    persistent: Annotated[
        list[str] | None,
        typer.Option(
            "--persistent", metavar="VALUE", help="Level 4: a value that lasts.", rich_help_panel=KNOWS
        ),
    ] = None,
    transitions: Annotated[
        Path | None,
        typer.Option(
            "--transitions", metavar="FILE", help="Level 4: a CSV matrix, rows before.", rich_help_panel=KNOWS
        ),
    ] = None,
    histogram: Annotated[
        list[Path] | None,
        typer.Option(
            "--histogram", metavar="FILE", help="Level 5: value,count a release.", rich_help_panel=KNOWS
        ),
    ] = None,
    qi: common.QuasiIdentifiers = None,
    sensitive: common.Sensitive = None,
    person: common.Person = None,
    class_id: common.ClassId = None,
    counterfeit: common.Counterfeit = None,
    count: common.Count = None,
    m: Annotated[int | None, typer.Option("--m", min=1, help="What is claimed: at most 1/m.")] = None,
    table: common.Tables = None,
    link: common.Links = None,
    anatomy: common.SensitiveTables = None,
    counterfeit_counts: common.CounterfeitCounts = None,
    encoding: common.Encoding = None,
    delimiter: common.Delimiter = None,
    missing_code: common.MissingCodes = None,
    missing_is_value: common.MissingIsValue = False,
    config: common.Config = None,
    as_json: common.AsJson = False,
    show_values: common.ShowValues = False,
) -> None:
    """Infer what an attacker can: candidates and confidence for everybody, by level of knowledge.

    Levels: 0 one target's classes; 1 everybody's; 2 absences; 3 others' values; 4 lasting values; 5 true
    histograms; 6 the publisher's objective, on small tables. Exit code 1 where level 0 or 1 exceeds 1/m.
    """
    given: dict[str, Any] = {
        "qi": qi,
        "sensitive": sensitive,
        "id": person,
        "class": class_id,
        "counterfeit": counterfeit,
        "count": count,
        "m": m,
        "encoding": encoding,
        "delimiter": delimiter,
        "missing-codes": missing_code,
        "missing-is-value": missing_is_value or None,
    }
    line = CommandLine(
        given=given,
        tables=table or (),
        links=link or (),
        sensitive_tables=anatomy or (),
        counterfeit_counts=counterfeit_counts or (),
    )
    series = len(inputs) == 1 and is_series(Path(inputs[0]))
    evidence = read(inputs, **options(line, config, series=series))
    knowledge = Knowledge(
        levels=tuple(level or (0, 1)),
        releases=tuple(release or ()),
        others=others,
        persistent=tuple(persistent or ()),
        transitions=_matrix(read_table(transitions)) if transitions is not None else None,
        histograms=[_histogram(read_table(path)) for path in histogram] if histogram else None,
    )
    report = attack(evidence, knowledge)
    print_attack(report, Console(stderr=True), show_values=show_values)
    if as_json:
        typer.echo(json.dumps(attack_object(report, show_values=show_values)))
    raise typer.Exit(report.exit_code)


def _numbers(table: Table, name: str) -> list[float]:
    numbers = [parse_number(text or "") for text in table.column(name).to_pylist()]
    wrong = sum(number is None for number in numbers)
    if wrong:
        raise InputError(
            f"{table.name}: column {name}: {counted(wrong, 'value is no number', 'values are no numbers')}"
        )
    return [number or 0.0 for number in numbers]


def _matrix(table: Table) -> dict[str, dict[str, float]]:
    """Read a matrix: the first column names the value before, the header those after."""
    first, *after = table.columns
    before = [text or "" for text in table.column(first).to_pylist()]
    columns = {name: _numbers(table, name) for name in after}
    return {value: {name: columns[name][row] for name in after} for row, value in enumerate(before)}


def _histogram(table: Table) -> dict[str, int]:
    """Read the columns `value` and `count`."""
    values = [text or "" for text in table.column("value").to_pylist()]
    return {value: int(count) for value, count in zip(values, _numbers(table, "count"), strict=True)}
