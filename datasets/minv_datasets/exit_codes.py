"""Errors become one line on stderr and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from minv_datasets.errors import DatasetError

INTERRUPTED = 130


@contextmanager
def errors_as_exit_codes(program: str) -> Iterator[None]:
    """End `program` with the exit code of an error that the user can mend, or with 130 when interrupted."""
    try:
        yield
    except DatasetError as error:
        typer.echo(f"{program}: {error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        typer.echo(f"{program}: interrupted, nothing was written", err=True)
        raise typer.Exit(INTERRUPTED) from None
