"""Seconds and memory of the judge on published tables, in public and in custodian mode."""

import minv_verifiers
from benchmarks import instances
from benchmarks.cases import GENERATED, InstanceCase
from benchmarks.judge import coordinates_of, published, table_of
from benchmarks.profiles import only_full

SIZES = [1500, 15_000, *only_full(50_000)]
M = 5


class Judging:
    """One release by `sorted_start`, whose classes are valid whatever the engine does."""

    version = "1"
    params = (SIZES,)
    param_names = ("rows",)
    timeout = 600

    def setup(self, rows: int) -> None:
        from minv.heuristics import sorted_start

        data = instances.load(InstanceCase(GENERATED, rows, M))
        self.original = table_of(data)
        self.release = published(self.original, sorted_start(data.points, data.colours, M))
        self.roles = {
            "quasi_identifiers": [f"{name}:numeric" for name in coordinates_of(self.original)],
            "sensitive": "sensitive",
            "class_id": "class",
            "m": M,
            "model": "m-unique",
        }

    def time_public(self, rows: int) -> None:
        minv_verifiers.verify(self.release.drop(columns="person"), **self.roles)

    def time_custodian(self, rows: int) -> None:
        minv_verifiers.verify(self.release, person="person", tables=[self.original], **self.roles)

    def peakmem_custodian(self, rows: int) -> None:
        minv_verifiers.verify(self.release, person="person", tables=[self.original], **self.roles)
