"""Seconds of one more release as the history behind it grows: the same persons, ever more releases."""

import shutil
import tempfile
from pathlib import Path

import minv_datasets
import minv_verifiers
from benchmarks.judge import ViolationError
from benchmarks.profiles import only_full

PEOPLE, M, EFFORT, SEED = 300, 3, 1, 1
LENGTHS = [1, 8, *only_full(32, 128)]
QUASI_IDENTIFIERS = ("age", "sex:nominal", "educ")


def simulated(releases: int) -> list[object]:
    """Return so many tables of a population in which a few persons come and go."""
    table = minv_datasets.with_ids(minv_datasets.ipums_like(2 * PEOPLE, seed=SEED), "person")
    scenario = minv_datasets.Scenario(
        id_column="person",
        sensitive="occupation",
        releases=releases,
        rates=minv_datasets.Rates(insert=0.02, delete=0.02, reinsert=0.01),
        initial=PEOPLE,
    )
    return [one.table for one in minv_datasets.simulate_releases(table, scenario, SEED)]


class History:
    """Publishing and judging with so many releases before."""

    version = "1"
    params = (LENGTHS,)
    param_names = ("releases",)
    timeout = 1800
    number = 1
    repeat = 1
    warmup_time = 0.0

    def setup(self, releases: int) -> None:
        from minv import Budget, Series
        from minv.tables.roles import parse_quasi_identifier

        *before, self.next = simulated(releases + 1)
        self.budget = Budget(effort=EFFORT, seed=SEED, workers=1)
        self.folder = Path(tempfile.mkdtemp())
        roles = [parse_quasi_identifier(text) for text in QUASI_IDENTIFIERS]
        self.path = self.folder / "series"
        series = Series.create(self.path, id="person", quasi_identifiers=roles, sensitive="occupation", m=M)
        for table in before:
            series.publish(table, budget=self.budget)
        report = minv_verifiers.verify(self.path)
        if not report.passed:
            raise ViolationError(f"violated: {', '.join(report.violated) or report.verdict}")
        rehearsal = self.folder / "rehearsal"  # the first release after others compiles kernels of its own
        shutil.copytree(self.path, rehearsal)
        Series.open(rehearsal).publish(self.next, budget=self.budget)

    def teardown(self, releases: int) -> None:
        shutil.rmtree(self.folder)

    def time_publish_next(self, releases: int) -> None:
        from minv import Series

        Series.open(self.path).publish(self.next, budget=self.budget)

    def time_verify(self, releases: int) -> None:
        minv_verifiers.verify(self.path)
