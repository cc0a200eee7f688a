"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

ROLES = "Roles (a series folder brings its own)"
EXTRA = "Further tables, one a release and in order"
READING = "How files are written"
OUTPUT = "Output"

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="SERIES | FILE...", help="A series folder, or the releases in order.", show_default=False
    ),
]
QuasiIdentifiers = Annotated[
    list[str] | None,
    typer.Option(
        "--qi",
        metavar="C[:KIND]",
        help="A quasi-identifier; kinds: numeric[=FILE of intervals], ordinal[=a,b,c], nominal[=FILE of a hierarchy].",
        rich_help_panel=ROLES,
    ),
]
Sensitive = Annotated[
    str | None, typer.Option("--sensitive", metavar="C", help="The sensitive column.", rich_help_panel=ROLES)
]
Person = Annotated[
    str | None, typer.Option("--id", metavar="C", help="The column of ids.", rich_help_panel=ROLES)
]
ClassId = Annotated[
    str | None,
    typer.Option(
        "--class",
        metavar="C",
        help="The column of class ids; without it equal cells make a class.",
        rich_help_panel=ROLES,
    ),
]
Counterfeit = Annotated[
    str | None,
    typer.Option(
        "--counterfeit", metavar="C", help="The column that marks counterfeits.", rich_help_panel=ROLES
    ),
]
Count = Annotated[
    str | None,
    typer.Option(
        "--count",
        metavar="C",
        help="The column that tells how many tuples a row stands for.",
        rich_help_panel=ROLES,
    ),
]
Tables = Annotated[
    list[Path] | None,
    typer.Option(
        "--table", metavar="FILE", help="An original table, to compare with.", rich_help_panel=EXTRA
    ),
]
Links = Annotated[
    list[Path] | None,
    typer.Option(
        "--link",
        metavar="FILE",
        help="Ids in a file: the id, and row (from 1) or the class.",
        rich_help_panel=EXTRA,
    ),
]
SensitiveTables = Annotated[
    list[Path] | None,
    typer.Option(
        "--anatomy", metavar="FILE", help="The second table of an anatomy-style pair.", rich_help_panel=EXTRA
    ),
]
CounterfeitCounts = Annotated[
    list[Path] | None,
    typer.Option(
        "--counterfeit-counts",
        metavar="FILE",
        help="Published counts: the class and count.",
        rich_help_panel=EXTRA,
    ),
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", help="Of CSV files; utf-8 by default.", rich_help_panel=READING)
]
Delimiter = Annotated[
    str | None, typer.Option("--delimiter", help="Of CSV files; a comma by default.", rich_help_panel=READING)
]
MissingCodes = Annotated[
    list[str] | None,
    typer.Option(
        "--missing-code",
        metavar="TEXT",
        help="A text that stands for a missing value.",
        rich_help_panel=READING,
    ),
]
MissingIsValue = Annotated[
    bool,
    typer.Option(
        "--missing-is-value",
        help="A missing, empty or suppressed sensitive value is a value like any other; else it protects nobody.",
        rich_help_panel=READING,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Roles and options; minv-verify.toml beside the work by default.",
        rich_help_panel=READING,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output.", rich_help_panel=OUTPUT)
]
ShowValues = Annotated[
    bool,
    typer.Option(
        "--show-values", help="Show ids, sensitive values and cells in the findings.", rich_help_panel=OUTPUT
    ),
]
PublicOnly = Annotated[bool, typer.Option("--public-only", help="Leave the private part of a series aside.")]
