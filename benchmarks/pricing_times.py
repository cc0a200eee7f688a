"""The time of one pricing call: our two searches and CPLEX's programs, written as a page of the guide.

Run `python -m benchmarks.pricing_times`; it takes about five minutes. Not an asv benchmark: CPLEX is proprietary.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pandas as pd
import typer
from numpy.typing import NDArray

import minv_datasets
from benchmarks.cases import M_VALUES
from benchmarks.instances import SOURCES, z_scores
from minv.colgen.exact import Solvers, open_generation
from minv.errors import UsageError
from minv.heuristics import tau
from minv.instance import Instance
from minv.localsearch import two_swap
from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties
from minv.pricing.enumeration import EnumerationPricer
from minv.pricing.integer import AllSizesPricer, SizeBySizePricer
from minv.pricing.protocol import Pricer, PricingResult, PricingStatus
from minv.solvers import cplex_engine
from minv.solvers.cplex_pricing import AllSizesMiqp, SizeMilp, SizeMiqp
from minv.solvers.highs import HighsMaster, HighsSetPartition
from minv.stopping import Stop

POINTS = (37, 75, 150, 300)
TOLERANCE = 1e-7
PAGE = Path(__file__).parents[1] / "docs" / "pricing-times.md"


class Case(NamedTuple):
    """The master rows of an instance, and duals of one pricing call."""

    points: NDArray[np.float64]
    colours: NDArray[np.int64]
    m: int
    max_size: int
    duals: NDArray[np.float64]


def box(case: Case) -> Pricer:
    """Branch and bound over the centroid."""
    return BoxPricer(*case[:4], tolerance=TOLERANCE)


def enumeration(case: Case) -> Pricer:
    """Implicit enumeration."""
    return EnumerationPricer(*case[:4], tolerance=TOLERANCE)


def miqp(case: Case) -> Pricer:
    """CPLEX with a quadratic program a size."""
    minimise = SizeMiqp(case.points, case.colours).minimise
    return SizeBySizePricer(*case[:4], minimise, tolerance=TOLERANCE)


def miqp_for_all_sizes(case: Case) -> Pricer:
    """CPLEX with one quadratic program."""
    minimise = AllSizesMiqp(*case[:4]).minimise
    return AllSizesPricer(case.points, case.m, case.max_size, minimise, tolerance=TOLERANCE)


def milp(case: Case) -> Pricer:
    """CPLEX with a linear program a size."""
    minimise = SizeMilp(case.points, case.colours).minimise
    return SizeBySizePricer(*case[:4], minimise, tolerance=TOLERANCE)


METHODS: dict[str, Callable[[Case], Pricer]] = {
    "box search": box,
    "implicit enumeration": enumeration,
    "MIQP a size": miqp,
    "MIQP for all sizes": miqp_for_all_sizes,
    "MILP a size": milp,
}


@dataclass
class Recorder:
    """A pricer that remembers the duals of every call."""

    pricer: Pricer
    duals: list[NDArray[np.float64]]

    def price(
        self, duals: NDArray[np.float64], stop: Stop, cuts: CutPenalties | None = None
    ) -> PricingResult:
        """Pass the question on."""
        self.duals.append(duals.copy())
        return self.pricer.price(duals, stop, cuts)


def sample(rows: int, m: int) -> Instance:
    """Return the first m-eligible sample of Adult's complete rows, with the paper's quasi-identifiers."""
    adult = minv_datasets.complete_rows(minv_datasets.load_adult())
    source = SOURCES["adult"]
    _, frame = next(iter(minv_datasets.eligible_samples(adult, source.sensitive, rows, m, 1)))
    points = np.column_stack([z_scores(frame[name]) for name in source.quasi_identifiers[:3]])
    colours = pd.factorize(frame[source.sensitive], sort=True)[0].astype(np.int64)
    return Instance(points, colours, m)


def calls(instance: Instance) -> tuple[Case, Case]:
    """Return the middle and the last pricing call of column generation on an instance."""
    rows = instance.rows
    labels = tau(instance.points, instance.colours, instance.m, 1)
    labels = two_swap(instance.points, instance.colours, labels, stop=Stop())
    duals: list[NDArray[np.float64]] = []

    def recording(instance: Instance, tolerance: float) -> Recorder:
        pricer = BoxPricer(rows.points, rows.colours, instance.m, instance.max_size, tolerance=tolerance)
        return Recorder(pricer, duals)

    generation = open_generation(instance, labels, Solvers(HighsMaster, HighsSetPartition(), recording))
    while generation.step(Stop()):
        pass
    middle, last = (
        Case(rows.points, rows.colours, instance.m, instance.max_size, duals[index])
        for index in (len(duals) // 2, -1)
    )
    return middle, last


def measure(make: Callable[[Case], Pricer], case: Case, seconds: float) -> str:
    """Return the processor seconds of one call, without those of making the program, as text of a cell."""
    try:
        pricer = make(case)
    except UsageError:
        return "over the limit"
    if make in (box, enumeration):
        pricer.price(case.duals, Stop(time_limit=seconds))  # compiles
    started = time.process_time()
    result = pricer.price(case.duals, Stop(time_limit=seconds))
    elapsed = time.process_time() - started
    return f"{elapsed:.2g}" if result.status is PricingStatus.OPTIMAL else f"> {seconds:g}"


def table(cases: list[tuple[int, Case]], seconds: float) -> Iterator[str]:
    """Yield the lines of a table, one case a line."""
    yield f"| points | m | {' | '.join(METHODS)} |"
    yield f"|--:|--:|{'--:|' * len(METHODS)}"
    for points, case in cases:
        cells = [measure(make, case, seconds) for make in METHODS.values()]
        yield f"| {points} | {case.m} | {' | '.join(cells)} |"


def page(points: tuple[int, ...], seconds: float) -> Iterator[str]:
    """Yield the lines of the page."""
    edition = "Community Edition" if cplex_engine.community() else "full edition"
    cplex, _ = cplex_engine.require()
    samples = [(size, calls(sample(size, m))) for size in points for m in M_VALUES]
    yield INTRODUCTION.format(
        seconds=seconds,
        version=cplex.__version__,
        edition=edition,
        cores=len(os.sched_getaffinity(0)),
        date=datetime.now(UTC).date().isoformat(),
    )
    yield "## In the middle of column generation\n"
    yield from table([(size, middle) for size, (middle, _) in samples], seconds)
    yield "\n## The last call, which proves that no column is missing\n"
    yield from table([(size, last) for size, (_, last) in samples], seconds)


INTRODUCTION = """\
# The time of a pricing call

