"""`minv series` counts what is in the folder."""

import json
from pathlib import Path

import pandas as pd

from .conftest import ROLES, Run, everything, write_table


def test_counts_of_a_series(run: Run, work: Path) -> None:
    """Half of the persons stay away from release 2 and are back in release 3."""
    frame = pd.read_csv(write_table(work / "full.csv"))
    frame[12:].to_csv(work / "half.csv", index=False)
    publish = ("--series", "out", "--format", "csv", *ROLES, "--id", "person", "--m", "2")
    for table in ("full.csv", "half.csv", "full.csv"):
        assert run("publish", table, *publish).code == 0
    before = everything(work)
    outcome = run("series", "out", "--json")
    assert outcome.code == 0
    assert everything(work) == before
    figures = json.loads(outcome.stdout)
    assert [release["rows"] for release in figures["releases"]] == [24, 12, 24]
    assert figures["persons"] == 24
    assert figures["lifespans"] == {"1": 12, "2": 12}
    assert figures["bytes"] == sum(
        len(content) for name, content in before.items() if name.startswith("out/")
    )
    published = pd.read_csv(work / "out/public/release-0001.csv")
    signatures = {tuple(sorted(group["illness"])) for _, group in published.groupby("class")}
    assert figures["releases"][0]["signatures"] == len(signatures)
    assert figures["releases"][0]["classes"] == published["class"].nunique()


def test_text_for_people(run: Run, work: Path) -> None:
    write_table(work / "table.csv")
    run("publish", "table.csv", "--series", "out", *ROLES, "--id", "person", "--m", "2")
    outcome = run("series", "out")
    assert outcome.code == 0
    assert "tau-safe, m = 2" in outcome.stdout
    assert "24 persons ever published; lifespans: 24 with 1" in outcome.stdout


def test_no_series_there(run: Run, work: Path) -> None:
    outcome = run("series", "nowhere")
    assert outcome.code == 3
    assert outcome.stderr.startswith("error: nowhere: no series here")


def test_public_part_alone(run: Run, work: Path) -> None:
    write_table(work / "table.csv")
    run("publish", "table.csv", "--series", "out", *ROLES, "--id", "person", "--m", "2")
    (work / "out/private").rename(work / "elsewhere")
    outcome = run("series", "out")
    assert outcome.code == 3
    assert "private part of the series is missing" in outcome.stderr
