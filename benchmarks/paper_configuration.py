"""The method `paper` as the paper ran it: CPLEX for the masters, pricing by its linear program, 40 subsets of Adult.

Run `python -m benchmarks.paper_configuration`; it takes up to `--seconds` for each m. Not an asv benchmark: CPLEX is
proprietary. Prints the table of docs/cplex.md.
"""

import time
from typing import Annotated

import typer

import minv
from benchmarks.cases import M_VALUES
from minv.reproduce.published import published_cells
from minv.reproduce.samples import DESIGNS, draw_samples
from minv.reproduce.sources import find_table
from minv.solvers import cplex_engine

TABLE = 4  # two-swap after column generation only


def published(m: int, subsets: int) -> dict[str, float]:
    """Return the paper's loss after each step."""
    return {
        cell.step: cell.il
        for cell in published_cells(TABLE)
        if cell.m == m and cell.dataset == "adult" and cell.subsets == subsets
    }


def main(
    seconds: Annotated[float, typer.Option(help="Limit of a run.")] = 170.0,
    m: Annotated[list[int] | None, typer.Option(help="Values of m.")] = None,
    subsets: Annotated[int, typer.Option(help="Number of subsets.")] = 40,
    pricing: Annotated[str, typer.Option(help="milp, miqp or box.")] = "milp",
    solver: Annotated[str, typer.Option(help="cplex, or highs with the pricing box.")] = "cplex",
) -> None:
    """Print one row for each m: losses after each step, ours and the paper's, and processor seconds."""
    edition = "Community Edition" if solver == "cplex" and cplex_engine.community() else solver
    print(f"{edition}, pricing {pricing}, {subsets} subsets, limit {seconds:g} s")  # noqa: T201
    sample = draw_samples(find_table("adult"), DESIGNS["adult"], 1)[0]
    for size in m or M_VALUES:
        started = time.process_time()
        found = minv.partition(
            sample.points,
            sample.colours,
            size,
            method="paper",
            subsets=subsets,
            swap_first=False,
            solver=solver,
            pricing=pricing,
            workers=1,
            seed=sample.seed,
            time_limit=seconds,
        )
        elapsed = time.process_time() - started
        theirs = published(size, subsets)
        losses = " | ".join(f"{step.il:.2f}" for step in found.steps)
        print(  # noqa: T201
            f"| {size} | {losses} | {elapsed:.0f} | {theirs['column-generation']:.2f} "
            f"| {theirs['two-swap-after']:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    typer.run(main)
