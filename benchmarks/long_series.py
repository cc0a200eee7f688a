"""A hundred small releases: whether storage and time of a release depend on how many there were before.

`python -m benchmarks.long_series` prints the table of docs/long-series.md.

The seconds of the compared releases are measured after the series is complete, each of them many times and by turns,
from a copy of the series as it was before: what else the machine does falls on all alike, and the least counts.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import minv_datasets
import minv_verifiers
from benchmarks.instances import complete_adult
from benchmarks.judge import ViolationError
from benchmarks.profiles import PROFILE

PEOPLE, M, SEED = 300, 3, 1
TURNOVERS = {"nobody changes": 0.0, "10 % come and go": 0.1}
QUASI_IDENTIFIERS = ("age", "sex:nominal", "education-num")
COMPARED, ROUNDS = (10, 55, 100), 15  # releases whose seconds are measured, and how often
TRACKED = COMPARED if PROFILE == "full" else (11, 25)  # those behind the tracks
SPAN = 10  # releases that are averaged at either end; the first of all is left out, it compiles and begins


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one release: bytes of its own files, bytes of what all share, persons so far."""

    own_bytes: int
    shared_bytes: int
    persons: int


@dataclass(frozen=True, slots=True)
class Seconds:
    """Of one release, the least of all rounds: processor seconds to open and publish, and of the engine in them."""

    publishing: float
    engine: float


@dataclass(frozen=True, slots=True)
class Found:
    """The cost of every release, and the seconds of those that are compared."""

    costs: list[Cost]
    seconds: dict[int, Seconds]


def publish_all(turnover: float, compare: tuple[int, ...] = COMPARED, rounds: int = ROUNDS) -> Found:
    """Publish the whole series by stages alone, judge it, and measure the compared releases.

    Raises
    ------
    ViolationError
        The judge finds anything.
    """
    from minv import Series
    from minv.tables.roles import parse_quasi_identifier

    roles = [parse_quasi_identifier(text) for text in QUASI_IDENTIFIERS]
    costs: list[Cost] = []
    compared: dict[int, tuple[Path, pd.DataFrame]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "series"
        series = Series.create(path, id="person", quasi_identifiers=roles, sensitive="occupation", m=M)
        seen: set[object] = set()
        for number, table in enumerate(tables(turnover, compare[-1]), start=1):
            if number in compare:
                compared[number] = (shutil.copytree(path, Path(folder) / f"before-{number}"), table)
            series.publish(table, method="tau", seed=SEED)
            seen.update(table["person"])
            costs.append(Cost(*bytes_of(path, number), len(seen)))
        report = minv_verifiers.verify(path)
        seconds = by_turns(compared, Path(folder) / "again", rounds)
    if not report.passed:
        raise ViolationError(f"violated: {', '.join(report.violated) or report.verdict}")
    return Found(costs, seconds)


def tables(turnover: float, releases: int) -> Iterator[pd.DataFrame]:
    """Simulate the table of each release."""
    scenario = minv_datasets.Scenario(
        id_column="person",
        sensitive="occupation",
        releases=releases,
        rates=minv_datasets.Rates(insert=turnover, delete=turnover),
        initial=PEOPLE,
    )
    rows = complete_adult(round(PEOPLE * (1 + 1.3 * releases * turnover)))
    for simulated in minv_datasets.simulate_releases(minv_datasets.with_ids(rows, "person"), scenario, SEED):
        yield simulated.table


def bytes_of(path: Path, number: int) -> tuple[int, int]:
    """Return the bytes of a release's own files, and of those that all releases share."""
    files = [file for file in path.rglob("*") if file.is_file()]
    own = sum(
        file.stat().st_size
        for file in files
        if file.stem in (f"release-{number:04d}", f"quality-{number:04d}")
    )
    shared = sum(file.stat().st_size for file in files if not file.stem.startswith(("release-", "quality-")))
    return own, shared


def by_turns(
    compared: Mapping[int, tuple[Path, pd.DataFrame]], again: Path, rounds: int
) -> dict[int, Seconds]:
    """Publish each release from a copy of the series before it, by turns, and return the least seconds.

    Parameters
    ----------
    compared
        Of each release the series before it and its table.
    again
        Where the copies are made.
    """
    from minv import Budget, Series
    from minv.publish.engine import Policy
    from minv.publish.solving import solve
    from minv.tables.opening import open_table

    publishing: dict[int, list[float]] = {number: [] for number in compared}
    solving: dict[int, list[float]] = {number: [] for number in compared}
    for _ in range(rounds):
        for number, (before, table) in compared.items():
            shutil.copytree(before, again)
            began = time.process_time()
            Series.open(again).publish(table, method="tau", seed=SEED)
            publishing[number].append(time.process_time() - began)
            shutil.rmtree(again)
            plan = Series.open(before).plan(open_table(table))
            began = time.process_time()
            solve(plan, Policy(), Budget(method="tau", seed=SEED))
            solving[number].append(time.process_time() - began)
    return {number: Seconds(min(publishing[number]), min(solving[number])) for number in compared}


def average(costs: list[Cost], field: str) -> float:
    """Return the mean of a field."""
    return sum(getattr(cost, field) for cost in costs) / len(costs)


def growth_of_bytes(found: Found) -> float:
    """Return the bytes of the last releases as a multiple of those of the first ones."""
    return average(found.costs[-SPAN:], "own_bytes") / average(found.costs[1 : 1 + SPAN], "own_bytes")


def growth_of_seconds(found: Found) -> float:
    """Return the seconds of the last compared release as a multiple of those of the first one."""
    return found.seconds[max(found.seconds)].publishing / found.seconds[min(found.seconds)].publishing


class LongSeries:
    """What the last releases cost, as a multiple of the first ones."""

    version = f"2-{TRACKED[-1]}"
    params = (list(TURNOVERS),)
    param_names = ("people",)
    timeout = 1200

    def setup_cache(self) -> dict[str, Found]:
        return {name: publish_all(turnover, TRACKED) for name, turnover in TURNOVERS.items()}

    def track_growth_of_seconds(self, found: dict[str, Found], people: str) -> float:
        return growth_of_seconds(found[people])

    def track_growth_of_bytes(self, found: dict[str, Found], people: str) -> float:
        return growth_of_bytes(found[people])

    def track_shared_bytes(self, found: dict[str, Found], people: str) -> int:
        return found[people].costs[-1].shared_bytes

    track_growth_of_seconds.unit = track_growth_of_bytes.unit = "times"  # type: ignore[attr-defined]
    track_shared_bytes.unit = "bytes"  # type: ignore[attr-defined]


def lines() -> Iterator[str]:
    """Yield the lines of the table; each series is published when its lines are asked for."""
    yield "| people | release | ms of processor | the engine's | bytes of its files | bytes of the rest |"
    yield "|---|---|---|---|---|---|"
    for name, turnover in TURNOVERS.items():
        found = publish_all(turnover)
        for number, seconds in found.seconds.items():
            cost = found.costs[number - 1]
            yield (
                f"| {name}, {cost.persons} so far | {number} | {1000 * seconds.publishing:.1f} | "
                f"{1000 * seconds.engine:.1f} | {cost.own_bytes} | {cost.shared_bytes} |"
            )


def main() -> None:
    """Print the table."""
    for line in lines():
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
