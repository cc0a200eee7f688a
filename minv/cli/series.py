"""`minv series`: what a series holds so far."""

from pathlib import Path
from typing import Annotated

import typer

from minv.cli import options
from minv.cli.output import say, say_json
from minv.cli.outputs import refuse_public_stdout


def series(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the series.", show_default=False)],
    json_output: options.Json = False,
) -> None:
    """List the releases of a series: counts, lifespans, signatures in use, storage."""
    if json_output:
        refuse_public_stdout()
    from minv.publish.figures import series_figures
    from minv.report.lines import describe_series
    from minv.series.layout import Layout
    from minv.series.overview import survey

    figures = series_figures(str(folder), survey(Layout(folder)))
    if json_output:
        say_json(figures)
    else:
        say(describe_series(figures))
