"""Our exact pricers and CPLEX's programs find the same reduced costs and linear bounds."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import minv_datasets
from minv.colgen.pool import columns_of_partition
from minv.heuristics import tau
from minv.instance import Instance
from minv.localsearch import two_swap
from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties, subset_row_cuts
from minv.pricing.enumeration import EnumerationPricer
from minv.pricing.integer import AllSizesPricer, SizeBySizePricer
from minv.pricing.protocol import Columns, Pricer, PricingResult, PricingStatus, joined
from minv.solvers import cplex_engine
from minv.solvers.cplex import CplexMaster
from minv.solvers.cplex_pricing import AllSizesMiqp, SizeMilp, SizeMiqp
from minv.solvers.highs import HighsMaster
from minv.solvers.protocol import MasterSolver, SolveStatus
from minv.stopping import CancelToken, Stop

pytest.importorskip("docplex", reason="the extra minv[cplex] is not installed")
pytest.importorskip("cplex", reason="the extra minv[cplex] is not installed")

TOLERANCE = 1e-6
SEEDS = 200


class Case(NamedTuple):
    """Master rows and duals of either sign."""

    points: np.ndarray
    colours: np.ndarray
    m: int
    max_size: int
    duals: np.ndarray


def random_case(seed: int) -> Case:
    """At most ten rows, on a coarse grid in every other case; sometimes fewer colours than m."""
    rng = np.random.default_rng(seed)
    rows, dimension, m = int(rng.integers(2, 11)), int(rng.integers(1, 5)), int(rng.integers(1, 5))
    points = rng.normal(size=(rows, dimension))
    return Case(
        points=np.rint(2 * points) if seed % 2 else points,
        colours=rng.integers(0, int(rng.integers(2, 11)), rows),
        m=m,
        max_size=int(rng.integers(m, 2 * m)),
        duals=rng.normal(0.3, 0.6, rows),
    )


def miqp(case: Case) -> SizeBySizePricer:
    """One quadratic program a size."""
    minimise = SizeMiqp(case.points, case.colours).minimise
    return SizeBySizePricer(*case[:4], minimise, tolerance=TOLERANCE)


def milp(case: Case) -> SizeBySizePricer:
    """One linear program a size."""
    minimise = SizeMilp(case.points, case.colours).minimise
    return SizeBySizePricer(*case[:4], minimise, tolerance=TOLERANCE)


def all_sizes(case: Case) -> AllSizesPricer:
    """One quadratic program for all sizes."""
    minimise = AllSizesMiqp(*case[:4]).minimise
    return AllSizesPricer(case.points, case.m, case.max_size, minimise, tolerance=TOLERANCE)


def reduced_costs(case: Case, duals: np.ndarray) -> Iterator[float]:
    """Of every feasible cluster, by trying all subsets."""
    for size in range(case.m, case.max_size + 1):
        for members in map(list, combinations(range(len(case.points)), size)):
            if len(np.unique(case.colours[members])) == size:
                points = case.points[members]
                yield float(((points - points.mean(axis=0)) ** 2).sum() - duals[members].sum())


def check_claims(case: Case, result: PricingResult) -> None:
    """What was proved holds for every cluster, and the columns are what they are said to be."""
    assert result.status is PricingStatus.OPTIMAL
    assert result.bound <= min(reduced_costs(case, case.duals), default=np.inf)
    assert result.repaired is not None
    assert (result.repaired <= case.duals).all()
    assert min(reduced_costs(case, result.repaired), default=0.0) >= -result.slack
    for j in range(result.columns.number):
        members = result.columns.members[result.columns.starts[j] : result.columns.starts[j + 1]]
        points = case.points[members]
        cost = float(((points - points.mean(axis=0)) ** 2).sum())
        assert len(np.unique(case.colours[members])) == len(members)
        assert case.m <= len(members) <= case.max_size
        assert result.columns.costs[j] == pytest.approx(cost, abs=1e-12)
        assert cost - case.duals[members].sum() < 0


@pytest.mark.parametrize("block", range(0, SEEDS, 25))
def test_all_pricers_agree_with_brute_force(block: int) -> None:
    """On the least reduced cost; the program for all sizes on its sign, with a bound that holds."""
    for case in map(random_case, range(block, block + 25)):
        least = min(reduced_costs(case, case.duals), default=np.inf)
        best = EnumerationPricer(*case[:4], tolerance=1e-9).best_column(case.duals, Stop())
        assert best.best_reduced_cost == pytest.approx(least, abs=1e-9)
        for make in (miqp, milp):
            result = make(case).price(case.duals, Stop())
            assert result.best_reduced_cost == pytest.approx(least, abs=TOLERANCE)
            check_claims(case, result)
        result = all_sizes(case).price(case.duals, Stop())
        assert (result.best_reduced_cost < -TOLERANCE) == (least < -TOLERANCE)
        check_claims(case, result)


@pytest.mark.parametrize("make", [miqp, milp, all_sizes])
def test_cuts_are_not_modelled(make: Callable[[Case], Pricer]) -> None:
    """And the answer says so, rather than ignoring them."""
    case = random_case(1)
    cuts = CutPenalties(subset_row_cuts(np.array([[0, 1, 2]]), np.ones(3, np.int64)), np.ones(1))
    assert make(case).price(case.duals, Stop(), cuts).status is PricingStatus.NOT_APPLICABLE


@pytest.mark.parametrize("make", [miqp, milp, all_sizes])
def test_a_cancelled_program_proves_nothing(make: Callable[[Case], Pricer]) -> None:
    """Status limit, no bound, no repaired duals."""
    rng = np.random.default_rng(2)
    token = CancelToken()
    case = Case(rng.normal(size=(40, 3)), np.arange(40) % 8, 3, 5, rng.random(40))
    pricer = make(case)
    token.cancel()
    result = pricer.price(case.duals, Stop(cancel=token))
    assert result.status is PricingStatus.LIMIT
    assert result.bound == -np.inf
    assert result.repaired is None


@pytest.mark.parametrize(("make", "rows"), [(miqp, 1001), (milp, 60)])
def test_programs_over_the_limit_are_refused(make: Callable[[Case], Pricer], rows: int) -> None:
    """Before they are built, with their sizes."""
    if not cplex_engine.community():
        pytest.skip("a full CPLEX has no limit")
    case = Case(np.zeros((rows, 1)), np.arange(rows), 3, 5, np.zeros(rows))
    with pytest.raises(cplex_engine.UsageError, match="Community Edition"):
        make(case)


def linear_bound(
    instance: Instance, make_master: Callable[..., MasterSolver], pricer: Pricer, start: Columns
) -> float:
    """The LP optimum: columns are generated until the pricer proves that none is missing."""
    multiplicity = instance.rows.multiplicity.astype(float)
    master = make_master(multiplicity, multiplicity)
    added = start
    while True:
        master.add_columns(added.starts, added.members, np.ones(len(added.members)), added.costs)
        solution = master.solve(tolerance=1e-10, time_limit=600.0)
        assert solution.status is SolveStatus.OPTIMAL
        result = pricer.price(solution.duals, Stop())
        assert result.status is PricingStatus.OPTIMAL
        added = result.columns
        if not added.number:
            return solution.objective


def started(points: np.ndarray, colours: np.ndarray, m: int) -> tuple[Instance, Columns]:
    """The instance, and the columns of a partition of it."""
    instance = Instance(points, np.unique(colours, return_inverse=True)[1], m)
    labels = two_swap(
        instance.points, instance.colours, tau(instance.points, instance.colours, m, 1), stop=Stop()
    )
    rows = instance.rows
    return instance, columns_of_partition(rows.points, rows.row_of_point, labels)


def program(
    kind: type[SizeMiqp] | type[SizeMilp], instance: Instance, tolerance: float = 1e-7
) -> SizeBySizePricer:
    """CPLEX as the pricer of an instance."""
    rows = instance.rows
    minimise = kind(rows.points, rows.colours).minimise
    return SizeBySizePricer(
        rows.points, rows.colours, instance.m, instance.max_size, minimise, tolerance=tolerance
    )


def exact(
    kind: type[BoxPricer] | type[EnumerationPricer], instance: Instance
) -> BoxPricer | EnumerationPricer:
    """Our own pricer of an instance."""
    rows = instance.rows
    return kind(rows.points, rows.colours, instance.m, instance.max_size, tolerance=1e-7)


def random_instance(seed: int) -> tuple[Instance, Columns]:
    """Eight to eleven points of which some coincide, with a partition."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 4))
    size = int(rng.integers(8, 12))
    colours = np.arange(size) % int(rng.integers(m, 8))
    while np.bincount(colours).max() * m > size:
        colours = np.arange(size) % (colours.max() + 2)
    return started(rng.integers(0, 6, (size, int(rng.integers(1, 4)))).astype(float), colours, m)


