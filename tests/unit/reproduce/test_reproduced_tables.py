"""Runs, medians and the written report, on a made-up solver."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minv.errors import CancelledError
from minv.reproduce import reproduction
from minv.reproduce.published import published_cells
from minv.reproduce.remaining import Remaining
from minv.reproduce.runs import SUBSETS, Job, Measurement, datasets_of, jobs_of, run_job
from minv.reproduce.samples import Sample
from minv.reproduce.summary import compare
from minv.reproduce.writing import CAVEATS, Context, write_report
from minv.stopping import CancelToken


@dataclass
class Step:
    il: float
    seconds: float


@dataclass
class Found:
    il: float
    seconds: float
    lower_bound_il: float | None
    steps: list[Step] = field(default_factory=list)


def solve(points: Any, colours: Any, m: int, *, method: str, seed: int = 0, **options: Any) -> Found:
    """IL depends on m and the seed in a way that the tests can foresee."""
    if method == "paper":
        names = 3 if options["swap_first"] else 2
        steps = [Step(50.0, 0.1), *(Step(10.0 * m + seed - number, number) for number in range(names))]
        return Found(steps[-1].il, 9.0, None, steps)
    return Found(10.0 * m + seed, 1.0, 5.0 * m if method == "optimise" else None)


def samples(*seeds: int) -> dict[str, list[Sample]]:
    """Samples without any content: the made-up solver looks only at their seeds."""
    made = [Sample(seed, np.zeros((0, 1)), np.zeros(0, np.int64)) for seed in seeds]
    return {"adult": made, "ipums": made}


def measure(table: int, *seeds: int) -> list[Measurement]:
    """All measurements of one table."""
    jobs = jobs_of(table, samples(*seeds), 1.0)
    return [measurement for job in jobs for measurement in run_job(solve, job).measurements]


@pytest.mark.parametrize("table", [4, 5, 6, 7, 8])
def test_every_printed_cell_has_a_counterpart(table: int) -> None:
    """With one value for each sample."""
    frame = compare(table, measure(table, 1, 2, 3))
    printed = frame[frame["paper_il"].notna()]
    assert len(printed) == len(published_cells(table))
    assert printed["il"].notna().all()
    assert (printed["samples"] == 3).all()


@pytest.mark.parametrize("table", [4, 5, 6, 7, 8])
def test_the_order_is_that_of_print(table: int) -> None:
    """Steps that the paper does not have come last."""
    frame = compare(table, measure(table, 1))
    printed = [(cell.dataset, cell.m, cell.step) for cell in published_cells(table)]
    ours = list(frame[["dataset", "m", "step"]].itertuples(index=False, name=None))
    assert ours[: len(printed)] == printed
    assert {step for _, _, step in ours[len(printed) :]} == {"classic-as-specified"}


def test_medians_and_spread_are_over_the_samples() -> None:
    """Seeds 1, 2 and 9 at m = 3: IL 31, 32 and 39, bound 15."""
    frame = compare(8, measure(8, 1, 2, 9))
    row = frame[(frame.dataset == "adult") & (frame.m == 3) & (frame.step == "optimization")].iloc[0]
    assert (row.il, row.il_least, row.il_greatest, row.bound) == (32, 31, 39, 15)
    assert row.paper_il == 1.64
    assert row.ratio == pytest.approx(32 / 1.64)
    assert row.gap == pytest.approx(100 * (32 - 15) / 32)


def test_steps_of_the_papers_route_are_told_apart() -> None:
    """The first two-swap, column generation, the second two-swap: in this order, the first one once."""
    found = [m for m in measure(6, 1) if m.m == 3]
    by_step = {(m.step, m.subsets): m.il for m in found}
    assert by_step[("two-swap-before", None)] == 31
    assert all(by_step[("column-generation", s)] == 30 for s in SUBSETS)
    assert all(by_step[("two-swap-after", s)] == 29 for s in SUBSETS)
    assert len(found) == len(by_step)


def test_tables_name_their_data_sets() -> None:
    """Two of the paper's tables are on one data set each."""
    assert datasets_of(4) == ("adult",)
    assert datasets_of(8) == ("adult", "ipums")


def test_the_report_is_written_three_ways(tmp_path: Path) -> None:
    """Markdown, HTML and CSV hold the same figures and say what is not comparable."""
    comparisons = {table: compare(table, measure(table, 1, 2)) for table in (7, 8)}
    context = Context(
        "minv 1.0",
        {"adult": "adult", "ipums": "<b>.csv"},
        {"adult": (1, 2), "ipums": (1, 2)},
        2,
        {7: 5, 8: 60},
        "highs",
    )
    paths = write_report(tmp_path / "out", comparisons, context)
    assert sorted(path.name for path in paths) == [
        "reproduction.html", "reproduction.md", "table-7.csv", "table-8.csv",
    ]  # fmt: skip
    text = (tmp_path / "out/reproduction.md").read_text(encoding="utf-8")
    page = (tmp_path / "out/reproduction.html").read_text(encoding="utf-8")
    assert "| adult | 3 |" in text
    assert "<td>22.43</td>" in page
    assert '<td class="text">optimization</td>' in page
    assert "&lt;b&gt;.csv" in page
    assert "<b>" not in page
    assert all(caveat in text for caveat in CAVEATS)
    read = pd.read_csv(tmp_path / "out/table-8.csv")
    np.testing.assert_allclose(read["il"], comparisons[8]["il"])


