"""The paper's cells beside the medians of ours."""

from collections.abc import Iterable

import pandas as pd

from minv.reproduce.published import published_cells
from minv.reproduce.runs import Measurement

KEYS = ["dataset", "m", "subsets", "step"]


def compare(table: int, measurements: Iterable[Measurement]) -> pd.DataFrame:
    """Return one row a step of a table, in the paper's order; steps that the paper does not have come last.

    Columns: dataset, m, subsets, step; paper_seconds, paper_il; samples; seconds, il (medians), il_least,
    il_greatest; ratio (median IL over the paper's); bound (median), gap (median of (IL - bound)/IL). Losses and
    the gap are in percent; a missing value means that there is none.
    """
    printed = _without_missing(pd.DataFrame(published_cells(table)))
    ours = _without_missing(pd.DataFrame([_record(measurement) for measurement in measurements]))
    groups = ours.groupby(KEYS, sort=False)
    medians = groups[["seconds", "il", "bound", "gap"]].median()
    spread = groups["il"].agg(samples="size", il_least="min", il_greatest="max")
    paper = printed.rename(columns={"seconds": "paper_seconds", "il": "paper_il"}).set_index(KEYS)
    joined = paper[["paper_seconds", "paper_il"]].join(medians.join(spread), how="outer", sort=False)
    ordered = joined.loc[list(dict.fromkeys([*paper.index, *medians.index]))].reset_index()
    ordered["ratio"] = ordered["il"] / ordered["paper_il"]
    ordered["subsets"] = ordered["subsets"].astype("Int64").mask(ordered["subsets"] == 0)
    columns = ["paper_seconds", "paper_il", "samples", "seconds", "il", "il_least", "il_greatest"]
    return ordered[[*KEYS, *columns, "ratio", "bound", "gap"]]


def _record(measurement: Measurement) -> dict[str, object]:
    il, bound = measurement.il, measurement.bound
    gap = None if bound is None or il <= 0 else 100 * max(0.0, il - bound) / il
    return {
        "dataset": measurement.dataset,
        "m": measurement.m,
        "subsets": measurement.subsets,
        "step": measurement.step,
        "seconds": measurement.seconds,
        "il": il,
        "bound": bound,
        "gap": gap,
    }


def _without_missing(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with 0 for "does not depend on the number of subsets", which a key must not lack."""
    names = [name for name in ("subsets", "seconds", "il", "bound", "gap") if name in frame]
    numbers = frame.assign(**{name: pd.to_numeric(frame[name]) for name in names})
    return numbers.assign(subsets=numbers["subsets"].fillna(0).astype(int))
