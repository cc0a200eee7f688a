"""The papers' tables: one row a cell pair (seconds, IL), transcribed with their source (papers/README.md)."""

from functools import cache
from pathlib import Path

import pandas as pd

PAPER_NAMES = {"adult": "adult", "acs": "ipums", "ipums-like": "ipums"}
"""Which of the paper's data sets each of ours is compared with."""


@cache
def m_invariance_tables() -> pd.DataFrame:
    """Every cell of Tables 4-8: columns table, dataset, m, subsets, step, seconds, il."""
    return pd.read_csv(Path(__file__).parent / "papers" / "m-invariance.csv", dtype={"subsets": "Int64"})


def best_il(dataset: str, m: int) -> float:
    """IL in percent of the paper's best solution (Table 8) for one of our data sets."""
    return published_il(dataset, m, table=8, step="optimization")


def published_il(dataset: str, m: int, *, table: int, step: str, subsets: int | None = None) -> float:
    """One IL of the paper, in percent.

    Raises
    ------
    KeyError
        The paper has no such cell.
    """
    tables = m_invariance_tables()
    chosen = (
        (tables.table == table)
        & (tables.dataset == PAPER_NAMES[dataset])
        & (tables.m == m)
        & (tables.step == step)
        & (tables.subsets.isna() if subsets is None else (tables.subsets == subsets).fillna(False))
    )
    if chosen.sum() != 1:
        raise KeyError(f"table {table}, {dataset}, m = {m}, {step}, s = {subsets}")
    return float(tables.loc[chosen, "il"].item())
