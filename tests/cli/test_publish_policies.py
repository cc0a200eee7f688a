"""Counterfeits, deletions and the comparison, from the command line."""

import json
from pathlib import Path

import pytest

from .conftest import ROLES, Run, write_table

PUBLISH = (*ROLES, "--id", "person", "--m", "2", "--series", "out")
CROWDED = ("flu", "flu", "flu", "gout")


@pytest.fixture
def crowded(work: Path) -> Path:
    """Give a table in which three of four have flu."""
    return write_table(work / "crowded.csv", 8, CROWDED)


def test_a_crowded_table_is_infeasible(run: Run, crowded: Path) -> None:
    outcome = run("publish", crowded, *PUBLISH)
    assert outcome.code == 4
    assert "occurs 6 times" in outcome.stderr
    assert not Path("out").exists()


def test_eligibility_by_counterfeits(run: Run, crowded: Path) -> None:
    outcome = run("publish", crowded, *PUBLISH, "--counterfeits", "eligibility", "--json")
    assert outcome.code == 0
    figures = json.loads(outcome.stdout)
    assert (figures["classes"], figures["counterfeits"], figures["deleted"]) == (6, 4, 0)


def test_eligibility_by_deletions(run: Run, crowded: Path) -> None:
    assert run("publish", crowded, *PUBLISH, "--deletions", "3").code == 4
    outcome = run("publish", crowded, *PUBLISH, "--deletions", "4")
    assert outcome.code == 0
    assert "4 deleted" in outcome.stdout


def test_the_comparison_as_text_and_json(run: Run, table: Path) -> None:
    assert run("publish", table, *PUBLISH).code == 0
    text = run("publish", table, "--series", "out", "--compare-staged")
    assert [line.split()[:2] for line in text.stdout.splitlines() if "staged" in line][-2:] == [
        ["staged", "classic"],
        ["staged", "tau"],
    ]
    figures = json.loads(run("publish", table, "--series", "out", "--compare-staged", "--json").stdout)
    assert set(figures["staged"]) == {"classic", "tau"}
    assert set(figures["staged"]["tau"]) == {"classes", "counterfeits", "sse", "il"}


def test_check_predicts_the_counterfeits_of_the_next_release(run: Run, table: Path, work: Path) -> None:
    """As many as publishing then makes; and a release that is infeasible is exit code 4 there already."""
    assert run("publish", table, *PUBLISH).code == 0
    fewer = write_table(work / "fewer.csv", 7)
    predicted = json.loads(run("check", fewer, "--series", "out", "--json").stdout)["counterfeits"]
    assert f"needs {predicted} counterfeit" in run("check", fewer, "--series", "out").stdout
    made = json.loads(run("publish", fewer, "--series", "out", "--json").stdout)["counterfeits"]
    assert predicted == made
    crowd = write_table(work / "crowd.csv", 400, ("flu", "flu", "flu", "gout"))
    outcome = run("check", crowd, "--series", "out", "--json")
    assert outcome.code == 4
    assert json.loads(outcome.stdout)["counterfeits"] is None
