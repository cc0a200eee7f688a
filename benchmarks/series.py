"""A changing table published release by release: loss, bound, counterfeits, suppressed persons, seconds.

The series has a private random key, so the engine's seeds and hence the figures differ a little between runs: the
gate leaves them out.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import minv_datasets
import minv_verifiers
from benchmarks.instances import complete_adult
from benchmarks.judge import TOLERANCE, ViolationError
from benchmarks.outcomes import Outcome
from benchmarks.profiles import only_full

PEOPLE, M, EFFORT, SEED = 1500, 4, 5, 1
RELEASES = [1, 2, 3, 4, 5, *only_full(*range(6, 21))]
RATES = minv_datasets.Rates(insert=0.1, delete=0.1, reinsert=0.03, update_qi=0.015, update_sensitive=0.015)
QUASI_IDENTIFIERS = ("age", "sex:nominal", "education-num")


@dataclass(frozen=True, slots=True)
class Published:
    """What became of one release; loss and bound in percent."""

    outcome: Outcome
    counterfeits: int
    suppressed: int
    seconds: float


def publish_all() -> list[Published]:
    """Simulate, publish and judge the whole series.

    Raises
    ------
    ViolationError
        The judge finds anything. Bounds above the loss that the judge recomputes are counted by a track.
    """
    from minv import Budget, Series
    from minv.tables.roles import parse_quasi_identifier

    table = minv_datasets.with_ids(complete_adult(2 * PEOPLE), "person")
    scenario = minv_datasets.Scenario(
        id_column="person",
        sensitive="occupation",
        releases=len(RELEASES),
        rates=RATES,
        initial=PEOPLE,
        updatable=["age"],
    )
    roles = [parse_quasi_identifier(text) for text in QUASI_IDENTIFIERS]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "series"
        series = Series.create(path, id="person", quasi_identifiers=roles, sensitive="occupation", m=M)
        releases = [
            series.publish(simulated.table, budget=Budget(effort=EFFORT, seed=SEED))
            for simulated in minv_datasets.simulate_releases(table, scenario, SEED)
        ]
        report = minv_verifiers.verify(path)
    if not report.passed:
        raise ViolationError(f"violated: {', '.join(report.violated) or report.verdict}")
    found = []
    for release, measures in zip(releases, report.measures, strict=True):
        bound, il = release.partition.lower_bound_il, measures.il or 0.0
        found.append(
            Published(
                Outcome(il, bound),
                release.counterfeits,
                int(release.figures.get("suppressed", 0)),
                release.partition.seconds,
            )
        )
    return found


class SeriesOfReleases:
    """Fully dynamic: one series, every release a parameter."""

    version = "1"
    params = (RELEASES,)
    param_names = ("release",)
    timeout = 3600

    def setup_cache(self) -> list[Published]:
        return publish_all()

    def track_il(self, published: list[Published], release: int) -> float:
        return published[release - 1].outcome.il

    def track_gap(self, published: list[Published], release: int) -> float:
        return published[release - 1].outcome.gap

    def track_counterfeits(self, published: list[Published], release: int) -> int:
        return published[release - 1].counterfeits

    def track_suppressed(self, published: list[Published], release: int) -> int:
        return published[release - 1].suppressed

    def track_bound_violations(self, published: list[Published], release: int) -> int:
        found = published[release - 1].outcome
        return int(found.bound is not None and found.bound > found.il * (1 + TOLERANCE))

    def track_seconds(self, published: list[Published], release: int) -> float:
        return published[release - 1].seconds

    track_il.unit = track_gap.unit = "%"  # type: ignore[attr-defined]
    track_seconds.unit = "s"  # type: ignore[attr-defined]
