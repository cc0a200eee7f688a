"""The benchmark suite: its judge raises, its cases are data, its configuration installs today's judge."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest


@pytest.fixture(scope="module")
def suite(root: Path) -> Any:
    """Imports a module of the suite by name, as asv does: from its folder, not from an installation."""
    spec = importlib.util.spec_from_file_location("benchmarks", root / "benchmarks" / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["benchmarks"] = package
    spec.loader.exec_module(package)

    def load(name: str) -> ModuleType:
        return importlib.import_module(f"benchmarks.{name}")

    yield load
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        del sys.modules[name]


@pytest.fixture
def data(suite: Any) -> Any:
    """Six points in two far places, three colours in each."""
    points = np.array([[0.0], [0.0], [1.0], [9.0], [10.0], [10.0]])
    return suite("instances").Microdata(points, np.array([0, 1, 2, 0, 1, 2]))


LABELS = np.array([0, 0, 0, 1, 1, 1])
SSE = 2 * 2 / 3  # twice: two points at 0, one at 1


def il_of(points: np.ndarray) -> float:
    """IL in percent of the partition LABELS, by the formula."""
    return 100 * SSE / float(((points - points.mean()) ** 2).sum())


def test_the_judge_accepts_a_valid_partition(suite: Any, data: Any) -> None:
    """And recomputes its loss."""
    judge = suite("judge")
    il = il_of(data.points)
    assert judge.judge(data, 3, judge.Claim(LABELS, il, bound=il)) == pytest.approx(il)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([0, 0, 1, 1, 1, 0], "a colour twice in a class"),
        ([0, 0, 2, 1, 1, 1], "a class that is too small"),
        ([0, 0, 0, 1, 1], "someone is missing"),
        ([0, 0, 0, 1, 1, 1, 1], "someone is invented"),
    ],
)
def test_the_judge_raises_on_a_planted_invalid_partition(
    suite: Any, data: Any, labels: list[int], reason: str
) -> None:
    """So that the benchmark fails instead of showing a number."""
    judge = suite("judge")
    with pytest.raises(judge.ViolationError):
        judge.judge(data, 3, judge.Claim(np.array(labels), il_of(data.points)))


def test_the_judge_raises_on_a_wrong_loss(suite: Any, data: Any) -> None:
    """A solver may not report a better IL than it has."""
    judge = suite("judge")
    with pytest.raises(judge.ViolationError, match="as claimed"):
        judge.judge(data, 3, judge.Claim(LABELS, il_of(data.points) * 0.999))


def test_the_judge_raises_on_a_bound_above_the_loss(suite: Any, data: Any) -> None:
    """Such a bound proves nothing but a fault."""
    judge = suite("judge")
    il = il_of(data.points)
    with pytest.raises(judge.ViolationError, match="lies above"):
        judge.judge(data, 3, judge.Claim(LABELS, il, bound=il * 1.01))


def test_one_failing_case_does_not_hide_the_others(suite: Any) -> None:
    """Each track raises for its own case only; missing data are told apart from failures."""
    outcomes = suite("outcomes")

    def solve(case: str) -> Any:
        if case == "bad":
            raise ValueError("planted")
        if case == "absent":
            raise NotImplementedError("no file")
        return outcomes.Outcome(10.0, 9.0)

    found = outcomes.solve_all(["good", "bad", "absent"], solve)
    assert outcomes.outcome(found, "good").il == 10
    assert outcomes.outcome(found, "good").gap == pytest.approx(10)
    assert outcomes.Outcome(10.0).gap == 100
    with pytest.raises(RuntimeError, match="planted"):
        outcomes.outcome(found, "bad")
    with pytest.raises(NotImplementedError, match="no file"):
        outcomes.outcome(found, "absent")


def test_brute_force_finds_the_optimum_of_pairs(suite: Any) -> None:
    """Against perfect matchings written out: m = 2, four points, all colours different."""
    points = np.random.default_rng(3).normal(size=(4, 2))
    pairs = [((0, b), tuple(sorted({1, 2, 3} - {b}))) for b in (1, 2, 3)]
    whole = float(((points - points.mean(axis=0)) ** 2).sum())
    losses = [sum(float(((points[i] - points[j]) ** 2).sum()) / 2 for i, j in matching) for matching in pairs]
    best = 100 * min([whole, *losses]) / whole
    assert suite("brute_force").least_il(points, np.arange(4), 2) == pytest.approx(best)


def test_brute_force_says_where_there_is_no_partition(suite: Any) -> None:
    """One colour on most points."""
    assert (
        suite("brute_force").least_il(np.zeros((4, 1)) + np.arange(4)[:, None], np.array([0, 0, 0, 1]), 2)
        == np.inf
    )


def test_case_names_are_unique(suite: Any) -> None:
    """asv tells results apart by them."""
    cases = suite("cases")
    every = [*cases.STARTS, *cases.LOCAL_SEARCH, *cases.OPTIMISE, *cases.PAPER]
    assert len({str(case) for case in every}) == len(every)


def test_every_paper_case_has_its_published_cell(suite: Any) -> None:
    """A ratio needs a denominator."""
    cases, published = suite("cases"), suite("published")
    for case in cases.PAPER:
        table = (4 if case.instance.dataset == "adult" else 5) + (2 if case.swap_first else 0)
        il = published.published_il(
            case.instance.dataset, case.instance.m, table=table, step="two-swap-after", subsets=case.subsets
        )
        assert il >= published.best_il(case.instance.dataset, case.instance.m)


def test_commits_are_judged_by_the_working_tree(root: Path) -> None:
    """asv installs the judge and the data from beside its configuration, not from the measured commit."""
    text = (root / "asv.conf.json").read_text(encoding="utf-8")
    settings = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    commands = " ".join(settings["install_command"])
    assert "{conf_dir}/verifiers" in commands
    assert "{conf_dir}/datasets" in commands
    assert settings["benchmark_dir"] == "benchmarks"


def test_no_two_benchmark_classes_share_a_cache(root: Path) -> None:
    """asv keys caches by the line of setup_cache, so each class with tracks needs one of its own."""
    text = (root / "benchmarks" / "quality.py").read_text(encoding="utf-8")
    classes = re.split(r"^class (?!_)", text, flags=re.MULTILINE)[1:]
    assert classes
    assert all("def setup_cache" in body for body in classes)


def test_the_study_of_class_sizes_publishes_and_judges(suite: Any) -> None:
    """A short series; the judge has seen it, and the table has a cell for every column."""
    study = suite("class_size_study")
    found = study.publish_all(3, people=60, releases=2, m=3, effort=1, seed=1)
    assert len(found.losses) == len(found.counterfeits) == 2
    assert study.row(3, [found]).count("|") == len(study.COLUMNS) + 1


def test_growth_compares_the_last_releases_with_the_first(suite: Any) -> None:
    """The very first release, which begins the series, does not count."""
    long = suite("long_series")
    costs = [long.Cost(own, 1, 1) for own in (99, *[1] * 10, *[7] * 5, *[3] * 10)]
    seconds = {10: long.Seconds(2.0, 1.0), 55: long.Seconds(9.0, 1.0), 100: long.Seconds(3.0, 1.0)}
    found = long.Found(costs, seconds)
    assert long.growth_of_bytes(found) == pytest.approx(3.0)
    assert long.growth_of_seconds(found) == pytest.approx(1.5)


def test_what_the_gate_is_tried_on_can_be_planted(suite: Any, root: Path) -> None:
    """The planted faults replace lines that are there; one plant is harmless."""
    planted = suite("planted")
    for plant in planted.PLANTS:
        text = (root / plant.file).read_text(encoding="utf-8")
        assert planted.planted(text, plant) != text
    assert [plant.passes for plant in planted.PLANTS].count(True) == 1
    with pytest.raises(ValueError, match="does not stand there once"):
        planted.planted("", planted.PLANTS[0])


def test_the_gate_is_tried_as_it_is_run(suite: Any, root: Path) -> None:
    """The same options in both places."""
    tox = (root / "tox.ini").read_text(encoding="utf-8")
    assert f"asv continuous {' '.join(suite('planted').GATE)} --bench quality " in tox


def test_growth_covers_what_it_shall(suite: Any) -> None:
    """From 300 to 50,000 rows, 1 to 6 coordinates, 10 to hundreds of colours, m from 2 to 10."""
    series = suite("growth").SERIES
    assert {case.rows for case in series["Points"]} >= {300, 1500, 50_000}
    assert [case.coordinates for case in series["Coordinates"]] == [1, 2, 3, 4, 5, 6]
    assert {case.m for case in series["m"]} == set(range(2, 11))


def test_growth_times_every_phase(suite: Any) -> None:
    """Of one small case; cuts come after a solved relaxation."""
    cases, growth, phases = suite("cases"), suite("growth"), suite("phases")
    found = phases.profile(cases.InstanceCase("ipums-like", 420, 3), 20.0, 2.0)
    assert found.distinct <= 420
    assert found.neighbourhoods > 0
    assert found.relaxation.iterations > 1
    assert found.relaxation.cuts > 0
    assert found.relaxation.bound_il <= found.il
    lines = growth.table("One", [found]).splitlines()
    assert len({line.count("|") for line in lines[2:]}) == 1


def test_the_bound_on_the_way_is_the_best_told_until_then(suite: Any) -> None:
    """Nothing before the first report; what came later does not count."""
    watched = suite("promises").Watched([1.0, 14.0, 15.0, 29.0], [3.0, 5.0, 4.0, 6.0], 7.0, 10.0)
    assert [watched.bound_at(seconds) for seconds in (0.5, 1.0, 15.0, 28.9, 60.0)] == [
        0.0,
        3.0,
        5.0,
        5.0,
        6.0,
    ]


def test_a_case_that_fails_fails_its_own_track(suite: Any) -> None:
    """And data that are not here are told apart, as asv shows them as skipped."""
    promises = suite("promises")

    def work(case: str) -> int:
        if case == "bad":
            raise ValueError("planted")
        if case == "absent":
            raise NotImplementedError("no file")
        return 3

    found = promises.each(["good", "bad", "absent"], work)
    promises.SameLabels().setup(found, "good")
    assert promises.SameLabels().track_different_labels(found, "good") == 3
    with pytest.raises(RuntimeError, match="planted"):
        promises.SameLabels().setup(found, "bad")
    with pytest.raises(NotImplementedError):
        promises.SameLabels().setup(found, "absent")


def test_the_full_profile_watches_all_that_is_promised(root: Path) -> None:
    """In a process of its own: the profile is read on import."""
    script = (
        "from benchmarks import cases as c;"
        "print(len(c.ANYTIME), len(c.SAMPLES), len(c.PROOFS), len(c.WHOLE_TABLES), set(c.ANYTIME) == set(c.LP_OPTIMA))"
    )
    environment = os.environ | {"MINV_BENCH_PROFILE": "full", "PYTHONPATH": str(root)}
    ended = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == ["6", "6", "8", "2", "True"]