class Interruption(Exception):  # noqa: N818 - not an error
    """Stands for whatever ends the work early."""


@pytest.fixture
def run_table_4(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs Table 4 on one sample; returns what was told."""
    monkeypatch.setattr(reproduction, "find_table", lambda name: name)
    monkeypatch.setattr(reproduction, "draw_samples", lambda table, design, count: samples(1)["adult"])

    def run(solve: Any, told: list[str], **options: Any) -> None:
        found = reproduction.reproduce(
            [4],
            {"adult": "a", "ipums": "i"},
            samples=1,
            time_limit=None,
            team=reproduction.Team(solve),
            solver="highs",
            out=tmp_path,
            report=told.append,
            **options,
        )
        list(found)

    return run


def test_progress_tells_what_is_done_and_what_is_left(run_table_4: Any) -> None:
    """One phrase at the beginning, one for each sample; nothing is left at the end."""
    told: list[str] = []
    run_table_4(solve, told)
    assert told[0] == "3 samples to run, 1 at a time; about 75 s at most"
    assert "table 4: adult, m = 3, seed 1 done; 1 of 3 samples, about 50 s left" in told[1]
    assert "3 of 3 samples, about 0 s left" in told[3]


def test_a_finished_report_does_not_call_itself_unfinished(run_table_4: Any, tmp_path: Path) -> None:
    """And leaves no files beside the report."""
    run_table_4(solve, [])
    text = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert "Not finished" not in text
    assert "one run at a time, each in one process with one core" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "reproduction.html", "reproduction.md", "table-4.csv",
    ]  # fmt: skip


def test_what_is_done_is_kept_when_the_work_is_interrupted(run_table_4: Any, tmp_path: Path) -> None:
    """The report holds the finished m; later rows have only the paper's figures."""

    def interrupted(points: Any, colours: Any, m: int, **options: Any) -> Found:
        if m == 5:
            raise Interruption
        return solve(points, colours, m, **options)

    with pytest.raises(Interruption):
        run_table_4(interrupted, [])
    written = pd.read_csv(tmp_path / "table-4.csv")
    printed = written[written["paper_il"].notna()]
    assert len(printed) == len(published_cells(4))
    assert set(printed.loc[printed["il"].notna(), "m"]) == {3}
    text = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert "Limit of each run: 5 s in Table 4" in text
    assert "Not finished: 1 of 3 samples is done" in text


def test_a_sample_that_was_cut_short_does_not_count(run_table_4: Any, tmp_path: Path) -> None:
    """The token is set during m = 5, whose runs end early with results that nobody should see."""
    cancel = CancelToken()

    def slow(points: Any, colours: Any, m: int, **options: Any) -> Found:
        if m == 5:
            cancel.cancel()
        return solve(points, colours, m, **options)

    with pytest.raises(CancelledError):
        run_table_4(slow, [], cancel=cancel)
    written = pd.read_csv(tmp_path / "table-4.csv")
    assert set(written.loc[written["il"].notna(), "m"]) == {3}


def test_nothing_is_written_when_nothing_is_done(run_table_4: Any, tmp_path: Path) -> None:
    """Interrupted in the first sample."""
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        run_table_4(solve, [], cancel=cancel)
    assert not list(tmp_path.iterdir())


def test_the_rest_is_estimated_from_jobs_of_the_same_kind() -> None:
    """Two jobs of 50 s at most each; the first takes 10 s; with two at a time the rest is never below one job."""
    jobs = [Job(8, "adult", m, sample, 50.0) for m in (3, 5) for sample in samples(1, 2)["adult"]]
    remaining = Remaining(jobs, 2)
    assert remaining.seconds == 100
    remaining.finish(jobs[0], 10.0)
    assert remaining.seconds == (10 + 100) / 2
    remaining.finish(jobs[1], 10.0)
    remaining.finish(jobs[2], 30.0)
    assert remaining.seconds == 30


def test_tables_with_the_same_limit_are_named_together() -> None:
    """As a reader would write it."""
    context = Context("minv 1.0", {}, {}, 2, {4: 5.0, 5: 5.0, 8: 100.0}, "highs", at_once=3)
    sentences = context.sentences()
    assert sentences[-1].startswith("Limit of each run: 5 s in Tables 4, 5; 100 s in Table 8.")
    assert "3 runs at a time, each in one process with 0.67 of a core" in sentences[0]
