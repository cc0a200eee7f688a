"""The cells of the paper's Tables 4-8 (papers/README.md has the source and the meaning of the columns)."""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

TABLES = (4, 5, 6, 7, 8)


class Cell(NamedTuple):
    """One printed result: wall seconds of a step (None where not printed) and IL in percent after it.

    `subsets` is None where the step does not depend on the number of subsets.
    """

    table: int
    dataset: str
    m: int
    subsets: int | None
    step: str
    seconds: float | None
    il: float


@cache
def published_cells(table: int) -> tuple[Cell, ...]:
    """Return the cells of one table in the order of print.

    Parameters
    ----------
    table
        4, 5, 6, 7 or 8.
    """
    text = files("minv.reproduce").joinpath("papers/m-invariance.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(_cell(row) for row in rows if int(row["table"]) == table)


def _cell(row: dict[str, str]) -> Cell:
    return Cell(
        table=int(row["table"]),
        dataset=row["dataset"],
        m=int(row["m"]),
        subsets=int(row["subsets"]) if row["subsets"] else None,
        step=row["step"],
        seconds=float(row["seconds"]) if row["seconds"] else None,
        il=float(row["il"]),
    )
