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
    """One partition problem: the first `rows` rows of a data set, and m.

    Attributes
    ----------
    coordinates
        The first so many quasi-identifiers of the data set; three are the paper's.
    colours
        The sensitive values coarsened to so many; None leaves them as they are.
    """

    dataset: str
    rows: int
    m: int
    coordinates: int = 3
    colours: int | None = None

    def __str__(self) -> str:
        dimension = "" if self.coordinates == 3 else f"-d{self.coordinates}"
        colours = "" if self.colours is None else f"-c{self.colours}"
        return f"{self.dataset}-{self.rows}{dimension}{colours}-m{self.m}"


@dataclass(frozen=True, slots=True)
class MethodCase:
    """One way to solve one problem.

    Attributes
    ----------
    method
        As `minv partition --method`.
    effort
        Deterministic work units; None where the method ends by itself.
    subsets, swap_first
        Of the method `paper`: s, and whether two-swap comes before column generation too.
    """

    instance: InstanceCase
    method: str
    effort: int | None = None
    subsets: int = 1
    swap_first: bool = True

    def __str__(self) -> str:
        paper = (
            f"-s{self.subsets}-{'before' if self.swap_first else 'after'}" if self.method == "paper" else ""
        )
        effort = "" if self.effort is None else f"-effort{self.effort}"
        return f"{self.instance}-{self.method}{paper}{effort}"


def paper_instances(*datasets: str) -> tuple[InstanceCase, ...]:
    """Return the instances of the paper's size for some data sets, for every m."""
    return tuple(InstanceCase(dataset, PAPER_ROWS[dataset], m) for dataset in datasets for m in M_VALUES)


INSTANCES = paper_instances(ADULT, GENERATED) + only_full(*paper_instances(ACS))
"""The paper's instances; in place of IPUMS the ACS file where it is at hand, and the generator."""

STEP_INSTANCES = tuple(
    instance for instance in INSTANCES if instance.m == M_VALUES[1] or instance in only_full(*INSTANCES)
)
"""Those on which single steps are timed: in the quick profile one m."""

SCALING_ROWS = tuple(
    InstanceCase(GENERATED, rows, 5) for rows in (750, 1500, *only_full(300, 3000, 6000, 15_000, 30_000))
)
"""The same population, ever more of it. Up to 400 rows all is closed at once, which takes longer than 1500 rows do."""

SCALING_COLOURS = tuple(
    InstanceCase(GENERATED, 1000, 5, colours=colours) for colours in (10, 100, *only_full(30, 300))
)
"""The same persons, their occupations coarsened to so many."""

SCALING_DIMENSION = tuple(
    InstanceCase(ADULT, 500, 3, coordinates) for coordinates in (1, 2, 4, *only_full(3, 5, 6))
)
"""Adult with the first so many of six quasi-identifiers."""


def methods(*names: str, effort: int | None = None) -> tuple[MethodCase, ...]:
    """Return every instance with every one of these methods."""
    return tuple(MethodCase(instance, name, effort) for instance in INSTANCES for name in names)


STARTS = methods("classic", "random-bucket", "tau")
LOCAL_SEARCH = methods("two-swap")
OPTIMISE = methods("optimise", effort=10) + only_full(*methods("optimise", effort=100))


def papers_route() -> tuple[MethodCase, ...]:
    """Return the paper's own method as in its Tables 4-7; in the quick profile on one number of subsets."""
    return tuple(
        MethodCase(instance, "paper", None, subsets, swap_first)
        for instance in INSTANCES
        for swap_first in (False, True)
        for subsets in (40, *only_full(20, 10, 5, 2))
    )


PAPER = papers_route()

TIMED = (
    *(
        MethodCase(InstanceCase(dataset, PAPER_ROWS[dataset], 5), method, effort, subsets)
        for dataset in (ADULT, GENERATED)
        for method, effort, subsets in (("paper", None, 40), ("optimise", 5, 1))
    ),
    *only_full(*PAPER, *OPTIMISE),
)
"""Whole partitions whose seconds are measured; starts and local searches are measured by themselves."""


ANYTIME = only_full(*paper_instances(ADULT, ACS))
"""Watched for a minute: the bound on the way, the gap at the end."""

LP_OPTIMA = {
    InstanceCase(ADULT, 1500, 3): 1.3560,
    InstanceCase(ADULT, 1500, 5): 7.7050,
    InstanceCase(ADULT, 1500, 7): 20.1748,
    InstanceCase(ACS, 1000, 3): 0.3570,
    InstanceCase(ACS, 1000, 5): 0.7549,
    InstanceCase(ACS, 1000, 7): 1.1886,
}
"""IL in percent at the optimum of the linear relaxation, to four places: by a column generation of another program."""


@dataclass(frozen=True, slots=True)
class SamplesCase:
    """Random eligible samples of a data set, so many of them, each with a time limit in wall seconds."""

    dataset: str
    rows: int
    m: int
    count: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.count}x{self.dataset}-{self.rows}-m{self.m}-{self.seconds:g}s"


SAMPLES = only_full(
    *(SamplesCase(dataset, PAPER_ROWS[dataset], m, 10, 60.0) for dataset in (ADULT, ACS) for m in M_VALUES)
)
"""Like the paper's, to compare with its best."""

PROOFS = only_full(
    *(
        SamplesCase(dataset, rows, m, count, seconds)
        for rows, count, seconds in ((100, 30, 60.0), (300, 4, 600.0))
        for dataset in (ADULT, ACS)
        for m in (3, 5)
    )
)
"""Small enough to be proved optimal."""

WHOLE_TABLES = only_full((InstanceCase(ADULT, 30_162, 5), 120.0), (InstanceCase(ACS, 50_000, 5), 180.0))
"""All complete rows of Adult, 50,000 of ACS, with time limits in wall seconds."""

TEAMS = (1, 2, 4)
"""Numbers of workers between which the labels must not differ."""

SAME_LABELS = (
    MethodCase(InstanceCase(GENERATED, 1000, 5), "optimise", 2),
    MethodCase(InstanceCase(ADULT, 1500, 5), "paper", None, 40),
    *only_full(
        *(MethodCase(instance, "optimise", 10) for instance in paper_instances(ADULT, ACS)),
        MethodCase(InstanceCase(GENERATED, 15_000, 5), "optimise", 4),
    ),
)
"""What is solved by each of these teams; the largest takes the way of patches."""


def by_name(cases: tuple[InstanceCase, ...]) -> dict[str, InstanceCase]:
    """Return the cases under the names that asv shows."""
    return {str(case): case for case in cases}
