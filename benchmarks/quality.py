"""Loss, gap, bound and comparison with the paper: deterministic, so that the gate can compare them exactly."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from benchmarks import instances
from benchmarks.brute_force import least_il
from benchmarks.cases import LOCAL_SEARCH, OPTIMISE, PAPER, STARTS, MethodCase
from benchmarks.engine import SEED, run
from benchmarks.outcomes import Failed, Outcomes, outcome, solve_all
from benchmarks.published import best_il, published_il

REVISION = "1"  # of what the numbers mean
TINY_INSTANCES = 20

CASES = {str(case): case for case in (*LOCAL_SEARCH, *PAPER, *OPTIMISE)}


def version(cases: Iterable[MethodCase]) -> str:
    """Return what changes when the data or the meaning of the numbers change, and only then."""
    different = {str(replace(case.instance, m=1)): case.instance for case in cases}
    checksums = "".join(instances.checksum(different[name]) for name in sorted(different))
    return f"{REVISION}-{hashlib.sha256(checksums.encode()).hexdigest()[:12]}"


def names(cases: Iterable[MethodCase]) -> tuple[list[str]]:
    """Return the one parameter of a class of tracks: the names of its cases."""
    return ([str(case) for case in cases],)


class _Tracks:
    """What is tracked about outcomes. A subclass solves in `setup_cache`, on lines of its own.

    asv keeps one cache a source line: a `setup_cache` inherited by two classes would be one and the same. It
    takes every class for a benchmark whose name does not begin with an underscore.
    """

    timeout = 3600
    unit = "%"
    param_names = ("case",)

    def setup(self, outcomes: Outcomes, name: str) -> None:
        """Skip what cannot be measured here."""
        found = outcomes[name]
        if isinstance(found, Failed) and found.skipped:
            raise NotImplementedError(found.reason)

    def track_il(self, outcomes: Outcomes, name: str) -> float:
        return outcome(outcomes, name).il


class Starts(_Tracks):
    """The constructive algorithms of the literature."""

    params = names(STARTS)
    version = version(STARTS)

    def setup_cache(self) -> Outcomes:
        return solve_all(STARTS, run)


class LocalSearch(_Tracks):
    """Two-swap from the paper's start, against what the paper reports for its own two-swap."""

    params = names(LOCAL_SEARCH)
    version = version(LOCAL_SEARCH)

    def setup_cache(self) -> Outcomes:
        return solve_all(LOCAL_SEARCH, run)

    def track_ratio_to_paper(self, outcomes: Outcomes, name: str) -> float:
        instance = CASES[name].instance
        table = 6 if instance.dataset == "adult" else 7
        paper = published_il(instance.dataset, instance.m, table=table, step="two-swap-before")
        return outcome(outcomes, name).il / paper

    track_ratio_to_paper.unit = "ours/paper"  # type: ignore[attr-defined]


class Paper(_Tracks):
    """The paper's own route, against its own cell."""

    params = names(PAPER)
    version = version(PAPER)

    def setup_cache(self) -> Outcomes:
        return solve_all(PAPER, run)

    def track_ratio_to_paper(self, outcomes: Outcomes, name: str) -> float:
        case = CASES[name]
        table = (4 if case.instance.dataset == "adult" else 5) + (2 if case.swap_first else 0)
        paper = published_il(
            case.instance.dataset, case.instance.m, table=table, step="two-swap-after", subsets=case.subsets
        )
        return outcome(outcomes, name).il / paper

    track_ratio_to_paper.unit = "ours/paper"  # type: ignore[attr-defined]


class Optimise(_Tracks):
    """The default method, with its proved bound, against the paper's best."""

    params = names(OPTIMISE)
    version = version(OPTIMISE)

    def setup_cache(self) -> Outcomes:
        return solve_all(OPTIMISE, run)

    def track_gap(self, outcomes: Outcomes, name: str) -> float:
        return outcome(outcomes, name).gap

    def track_ratio_to_paper(self, outcomes: Outcomes, name: str) -> float:
        instance = CASES[name].instance
        return outcome(outcomes, name).il / best_il(instance.dataset, instance.m)

    track_ratio_to_paper.unit = "ours/paper"  # type: ignore[attr-defined]


class TinyInstances:
    """Twenty random instances of 8 to 10 points, whose optimum is known from trying everything."""

    version = f"{REVISION}.1"  # an effort of 5
    timeout = 600
    unit = "instances"

    def setup_cache(self) -> list[tuple[float, float | None, float]]:
        """Return IL, bound and optimum of each."""
        from minv.publish.partition import partition

        rng = np.random.default_rng(SEED)
        found = []
        while len(found) < TINY_INSTANCES:
            size, m = int(rng.integers(8, 11)), int(rng.integers(2, 4))
            points = rng.normal(size=(size, 2)).round(1)
            colours = rng.integers(0, 5, size)
            optimum = least_il(points, colours, m)
            if np.isfinite(optimum):
                result = partition(points, colours, m, seed=SEED, effort=5, workers=1)
                found.append((result.il, result.lower_bound_il, optimum))
        return found

    def track_bound_violations(self, found: list[tuple[float, float | None, float]]) -> int:
        return sum(bound is not None and bound > optimum + 1e-6 for _, bound, optimum in found)

    def track_not_optimal(self, found: list[tuple[float, float | None, float]]) -> int:
        return sum(il > optimum + 1e-6 for il, _, optimum in found)

    def track_not_proved(self, found: list[tuple[float, float | None, float]]) -> int:
        return sum(bound is None or bound < optimum - 1e-6 * max(1, optimum) for _, bound, optimum in found)
