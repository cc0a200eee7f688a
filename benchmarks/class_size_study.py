"""What the largest class size of new persons does to the later releases of a series.

`python -m benchmarks.class_size_study` prints the table of docs/class-size.md; `--largest U` does one row of it.
Every size gets the same tables.
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import minv_datasets
import minv_verifiers
from benchmarks.instances import complete_adult
from benchmarks.judge import ViolationError

QUASI_IDENTIFIERS = ("age", "sex:nominal", "education-num")
COLUMNS = (
    "largest class",
    "loss of release 1, %",
    "median loss of the others, %",
    "loss of the last, %",
    "counterfeits in all (range)",
    "of the later rows",
    "mean class",
    "processor seconds",
)
RATES = minv_datasets.Rates(insert=0.1, delete=0.1, reinsert=0.03, update_qi=0.015, update_sensitive=0.015)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One series: per release the loss in percent, counterfeits and classes; processor seconds in all."""

    losses: list[float]
    counterfeits: list[int]
    classes: list[int]
    rows: list[int]
    seconds: float


def publish_all(largest: int, *, people: int, releases: int, m: int, effort: int, seed: int) -> Outcome:
    """Publish and judge a series whose new classes have at most so many members.

    Raises
    ------
    ViolationError
        The judge finds anything.
    """
    from minv import Budget, Series
    from minv.tables.roles import parse_quasi_identifier

    scenario = minv_datasets.Scenario(
        id_column="person",
        sensitive="occupation",
        releases=releases,
        rates=RATES,
        initial=people,
        updatable=["age"],
    )
    reservoir = minv_datasets.with_ids(complete_adult(round(people * (1 + 0.15 * releases))), "person")
    roles = [parse_quasi_identifier(text) for text in QUASI_IDENTIFIERS]
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "series"
        series = Series.create(
            path, id="person", quasi_identifiers=roles, sensitive="occupation", m=m, max_class_size=largest
        )
        budget = Budget(effort=effort, seed=seed, workers=1)
        made = [
            series.publish(simulated.table, budget=budget)
            for simulated in minv_datasets.simulate_releases(reservoir, scenario, seed)
        ]
        report = minv_verifiers.verify(path)
    if not report.passed:
        raise ViolationError(f"violated: {', '.join(report.violated) or report.verdict}")
    return Outcome(
        [release.partition.il for release in made],
        [release.counterfeits for release in made],
        [release.partition.classes for release in made],
        [int(release.figures["rows"]) for release in made],
        time.process_time() - began,
    )


def row(largest: int, series: list[Outcome]) -> str:
    """Return a line of the table: means over several series."""
    added = [sum(found.counterfeits) for found in series]
    shares = [100 * n / sum(found.rows[1:]) for n, found in zip(added, series, strict=True)]
    sizes = [(sum(found.rows) + n) / sum(found.classes) for n, found in zip(added, series, strict=True)]
    cells = [
        f"{largest}",
        f"{statistics.mean(found.losses[0] for found in series):.2f}",
        f"{statistics.mean(statistics.median(found.losses[1:]) for found in series):.2f}",
        f"{statistics.mean(found.losses[-1] for found in series):.2f}",
        f"{statistics.mean(added):.0f} ({min(added)}-{max(added)})",
        f"{statistics.mean(shares):.1f} %",
        f"{statistics.mean(sizes):.2f}",
        f"{statistics.mean(found.seconds for found in series):.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, action="append", help="a size to try; by default m to 2m-1")
    parser.add_argument("--people", type=int, default=1500)
    parser.add_argument("--releases", type=int, default=20)
    parser.add_argument("--m", type=int, default=4)
    parser.add_argument("--effort", type=int, default=5)
    parser.add_argument("--series", type=int, default=3, help="number of series a size")
    arguments = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |")  # noqa: T201
    print("|---" * len(COLUMNS) + "|")  # noqa: T201
    for largest in arguments.largest or range(arguments.m, 2 * arguments.m):
        series = [
            publish_all(
                largest,
                people=arguments.people,
                releases=arguments.releases,
                m=arguments.m,
                effort=arguments.effort,
                seed=seed,
            )
            for seed in range(1, arguments.series + 1)
        ]
        print(row(largest, series), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