@pytest.mark.parametrize(
    "seeds", [range(6), pytest.param(range(6, SEEDS), marks=pytest.mark.slow)], ids=["some", "the rest"]
)
def test_random_instances_have_one_linear_bound(seeds: range) -> None:
    """HiGHS with our pricers, CPLEX with either of its programs; each from the same partition on its own."""
    for instance, start in map(random_instance, seeds):
        ours = linear_bound(instance, HighsMaster, exact(BoxPricer, instance), start)
        assert linear_bound(
            instance, HighsMaster, exact(EnumerationPricer, instance), start
        ) == pytest.approx(ours, rel=1e-6, abs=1e-6)
        for kind in (SizeMiqp, SizeMilp):
            theirs = linear_bound(instance, CplexMaster, program(kind, instance), start)
            assert theirs == pytest.approx(ours, rel=1e-6, abs=1e-6)


def sample(name: str, rows: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """The first eligible sample of a data set, z-scored."""
    with suppress(minv_datasets.UnavailableError):
        if name == "adult":
            frame = minv_datasets.complete_rows(minv_datasets.load_adult())
            columns, sensitive = ["age", "sex", "education-num"], "occupation"
        else:
            frame = minv_datasets.load_acs_pums(download=False)
            columns, sensitive = ["sex", "age", "educ"], "occ"
        rng = np.random.default_rng(rows + m)
        while True:
            chosen = frame.iloc[rng.choice(len(frame), rows, replace=False)]
            if chosen[sensitive].value_counts().max() * m <= rows:
                break
        numbers = chosen[columns].apply(
            lambda column: column if column.dtype.kind in "if" else pd.factorize(column)[0]
        )
        points = numbers.to_numpy(np.float64)
        return (points - points.mean(axis=0)) / points.std(axis=0), pd.factorize(chosen[sensitive])[0]
    pytest.skip(f"the file of {name} is not here: set MINV_DATA")


@pytest.mark.parametrize("m", [3, 5])
@pytest.mark.parametrize(
    ("kind", "rows", "name"),
    [
        (SizeMilp, 30, "acs"),  # more of its many colours exceed the Community Edition
        (SizeMilp, 40, "adult"),
        (SizeMiqp, 60, "acs"),
        (SizeMiqp, 60, "adult"),
    ],
)
def test_real_subsets_have_one_linear_bound(
    kind: type[SizeMiqp] | type[SizeMilp], rows: int, name: str, m: int
) -> None:
    """CPLEX starts from the columns that our pricer found, and proves that none is missing."""
    instance, start = started(*sample(name, rows, m), m)
    recorder = _Recorder(exact(BoxPricer, instance), start)
    ours = linear_bound(instance, HighsMaster, recorder, start)
    theirs = linear_bound(instance, CplexMaster, program(kind, instance), recorder.columns)
    assert theirs == pytest.approx(ours, rel=1e-6)


class _Recorder:
    """A pricer that remembers all columns that another found."""

    def __init__(self, pricer: Pricer, start: Columns) -> None:
        self._pricer = pricer
        self.columns = start

    def price(self, duals: np.ndarray, stop: Stop, cuts: CutPenalties | None = None) -> PricingResult:
        result = self._pricer.price(duals, stop, cuts)
        self.columns = joined([self.columns, result.columns])
        return result
