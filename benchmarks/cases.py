"""The cases: what every benchmark is run on, as data. Add a line here, not code elsewhere."""

from dataclasses import dataclass

from benchmarks.profiles import only_full

ADULT, ACS, GENERATED = "adult", "acs", "ipums-like"

PAPER_ROWS = {ADULT: 1500, ACS: 1000, GENERATED: 1000}
"""Rows of the paper's samples (Tobar Nicolau, Castro, Gentile 2025, section 6)."""

M_VALUES = (3, 5, 7)
"""Values of m in all of the paper's tables."""


@dataclass(frozen=True, slots=True)
class InstanceCase:
    """One partition problem."""

    dataset: str
    rows: int
    m: int

    def __str__(self) -> str:
        return f"{self.dataset}-{self.rows}-m{self.m}"


def paper_instances(*datasets: str) -> tuple[InstanceCase, ...]:
    """Return the instances of the paper's size for some data sets, for every m."""
    return tuple(InstanceCase(dataset, PAPER_ROWS[dataset], m) for dataset in datasets for m in M_VALUES)


INSTANCES = paper_instances(ADULT, GENERATED) + only_full(*paper_instances(ACS))
"""The paper's instances; in place of IPUMS the ACS file where it is at hand, and the generator."""


def by_name(cases: tuple[InstanceCase, ...]) -> dict[str, InstanceCase]:
    """Return the cases under the names that asv shows."""
    return {str(case): case for case in cases}
