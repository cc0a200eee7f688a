"""The command `minv-datasets`: writes one of the tables as a CSV file."""

import os
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from minv_datasets.catalogue import TABLES
from minv_datasets.cli.guard import errors_as_exit_codes
from minv_datasets.errors import UsageError
from minv_datasets.identifiers import with_ids
from minv_datasets.tables import write_table

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minv-datasets {version('minv-datasets')}")
        raise typer.Exit


@app.command()
def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(TABLES)}.")],
    out: Annotated[Path, typer.Option(metavar="F", help="The CSV file to write.")],
    make_id: Annotated[
        str | None, typer.Option(metavar="C", help="Add an id column of this name: row numbers from 1.")
    ] = None,
    rows: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N rows.")] = None,
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Write a table as CSV: UTF-8, comma, header."""
    with errors_as_exit_codes("minv-datasets"):
        if name not in TABLES:
            raise UsageError(f"no table of that name; there are {', '.join(TABLES)}")
        frame = TABLES[name]().iloc[:rows]
        try:
            write_whole(frame if make_id is None else with_ids(frame, make_id), out)
        except OSError as error:
            raise UsageError(f"{out} cannot be written: {error.strerror or error}") from error
        typer.echo(out)


def write_whole(frame: pd.DataFrame, path: Path) -> None:
    """Write a CSV file beside its place and rename it there: never half a file."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write_table(frame, draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
