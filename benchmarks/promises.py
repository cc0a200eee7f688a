"""What the engine promises within given seconds, and that the number of workers does not change the labels.

All but the last class belong to the profile `full`, and what they show depends on the machine: not in the gate.
"""

import resource
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from benchmarks import instances
from benchmarks.cases import (
    ANYTIME,
    LP_OPTIMA,
    PROOFS,
    SAME_LABELS,
    SAMPLES,
    TEAMS,
    WHOLE_TABLES,
    InstanceCase,
    MethodCase,
    SamplesCase,
)
from benchmarks.engine import SEED, options
from benchmarks.judge import Claim, ViolationError, judge
from benchmarks.levels import draws, gap, solve
from benchmarks.published import best_il

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Watched:
    """One run: when which bound was told (seconds, IL in percent), and its loss and gap in percent at the end."""

    times: list[float]
    bounds: list[float]
    il: float
    gap: float

    def bound_at(self, seconds: float) -> float:
        """Return the best bound told until then; 0 where there was none."""
        return max(self.bounds[: bisect_right(self.times, seconds)], default=0.0)


def watch(case: InstanceCase) -> Watched:
    """Solve a case in a minute, listening to its progress; the judge verifies the result."""
    from minv.publish.partition import partition

    data = instances.load(case)
    times: list[float] = []
    bounds: list[float] = []

    def listen(progress: Any) -> None:
        if progress.bound_il is not None:
            times.append(progress.elapsed)
            bounds.append(progress.bound_il)

    found = partition(data.points, data.colours, case.m, time_limit=MINUTE, seed=SEED, progress=listen)
    judge(data, case.m, Claim(np.asarray(found.labels), found.il, found.lower_bound_il))
    return Watched(times, bounds, found.il, gap(found))


class _Promise:
    """A solve for each case in `setup_cache`, which every subclass has on lines of its own; tracks read it."""

    version = "1"
    timeout = 6 * 3600
    param_names = ("case",)

    def setup(self, found: dict[str, Any], name: str) -> None:
        """Skip what cannot be measured here; fail for what went wrong."""
        if isinstance(found[name], Exception):
            raise found[name]


def each(cases: Iterable[Hashable], work: Callable[[Any], Any]) -> dict[str, Any]:
    """Return what came out of each case by its name; an exception stands for itself."""
    found: dict[str, Any] = {}
    for case in cases:
        try:
            found[str(case)] = work(case)
        except Exception as error:
            found[str(case)] = error if isinstance(error, NotImplementedError) else RuntimeError(repr(error))
    return found


class Anytime(_Promise):
    """The paper's instances in a minute: how far the bound is from the relaxation's optimum, and the gap."""

    params = ([str(case) for case in ANYTIME],)
    unit = "%"

    def setup_cache(self) -> dict[str, Any]:
        return each(ANYTIME, watch)

    def _distance(self, found: dict[str, Any], name: str, seconds: float) -> float:
        optimum = next(value for case, value in LP_OPTIMA.items() if str(case) == name)
        return 100 * max(0.0, 1 - found[name].bound_at(seconds) / optimum)

    def track_bound_distance_at_15_s(self, found: dict[str, Any], name: str) -> float:
        return self._distance(found, name, 15.0)

    def track_bound_distance_at_30_s(self, found: dict[str, Any], name: str) -> float:
        return self._distance(found, name, 30.0)

    def track_gap_at_60_s(self, found: dict[str, Any], name: str) -> float:
        return float(found[name].gap)


def solve_samples(case: SamplesCase) -> list[tuple[float, float, bool, float]]:
    """Return loss and gap in percent, whether it is proved optimal, and seconds of each sample; the judge verifies."""
    runs = [
        solve(data, case.m, case.seconds, SEED) for data in draws(case.dataset, case.rows, case.m, case.count)
    ]
    return [(run.il, gap(run), run.status == "optimal", run.seconds) for run in runs]


