"""A hundred small releases: whether storage and time of a release depend on how many there were before.

`python -m benchmarks.long_series` prints the table of docs/long-series.md.
"""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import minv_datasets
import minv_verifiers
from benchmarks.instances import complete_adult
from benchmarks.judge import ViolationError
from benchmarks.profiles import PROFILE

PEOPLE, RELEASES, M, SEED = 300, 100, 3, 1
TRACKED = RELEASES if PROFILE == "full" else 25  # releases behind the tracks
TURNOVERS = {"nobody changes": 0.0, "10 % come and go": 0.1}
QUASI_IDENTIFIERS = ("age", "sex:nominal", "education-num")
SPAN = 10  # releases that are averaged at either end; the first of all is left out, it compiles and begins


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one release: processor seconds of its publication, bytes of its own files, bytes of what all share."""

    seconds: float
    own_bytes: int
    shared_bytes: int
    persons: int


def publish_all(turnover: float, number: int = RELEASES) -> list[Cost]:
    """Publish the whole series by stages alone, and judge it.

    Raises
    ------
    ViolationError
        The judge finds anything.
    """
    from minv import Series
    from minv.tables.roles import parse_quasi_identifier

    scenario = minv_datasets.Scenario(
        id_column="person",
        sensitive="occupation",
        releases=number,
        rates=minv_datasets.Rates(insert=turnover, delete=turnover),
        initial=PEOPLE,
    )
    reservoir = minv_datasets.with_ids(
        complete_adult(round(PEOPLE * (1 + 1.3 * number * turnover))), "person"
    )
    roles = [parse_quasi_identifier(text) for text in QUASI_IDENTIFIERS]
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "series"
        series = Series.create(path, id="person", quasi_identifiers=roles, sensitive="occupation", m=M)
        seen: set[object] = set()
        for simulated in minv_datasets.simulate_releases(reservoir, scenario, SEED):
            began = time.process_time()
            release = series.publish(simulated.table, method="tau", seed=SEED)
            seconds = time.process_time() - began
            seen.update(simulated.table["person"])
            files = [file for file in path.rglob("*") if file.is_file()]
            own = sum(
                file.stat().st_size
                for file in files
                if file.stem in (f"release-{release.number:04d}", f"quality-{release.number:04d}")
            )
            shared = sum(file.stat().st_size for file in files if _shared(file))
            costs.append(Cost(seconds, own, shared, len(seen)))
        report = minv_verifiers.verify(path)
    if not report.passed:
        raise ViolationError(f"violated: {', '.join(report.violated) or report.verdict}")
    return costs


def _shared(file: Path) -> bool:
    return not file.stem.startswith(("release-", "quality-"))


def average(costs: list[Cost], field: str) -> float:
    """Return the mean of a field."""
    return sum(getattr(cost, field) for cost in costs) / len(costs)


def growth(costs: list[Cost], field: str) -> float:
    """Return the mean of a field over the last releases as a multiple of that over the first ones."""
    return average(costs[-SPAN:], field) / average(costs[1 : 1 + SPAN], field)


class LongSeries:
    """What the last releases cost, as a multiple of the first ones."""

    version = f"1-{TRACKED}"
    params = (list(TURNOVERS),)
    param_names = ("people",)
    timeout = 1200

    def setup_cache(self) -> dict[str, list[Cost]]:
        return {name: publish_all(turnover, TRACKED) for name, turnover in TURNOVERS.items()}

    def track_growth_of_seconds(self, costs: dict[str, list[Cost]], people: str) -> float:
        return growth(costs[people], "seconds")

    def track_growth_of_bytes(self, costs: dict[str, list[Cost]], people: str) -> float:
        return growth(costs[people], "own_bytes")

    def track_shared_bytes(self, costs: dict[str, list[Cost]], people: str) -> int:
        return costs[people][-1].shared_bytes

    track_growth_of_seconds.unit = track_growth_of_bytes.unit = "times"  # type: ignore[attr-defined]
    track_shared_bytes.unit = "bytes"  # type: ignore[attr-defined]


def main() -> None:
    """Print the table."""
    print("| people | releases | processor seconds a release | bytes of its files | bytes of the rest |")  # noqa: T201
    print("|---|---|---|---|---|")  # noqa: T201
    for name, turnover in TURNOVERS.items():
        costs = publish_all(turnover)
        for first in (1, 45, len(costs) - SPAN):
            part = costs[first : first + SPAN]
            print(  # noqa: T201
                f"| {name}: {part[-1].persons} so far | {first + 1}-{first + SPAN} | {average(part, 'seconds'):.3f} | "
                f"{average(part, 'own_bytes'):.0f} | {average(part, 'shared_bytes'):.0f} |"
            )


if __name__ == "__main__":
    main()