Processor seconds of one call that searches all sizes m..2m-1 and proves its answer, on one thread. The points are
samples of Adult's complete rows (age, sex, education-num; occupation as the colour), the duals those of column
generation with the box search. `> {seconds:g}` is a call that was stopped after {seconds:g} seconds; `over the limit`
is a program larger than the Community Edition of CPLEX solves. Making a program is not counted, nor is compiling a
search.

The programs are solved by CPLEX {version} ({edition}), to a gap of 1e-7 in units of the mean squared distance.

- *box search*: branch and bound over the centroid; also repairs the duals, and finds many columns.
- *implicit enumeration*: clusters grown one row at a time; does the same, in any number of dimensions.
- *MIQP a size*, *MILP a size*: the paper's pricing problem in quadratic and in linear form (its program 11, with
  the factor corrected), solved for each size in turn. Each finds one column a size.
- *MIQP for all sizes*: minimises the size times the reduced cost, and finds one column.

The page is written by `python -m benchmarks.pricing_times`; this one on {cores} core, {date}.
"""


def main(
    seconds: Annotated[float, typer.Option(help="Limit of a call.")] = 10.0,
    points: Annotated[list[int] | None, typer.Option(help="Sizes of the samples.")] = None,
    out: Annotated[Path, typer.Option(help="Page to write.")] = PAGE,
) -> None:
    """Measure all pricers and write the page."""
    text = "\n".join(page(tuple(points or POINTS), seconds))
    out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
