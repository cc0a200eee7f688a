"""The COAA paper's experiments from end to end: samples, runs, tables, pictures."""

import os
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points, version
from pathlib import Path

import pandas as pd

from minv.errors import DataError
from minv.reproduce.clustering import Measurement, measure, read_adult
from minv.reproduce.clustering_pictures import draw, need_pictures
from minv.reproduce.clustering_summary import compare, findings
from minv.reproduce.sources import find_table

OFFERS = "minv.hierarchies"
"""Entry-point group in which a package offers functions that return the path of the hierarchy of each column."""

CHOICES = (
    "The paper names nine attributes of which occupation is sensitive, yet counts up to nine quasi-identifiers. Eight "
    "are left, so its |B| = 9 is |B| = 8 here.",
    "It does not say which attributes are the first three, five and seven. Here they are taken in the order in which "
    "it lists them: age, sex, education, marital status, race, work class, native country, salary class.",
    "Its sample and its hierarchies are not published. Ours are drawn at random from the complete rows with the seeds "
    "named above; the hierarchies are those of this project. Age is generalised to intervals (KACA: a tree of 16).",
    "Its pseudo-code wants more than k records in both parts of a bisection, its text at least k: so here.",
    "It does not tell the sizes of Figures 6 and 8, nor |B| of Figure 7: here 500 to 2000 records, and 7.",
    "It ran MATLAB; ours are compiled. Seconds compare methods written in one way, on one machine.",
)


def hierarchy_files(folder: Path | None, name: str) -> dict[str, Path]:
    """Return the files `COLUMN.csv` of a folder or, without one, those that an installed package offers by this name.

    Raises
    ------
    DataError
        There are none.
    """
    if folder is not None:
        found = {path.stem: path for path in sorted(folder.glob("*.csv"))}
        if not found:
            raise DataError(f"{folder}: no hierarchies (files COLUMN.csv) in this folder")
        return found
    for offer in entry_points(group=OFFERS):
        if offer.name == name:
            offered: dict[str, Path] = offer.load()()
            return offered
    raise DataError(f"no package offers hierarchies for {name}; name their folder (--hierarchies DIR)")


def reproduce_clustering(
    source: str,
    hierarchies: Mapping[str, Path],
    *,
    samples: int,
    time_limit: float | None,
    out: Path,
    report: Callable[[str], None],
) -> list[str]:
    """Run everything on the samples of seeds 1, 2, ..., write the report, and return it as lines of Markdown.

    Raises
    ------
    UsageError, DataError
        The table or a hierarchy is not to be had or not usable; matplotlib is missing.
    """
    need_pictures()
    microdata = read_adult(find_table(source), hierarchies)
    seeds = range(1, samples + 1)
    measurements = list(measure(microdata, seeds, time_limit, report))
    out.mkdir(parents=True, exist_ok=True)
    limit = (
        "nine tenths of the seconds of the slowest of the others"
        if time_limit is None
        else f"{time_limit:g} s"
    )
    facts = [
        f"Made by minv {version('minv')}; one process, {len(os.sched_getaffinity(0))} cores in reach.",
        f"{samples} samples of {source}, seeds {', '.join(map(str, seeds))}; ours (`optimise`) was given {limit}.",
        *findings(measurements),
    ]
    lines = _report(compare(measurements), facts, draw(out, measurements))
    (out / "coaa.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    _write_runs(out / "coaa.csv", measurements)
    return lines


def _write_runs(path: Path, measurements: list[Measurement]) -> None:
    pd.DataFrame(measurements).to_csv(path, index=False)


def _report(table: pd.DataFrame, facts: list[str], pictures: list[Path]) -> list[str]:
    headings = ["records", "k", "QIs", *table.columns[3:-3], "ours below the best, %", "median", "least"]
    rows = [
        [
            *map(str, row[:3]),
            *(f"{value:.2f}" for value in row[3:7]),
            *(f"{value:.3f}" for value in row[7:-3]),
            *(f"{value:.1f}" for value in row[-3:]),
        ]
        for row in table.itertuples(index=False, name=None)
    ]
    lines = ["# COAA, GAA-CP, KACA and ours", "", *(f"- {fact}" for fact in facts), ""]
    lines += ["Mean NCP of a cell in percent, and seconds, over all samples:", ""]
    lines += [f"| {' | '.join(line)} |" for line in (headings, ["---"] * len(headings), *rows)]
    lines += ["", *(f"![{path.stem}]({path.name})" for path in pictures if path.suffix == ".svg")]
    return [
        *lines,
        "",
        "## What the paper leaves open, and what was chosen",
        "",
        *(f"- {text}" for text in CHOICES),
    ]
