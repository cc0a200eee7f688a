"""The comparison as Markdown, CSV and HTML."""

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from minv.wording import counted, form

TITLES = {
    4: "Adult, two-swap only after column generation",
    5: "IPUMS, two-swap only after column generation",
    6: "Adult, two-swap before and after column generation",
    7: "IPUMS, two-swap before and after column generation",
    8: "Best results",
}

HEADINGS = {
    "dataset": "data",
    "m": "m",
    "subsets": "s",
    "step": "step",
    "paper_seconds": "paper: s",
    "paper_il": "paper: IL",
    "samples": "samples",
    "seconds": "ours: s",
    "il": "ours: IL",
    "il_least": "least",
    "il_greatest": "greatest",
    "ratio": "ours/paper",
    "bound": "bound",
    "gap": "gap, %",
}

DIGITS = {"ratio": 3, "bound": 4, "gap": 2, "samples": 0, "m": 0, "subsets": 0}

TEXT = ' class="text"'
STYLE = (
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.2em .6em;text-align:right}"
    ".text{text-align:left}thead{border-bottom:1px solid}tbody tr:nth-child(even){background:#f3f3f3}"
)

COLUMNS = (
    "s: number of subsets of the paper's column generation; empty where a step does not depend on it.",
    "paper: s and ours: s are the wall seconds of the step, paper: IL and ours: IL the loss after it in percent of the "
    "total sum of squares. Ours are medians over the samples; least and greatest are the extremes of the loss.",
    "ours/paper: our median loss divided by the paper's. bound: median of the proved lower bounds on the loss; gap: "
    "median of (IL - bound)/IL.",
)

CAVEATS = (
    "The paper's samples are not published. Ours have the same size and columns and are drawn with the seeds "
    "named above, so figures agree in level, not in digits.",
    "Its IPUMS extract is not public. What stands in for it is named above.",
    "It ran on two AMD EPYC 7532 (128 cores together) with CPLEX and s threads, up to two hours a run; ours ran "
    "on the machine named above. Seconds compare the two experiments, not two programs on one machine.",
    'Its "Classic" has the level of random classes within buckets, its "Tau" that of halving on the widest '
    "range; these are what stands beside them. The split that Xiao and Tao specify is the row "
    "classic-as-specified.",
    "The paper prints no bound; ours are proved lower bounds on the loss of every m-unique partition of the "
    "sample.",
)


@dataclass(frozen=True, slots=True)
class Context:
    """What was run.

    Attributes
    ----------
    software
        Name and version.
    tables
        For each of the paper's data sets, what was sampled.
    seeds
        For each of them, the seeds of the samples.
    cores
        Number of cores in use.
    limits
        Wall seconds for each run, by table.
    at_once
        Number of runs at a time, each in a process of its own.
    jobs, done
        Number of samples in all tables, and of those that are done.
    solver
        Of linear and integer programs.
    """

    software: str
    tables: Mapping[str, str]
    seeds: Mapping[str, tuple[int, ...]]
    cores: int
    limits: Mapping[int, float]
    solver: str
    at_once: int = 1
    jobs: int = 0
    done: int = 0

    def sentences(self) -> list[str]:
        """Return the facts, a sentence each."""
        facts = [
            f"{dataset}: samples of {source} with the seeds {', '.join(map(str, self.seeds[dataset]))}."
            for dataset, source in self.tables.items()
        ]
        team = "one run at a time" if self.at_once == 1 else f"{self.at_once} runs at a time"
        share = min(1.0, self.cores / self.at_once)
        return [
            *(
                []
                if self.done == self.jobs
                else [
                    f"Not finished: {self.done} of {counted(self.jobs, 'sample')} {form(self.done, 'is', 'are')} done."
                ]
            ),
            f"Made by {self.software} with the solver {self.solver} on {counted(self.cores, 'core')}, {team}, "
            f"each in one process with {'one core' if share == 1 else f'{share:.2g} of a core'}.",
            *facts,
            f"Limit of each run: {self._limits()}. A step that it cuts short keeps the partition it had.",
        ]

    def _limits(self) -> str:
        tables_of: dict[float, list[str]] = {}
        for table, limit in self.limits.items():
            tables_of.setdefault(limit, []).append(str(table))
        return "; ".join(
            f"{limit:g} s in Table{'s' if len(tables) > 1 else ''} {', '.join(tables)}"
            for limit, tables in tables_of.items()
        )


def write_report(folder: Path, comparisons: Mapping[int, pd.DataFrame], context: Context) -> list[Path]:
    """Write reproduction.md, reproduction.html and a CSV file a table; return their paths.

    Each file is the old or the new one at any moment.
    """
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "reproduction.md": markdown(comparisons, context),
        "reproduction.html": page(comparisons, context),
        **{f"table-{number}.csv": frame.to_csv(index=False) for number, frame in comparisons.items()},
    }
    for name, text in contents.items():
        unfinished = folder / f".{name}.part"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(folder / name)
    return [folder / name for name in contents]


def markdown(comparisons: Mapping[int, pd.DataFrame], context: Context) -> str:
    """Return the whole report as Markdown."""
    parts = ["# The paper's tables beside ours", "\n".join(f"- {fact}" for fact in context.sentences())]
    for number, frame in comparisons.items():
        parts += [f"## Table {number}: {TITLES[number]}", markdown_table(frame)]
    parts += ["## The columns", "\n".join(f"- {column}" for column in COLUMNS)]
    parts += ["## What is not comparable", "\n".join(f"- {caveat}" for caveat in CAVEATS)]
    return "\n\n".join(parts) + "\n"


def markdown_table(frame: pd.DataFrame) -> str:
    """Return one comparison as a Markdown table, columns without any value left out."""
    names, rows = printable(frame)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def page(comparisons: Mapping[int, pd.DataFrame], context: Context) -> str:
    """Return the whole report as one HTML file."""
    parts = ["<h1>The paper's tables beside ours</h1>", _list(context.sentences())]
    for number, frame in comparisons.items():
        names, rows = printable(frame)
        kinds = [TEXT if name in ("data", "step") else "" for name in names]
        head = "".join(f"<th{kind}>{html.escape(name)}</th>" for name, kind in zip(names, kinds, strict=True))
        body = "\n".join(_row(row, kinds) for row in rows)
        parts.append(f"<h2>Table {number}: {TITLES[number]}</h2>")
        parts.append(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>")
    parts += ["<h2>The columns</h2>", _list(COLUMNS)]
    parts += ["<h2>What is not comparable</h2>", _list(CAVEATS)]
    head = f'<meta charset="utf-8"><title>The paper\'s tables beside ours</title><style>{STYLE}</style>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n'
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _row(cells: list[str], kinds: list[str]) -> str:
    inner = "".join(f"<td{kind}>{html.escape(cell)}</td>" for cell, kind in zip(cells, kinds, strict=True))
    return f"<tr>{inner}</tr>"


def printable(frame: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells as text, columns without any value left out."""
    kept = [name for name in frame.columns if frame[name].notna().any()]
    cells = {name: [_text(value, DIGITS.get(name, 2)) for value in frame[name]] for name in kept}
    return [HEADINGS[name] for name in kept], [list(row) for row in zip(*cells.values(), strict=True)]


def _text(value: Any, digits: int) -> str:
    if isinstance(value, str):
        return value
    return "" if pd.isna(value) else f"{value:.{digits}f}"


def _list(sentences: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences) + "</ul>"
