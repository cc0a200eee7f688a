"""Where the engine's time goes, and how it grows: written as a page of the guide.

Run `python -m benchmarks.growth`; it takes about ten minutes on one core. Not an asv benchmark: it looks inside.
"""

import os
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from benchmarks import instances
from benchmarks.cases import ADULT, GENERATED, InstanceCase
from minv.colgen.exact import open_generation
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch import first_improvement
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares
from minv.publish.engines import default_solvers
from minv.publish.partition import normalised
from minv.publish.portfolio import MOST_ROWS
from minv.stopping import Stop

PAGE = Path(__file__).parents[1] / "docs" / "growth.md"

SERIES: dict[str, tuple[InstanceCase, ...]] = {
    "Points": tuple(
        InstanceCase(GENERATED, rows, 5) for rows in (300, 750, 1500, 3000, 6000, 15_000, 30_000, 50_000)
    ),
    "Coordinates": tuple(InstanceCase(ADULT, 500, 3, coordinates) for coordinates in range(1, 7)),
    "Colours": tuple(InstanceCase(GENERATED, 1000, 5, colours=colours) for colours in (10, 30, 100, 281)),
    "m": tuple(InstanceCase(GENERATED, 1000, m) for m in range(2, 11)),
}


class Profile(NamedTuple):
    """Of one case: CPU seconds of the parts, and how far they came; the bound's are None beyond its limits."""

    case: InstanceCase
    rows: int
    descent: float
    il: float
    bound: float | None = None
    master: float | None = None
    pricing: float | None = None
    iterations: int | None = None
    gap: float | None = None


class _Clock:
    """Adds up the CPU seconds of what it wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def wrap(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, timed."""

        def timed(*arguments: Any, **options: Any) -> Any:
            began = time.process_time()
            try:
                return work(*arguments, **options)
            finally:
                self.seconds += time.process_time() - began

        return timed


def profile(case: InstanceCase, seconds: float) -> Profile:
    """Descend from the sorted start, then solve the linear relaxation within a time limit."""
    data = instances.load(case)
    instance = Instance(normalised(data.points), data.colours, case.m)
    began = time.process_time()
    start = sorted_start(instance.points, instance.colours, instance.m, max_size=instance.max_size)
    labels = first_improvement(instance.points, instance.colours, start)
    descent = time.process_time() - began
    il = information_loss(
        sum_of_squared_errors(instance.points, labels), total_sum_of_squares(instance.points)
    )
    rows = len(instance.rows.points)
    if rows > MOST_ROWS:
        return Profile(case, rows, descent, il)
    master, pricing = _Clock(), _Clock()
    began = time.process_time()
    generation = open_generation(instance, labels, default_solvers())
    parts: Any = generation
    parts.master.solve = master.wrap(parts.master.solve)
    parts._pricer.price = pricing.wrap(parts._pricer.price)
    stop = Stop(time_limit=seconds)
    while generation.step(stop):
        pass
    bound = time.process_time() - began
    return Profile(
        case, rows, descent, il, bound, master.seconds, pricing.seconds, generation.iterations, generation.gap
    )


def _cell(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def table(title: str, profiles: Iterable[Profile]) -> str:
    """Return one series as a Markdown table."""
    lines = [
        f"## {title}",
        "",
        "| case | rows | descent, s | IL | relaxation, s | master, s | pricing, s | iterations | gap to it |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for one in profiles:
        gap = "-" if one.gap is None else f"{100 * one.gap:.3f} %"
        iterations = "-" if one.iterations is None else str(one.iterations)
        lines.append(
            f"| {one.case} | {one.rows} | {one.descent:.2f} | {one.il:.4g} | {_cell(one.bound, 1)} | "
            f"{_cell(one.master, 1)} | {_cell(one.pricing, 1)} | {iterations} | {gap} |"
        )
    return "\n".join(lines)


def main(
    seconds: Annotated[float, typer.Option(help="Time limit of each relaxation.")] = 120.0,
    out: Annotated[Path, typer.Option(help="The page to write.")] = PAGE,
) -> None:
    """Measure every series and write the page."""
    for cases in SERIES.values():
        profile(cases[0], 1.0)  # compile
    tables = [table(title, (profile(case, seconds) for case in cases)) for title, cases in SERIES.items()]
    cores = len(os.sched_getaffinity(0))
    head = (
        "# How the engine grows\n\n"
        f"Made by `python -m benchmarks.growth --seconds {seconds:g}` with {cores} cores at hand, one of them used, on "
        f"{datetime.now(UTC):%Y-%m-%d}; CPU seconds, compilation excluded.\n\n"
        "The *descent* is fast two-swap from the sorted start, the first incumbent. The *relaxation* is the linear "
        "program over all clusters, solved until its proved bound is within 0.01 % of it or the time is up; *master* "
        "and *pricing* are its two halves. A dash: beyond the number of distinct rows up to which bounds are tried. "
        "Cases are `dataset-rows-m`, with `d` coordinates and `c` colours where they vary.\n\n"
    )
    out.write_text(head + "\n\n".join(tables) + "\n", encoding="utf-8")
    typer.echo(f"written to {out}")


if __name__ == "__main__":
    typer.run(main)
