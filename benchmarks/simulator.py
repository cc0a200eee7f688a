"""Seconds of the simulator of changing tables, and of the generator."""

from collections import deque

import minv_datasets
from benchmarks.profiles import only_full

ROWS = [1500, 15_000, *only_full(50_000)]
RELEASES = 10


class Simulator:
    """Ten releases in which everything happens that can happen."""

    version = "1"
    params = (ROWS,)
    param_names = ("rows",)

    def setup(self, rows: int) -> None:
        self.table = minv_datasets.with_ids(minv_datasets.ipums_like(rows, seed=1))
        self.scenario = minv_datasets.Scenario(
            id_column="id",
            sensitive="occupation",
            releases=RELEASES,
            rates=minv_datasets.Rates(
                insert=0.1, delete=0.1, reinsert=0.03, update_qi=0.03, update_sensitive=0.03
            ),
        )

    def time_releases(self, rows: int) -> None:
        deque(minv_datasets.simulate_releases(self.table, self.scenario, seed=1), maxlen=0)

    def time_generate(self, rows: int) -> None:
        minv_datasets.ipums_like(rows, seed=1)