class Samples(_Promise):
    """Random samples of the paper's size: medians."""

    params = ([str(case) for case in SAMPLES],)

    def setup_cache(self) -> dict[str, Any]:
        return each(SAMPLES, solve_samples)

    def track_ratio_to_paper(self, found: dict[str, Any], name: str) -> float:
        case = next(case for case in SAMPLES if str(case) == name)
        return median(il for il, *_ in found[name]) / best_il(case.dataset, case.m)

    def track_gap(self, found: dict[str, Any], name: str) -> float:
        return median(one for _, one, *_ in found[name])

    track_ratio_to_paper.unit = "ours/paper"  # type: ignore[attr-defined]
    track_gap.unit = "%"  # type: ignore[attr-defined]


class Proofs(_Promise):
    """Random small samples: how many are not proved optimal, and how long the slowest took."""

    params = ([str(case) for case in PROOFS],)

    def setup_cache(self) -> dict[str, Any]:
        return each(PROOFS, solve_samples)

    def track_not_proved(self, found: dict[str, Any], name: str) -> int:
        return sum(not proved for _, _, proved, _ in found[name])

    def track_slowest(self, found: dict[str, Any], name: str) -> float:
        return max(seconds for *_, seconds in found[name])

    track_not_proved.unit = "samples"  # type: ignore[attr-defined]
    track_slowest.unit = "s"  # type: ignore[attr-defined]


def solve_whole(case: InstanceCase) -> dict[str, float]:
    """Return loss, gap, seconds of a whole table, and the most MiB of one process so far."""
    limit = next(seconds for instance, seconds in WHOLE_TABLES if instance == case)
    found = solve(instances.load(case), case.m, limit, SEED)
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {"il": found.il, "gap": gap(found), "seconds": found.seconds, "peak": peak / 1024}


class WholeTables(_Promise):
    """All of Adult, and 50,000 rows of ACS."""

    params = ([str(case) for case, _ in WHOLE_TABLES],)

    def setup_cache(self) -> dict[str, Any]:
        return each([case for case, _ in WHOLE_TABLES], solve_whole)

    def track_il(self, found: dict[str, Any], name: str) -> float:
        return float(found[name]["il"])

    def track_gap(self, found: dict[str, Any], name: str) -> float:
        return float(found[name]["gap"])

    def track_seconds(self, found: dict[str, Any], name: str) -> float:
        return float(found[name]["seconds"])

    def track_peak_mebibytes(self, found: dict[str, Any], name: str) -> float:
        return float(found[name]["peak"])

    track_il.unit = track_gap.unit = "%"  # type: ignore[attr-defined]
    track_seconds.unit = "s"  # type: ignore[attr-defined]
    track_peak_mebibytes.unit = "MiB"  # type: ignore[attr-defined]


def different_labels(case: MethodCase) -> int:
    """Return how many rows have other labels with some number of workers than with one.

    Raises
    ------
    ViolationError
        The judge rejects the labels.
    """
    from minv.publish.partition import partition

    data = instances.load(case.instance)
    labels = []
    for workers in TEAMS:
        found = partition(data.points, data.colours, case.instance.m, workers=workers, **options(case))
        judge(data, case.instance.m, Claim(np.asarray(found.labels), found.il, found.lower_bound_il))
        labels.append(np.asarray(found.labels))
    if len({len(one) for one in labels}) > 1:
        raise ViolationError("another number of rows")
    return int(np.any([one != labels[0] for one in labels], axis=0).sum())


class SameLabels(_Promise):
    """One, two and four workers with the same effort and seed."""

    params = ([str(case) for case in SAME_LABELS],)

    def setup_cache(self) -> dict[str, Any]:
        return each(SAME_LABELS, different_labels)

    def track_different_labels(self, found: dict[str, Any], name: str) -> int:
        return int(found[name])

    track_different_labels.unit = "rows"  # type: ignore[attr-defined]
