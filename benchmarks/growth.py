"""Where the engine's time goes, and how it grows: written as a page of the guide.

Run `python -m benchmarks.growth`; it takes about fifteen minutes on one core. Not an asv benchmark: it looks inside.
"""

import os
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.cases import ADULT, GENERATED, InstanceCase
from benchmarks.phases import Profile, profile

PAGE = Path(__file__).parents[1] / "docs" / "growth.md"

SERIES: dict[str, tuple[InstanceCase, ...]] = {
    "Points": tuple(
        InstanceCase(GENERATED, rows, 5) for rows in (300, 750, 1500, 3000, 6000, 15_000, 30_000, 50_000)
    ),
    "Coordinates": tuple(InstanceCase(ADULT, 500, 3, coordinates) for coordinates in range(1, 7)),
    "Colours": tuple(InstanceCase(GENERATED, 1000, 5, colours=colours) for colours in (10, 30, 100, 281)),
    "m": tuple(InstanceCase(GENERATED, 1000, m) for m in range(2, 11)),
}

COLUMNS = (
    "case", "distinct", "descent", "annealing", "neighbourhoods", "master", "pricing", "iterations", "gap left",
    "cuts", "IL", "bound",
)  # fmt: skip

HEAD = """# How the engine grows

Made by `{command}` in {minutes:.0f} minutes on one of {cores}, {date}.
All times are CPU seconds of one core, compilation excluded. The phases run one after the other here; in a run of
`minv partition` the bound is proved beside the rest.

| column | what |
|---|---|
| case | `dataset-rows-m`, with `d` coordinates (otherwise 3) and `c` colours where they vary |
| distinct | distinct points: the rows of the linear program |
| descent | fast two-swap from the sorted start |
| annealing | {moves} million moves, setting up included |
| neighbourhoods | {tasks} exact re-optimisations of {size} points |
| master, pricing | linear programs and exact pricing, until the bound is within 0.01 % or {seconds:g} s are over |
| iterations, gap left | of that, and how far the bound is from the relaxation's optimum at most |
| cuts | {rounds} rounds of cuts with their linear programs and pricing, {cut_seconds:g} s at most |
| IL, bound | loss and proved bound in percent after these short phases: not what a whole run reaches |

A dash: not done. Beyond {most:,} distinct points no bound is tried; cuts come only after a solved relaxation.

"""


def table(title: str, profiles: Iterable[Profile]) -> str:
    """Return one series as a Markdown table."""
    lines = [f"## {title}", "", f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for one in profiles:
        proof = one.relaxation
        cells = [
            str(one.case),
            str(one.distinct),
            f"{one.descent:.2f}",
            f"{one.annealing:.1f}",
            f"{one.neighbourhoods:.1f}",
            *(
                ["-"] * 4
                if proof is None
                else [
                    f"{proof.master:.1f}",
                    f"{proof.pricing:.1f}",
                    str(proof.iterations),
                    f"{100 * proof.gap:.3f} %",
                ]
            ),
            _cell(None if proof is None else proof.cuts, ".1f"),
            f"{one.il:.4g}",
            _cell(None if proof is None else proof.bound_il, ".4g"),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def chosen(most_rows: int | None) -> dict[str, tuple[InstanceCase, ...]]:
    """Return the series, their cases of more rows left out."""
    return {
        title: tuple(case for case in cases if most_rows is None or case.rows <= most_rows)
        for title, cases in SERIES.items()
    }


def main(
    seconds: Annotated[float, typer.Option(help="CPU seconds of each relaxation.")] = 60.0,
    cut_seconds: Annotated[float, typer.Option(help="CPU seconds of the cuts of each case.")] = 10.0,
    most_rows: Annotated[int | None, typer.Option(help="Leave out cases of more rows.")] = None,
    out: Annotated[Path, typer.Option(help="The page to write.")] = PAGE,
) -> None:
    """Measure every series and write the page."""
    from benchmarks import phases

    series = chosen(most_rows)
    for cases in series.values():
        for case in cases[:1]:
            profile(case, 2.0, 1.0)  # compile
    began = time.perf_counter()
    tables = []
    for title, cases in series.items():
        profiles = []
        for case in cases:
            profiles.append(profile(case, seconds, cut_seconds))
            typer.echo(f"{case}: {time.perf_counter() - began:.0f} s so far", err=True)
        tables.append(table(title, profiles))
    cores = os.cpu_count() or 1
    head = HEAD.format(
        command=" ".join(["python -m benchmarks.growth", *sys.argv[1:]]),
        minutes=(time.perf_counter() - began) / 60,
        cores="one core" if cores == 1 else f"{cores} cores",
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        seconds=seconds,
        cut_seconds=cut_seconds,
        rounds=phases.CUT_ROUNDS,
        moves=phases.MILLION_MOVES,
        tasks=phases.TASKS,
        size=phases.SIZE,
        most=phases.MOST_ROWS,
    )
    out.write_text(head + "\n\n".join(tables) + "\n", encoding="utf-8")
    typer.echo(f"written to {out}")


if __name__ == "__main__":
    typer.run(main)
