"""The options that several commands share, each with its one help text."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minv.errors import UsageError

_TABLE = "Table"
_ROLES = "Columns"
_EFFORT = "Effort"
_OUTPUT = "Output"


class MethodName(StrEnum):
    """Ways to make a partition."""

    CLASSIC = "classic"
    RANDOM_BUCKET = "random-bucket"
    TAU = "tau"
    TWO_SWAP = "two-swap"
    PAPER = "paper"
    OPTIMISE = "optimise"


class SolverName(StrEnum):
    """Solvers of linear and integer programs."""

    AUTO = "auto"
    HIGHS = "highs"
    CPLEX = "cplex"


TableArgument = Annotated[
    Path,
    typer.Argument(metavar="TABLE", help="CSV (also gzip-compressed) or Parquet file.", show_default=False),
]
Encoding = Annotated[str, typer.Option("--encoding", help="Encoding of a CSV file.", rich_help_panel=_TABLE)]
Delimiter = Annotated[
    str, typer.Option("--delimiter", help="Delimiter of a CSV file.", rich_help_panel=_TABLE)
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="[COLUMN=]POLICY",
        help="What missing values mean: error (default), category or drop; for all columns or one.",
        rich_help_panel=_TABLE,
    ),
]
MissingCode = Annotated[
    list[str] | None,
    typer.Option(
        "--missing-code",
        metavar="[COLUMN=]TEXT",
        help="A text that stands for a missing value, such as '?' or -9.",
        rich_help_panel=_TABLE,
    ),
]
QuasiIdentifiers = Annotated[
    list[str] | None,
    typer.Option(
        "--qi",
        metavar="COLUMN[:KIND[=FILE]]",
        help="A quasi-identifier: numeric (default; FILE, for kanon only: intervals), ordinal (FILE: one value a line, "
        "ascending) or nominal (FILE: a hierarchy).",
        rich_help_panel=_ROLES,
    ),
]
Sensitive = Annotated[
    str | None,
    typer.Option("--sensitive", metavar="COLUMN", help="The column to protect.", rich_help_panel=_ROLES),
]
Id = Annotated[
    str | None,
    typer.Option(
        "--id", metavar="COLUMN", help="The column that tells persons apart.", rich_help_panel=_ROLES
    ),
]
Weights = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="COLUMN=NUMBER",
        help="Factor of the squared distances of a quasi-identifier.",
        rich_help_panel=_ROLES,
    ),
]
LeastSize = Annotated[
    int | None,
    typer.Option(
        "--m", help="Least number of different sensitive values in a class.", rich_help_panel=_ROLES
    ),
]
MaxClassSize = Annotated[
    int | None,
    typer.Option("--max-class-size", help="Largest class of new persons, m..2m-1.", rich_help_panel=_ROLES),
]
Method = Annotated[MethodName, typer.Option("--method", help="How to partition.", rich_help_panel=_EFFORT)]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit", metavar="SECONDS", min=0, help="Wall seconds of the command.", rich_help_panel=_EFFORT
    ),
]
Gap = Annotated[
    float | None,
    typer.Option(
        "--gap",
        min=0,
        max=1,
        help="Relative gap between loss and bound at which to stop; exit code 6 if it is not reached.",
        rich_help_panel=_EFFORT,
    ),
]
WorkUnits = Annotated[
    int | None,
    typer.Option(
        "--effort",
        metavar="UNITS",
        min=0,
        help="Deterministic work units instead of a clock.",
        rich_help_panel=_EFFORT,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Processes; by default one a core.", rich_help_panel=_EFFORT),
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of every random choice.", rich_help_panel=_EFFORT)
]
Solver = Annotated[
    SolverName,
    typer.Option(
        "--solver",
        help="Solver of linear and integer programs; auto is highs. cplex needs the extra of this name.",
        rich_help_panel=_EFFORT,
    ),
]
SolverLog = Annotated[
    Path | None,
    typer.Option(
        "--solver-log",
        metavar="FILE",
        help="Write what the solver says of its programs. Keep it secret: it tells the loss.",
        rich_help_panel=_EFFORT,
    ),
]
Pricing = Annotated[
    str,
    typer.Option(
        "--pricing",
        help="Of the method paper and of later releases: box, or with CPLEX miqp or milp. By default box, but milp for "
        "paper with CPLEX.",
        rich_help_panel=_EFFORT,
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object to stdout.", rich_help_panel=_OUTPUT)
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print errors only.", rich_help_panel=_OUTPUT)]
ShowValues = Annotated[
    bool,
    typer.Option(
        "--show-values", help="Let messages quote raw values of the table.", rich_help_panel=_OUTPUT
    ),
]


def parse_weights(texts: list[str] | None) -> dict[str, float]:
    """Read `COLUMN=NUMBER` options.

    Raises
    ------
    UsageError
        No column, or no number.
    """
    weights: dict[str, float] = {}
    for text in texts or ():
        column, _, number = text.rpartition("=")
        try:
            weights[column] = float(number)
        except ValueError:
            column = ""
        if not column:
            raise UsageError(f"--weight {text}: write COLUMN=NUMBER")
    return weights


def need(value: str | int | list[str] | None, option: str) -> None:
    """Refuse a command without an option that it needs.

    Raises
    ------
    UsageError
        Naming the option.
    """
    if value in (None, [], ""):
        raise UsageError(f"the option {option} is missing")
