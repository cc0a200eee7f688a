"""The command `minv-simulate`: parses its arguments and prints; no logic."""

import json
from contextlib import closing
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from minv_datasets.cli.guard import errors_as_exit_codes
from minv_datasets.errors import UsageError
from minv_datasets.identifiers import with_ids
from minv_datasets.simulation import Dynamicity, Scenario, simulate_releases
from minv_datasets.simulation.dynamicity import rates_at
from minv_datasets.simulation.folder import file_name, write_releases
from minv_datasets.simulation.plan import Step
from minv_datasets.tables import read_text_table, whole_numbers
from minv_datasets.wording import counted

SCHEMA_VERSION = 1

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minv-simulate {version('minv-datasets')}")
        raise typer.Exit


@app.command()
def run(
    table: Annotated[
        Path,
        typer.Argument(metavar="TABLE", help="CSV file, a row a person.", exists=True, dir_okay=False),
    ],
    id_column: Annotated[str, typer.Option("--id", metavar="C", help="Column that identifies a person.")],
    sensitive: Annotated[str, typer.Option(metavar="C", help="The sensitive column.")],
    releases: Annotated[int, typer.Option(metavar="N", min=1, help="Number of releases.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of all random choices.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="New or empty folder for the tables.")],
    rows: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Rows of the first release. Default: as many as possible."),
    ] = None,
    preset: Annotated[
        Dynamicity | None, typer.Option(help="What may happen at all, with customary rates.")
    ] = None,
    insert: Annotated[
        float | None, typer.Option(metavar="R", help="New persons, as a share of the rows.")
    ] = None,
    delete: Annotated[
        float | None, typer.Option(metavar="R", help="Persons who leave, as a share of the rows.")
    ] = None,
    reinsert: Annotated[
        float | None, typer.Option(metavar="R", help="Persons who return, as a share of the rows.")
    ] = None,
    update_qi: Annotated[
        float | None,
        typer.Option(metavar="R", help="Persons with a changed quasi-identifier, as a share of who stays."),
    ] = None,
    update_sensitive: Annotated[
        float | None,
        typer.Option(metavar="R", help="Persons with a changed sensitive value, as a share of who stays."),
    ] = None,
    update_column: Annotated[
        list[str] | None,
        typer.Option(metavar="C", help="Column that --update-qi may change (repeatable). Default: all."),
    ] = None,
    linked: Annotated[
        list[str] | None,
        typer.Option(metavar="C,C", help="Columns that change together (repeatable)."),
    ] = None,
    ageing: Annotated[
        list[str] | None,
        typer.Option(metavar="C:K", help="Column that grows by 1 every K releases (repeatable)."),
    ] = None,
    make_id: Annotated[
        bool, typer.Option("--make-id", help="Make the id column: the row numbers, 1 and up.")
    ] = False,
    events: Annotated[
        bool, typer.Option("--events", help="Also write events.csv: what happened to whom.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no progress on stderr.")] = False,
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Make successive releases of a changing table: persons come, go, return and change.

    Writes table-0001.csv, table-0002.csv and so on, with the columns of TABLE. Values stay the text they are.
    Rates are 0 unless given or part of the preset.
    """
    with errors_as_exit_codes("minv-simulate", as_json=as_json):
        growing = dict(_growing_column(text) for text in ageing or ())
        scenario = Scenario(
            id_column=id_column,
            sensitive=sensitive,
            releases=releases,
            rates=rates_at(
                preset,
                insert=insert,
                delete=delete,
                reinsert=reinsert,
                update_qi=update_qi,
                update_sensitive=update_sensitive,
                ageing=bool(growing),
            ),
            initial=rows,
            updatable=update_column,
            linked=[text.split(",") for text in linked or ()],
            ageing=growing,
        )
        frame = read_text_table(table)
        if make_id:
            frame = with_ids(frame, id_column)
        for column in frame.columns.intersection(list(growing)):
            frame[column] = whole_numbers(frame[column])
        steps = []
        with closing(write_releases(simulate_releases(frame, scenario, seed), out, events=events)) as written:
            for step in written:
                steps.append(step)
                if not quiet:
                    typer.echo(_sentence(step), err=True)
        _print_result(steps, out, seed, as_json)


def _growing_column(text: str) -> tuple[str, int]:
    column, _, period = text.rpartition(":")
    if not (column and period.isascii() and period.isdigit()):
        raise UsageError("--ageing takes a column and a number of releases, as in age:4")
    return column, int(period)


def _sentence(step: Step) -> str:
    numbers = asdict(step)
    release = numbers.pop("release")
    rows = counted(numbers.pop("rows"), "row")
    counts = (f"{count} {name.replace('_', ' ')}" for name, count in numbers.items())
    return f"release {release}: {', '.join([rows, *counts])}"


def _print_result(steps: list[Step], out: Path, seed: int, as_json: bool) -> None:
    """Print the paths of the tables, or one object with the numbers of each release."""
    if not as_json:
        for step in steps:
            typer.echo(out / file_name(step.release))
        return
    releases = [{"file": file_name(step.release)} | asdict(step) for step in steps]
    typer.echo(
        json.dumps(
            {"schema_version": SCHEMA_VERSION, "out": str(out), "seed": seed, "releases": releases}, indent=2
        )
    )
