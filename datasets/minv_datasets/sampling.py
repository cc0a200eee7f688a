"""Seeded samples, among them the ones on which an m-unique partition exists at all."""

from collections.abc import Iterator, Sequence
from itertools import count as naturals
from itertools import islice

import numpy as np
import pandas as pd

from minv_datasets.adult import ADULT_MISSING
from minv_datasets.errors import DataError, UsageError
from minv_datasets.wording import counted

ADULT_SAMPLE_SIZE = 1500
"""Rows of the paper's sample of Adult (Tobar Nicolau, Castro, Gentile 2025, section 6)."""
IPUMS_SAMPLE_SIZE = 1000
"""Rows of the paper's sample of IPUMS USA (the same section)."""
PATIENCE = 1000  # samples refused in a row before the search is given up


def complete_rows(frame: pd.DataFrame, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the rows without a missing value or "?" in `columns` (default: in any), renumbered from 0.

    Adult has 30,162 such rows.
    """
    checked = frame if columns is None else frame[list(columns)]
    incomplete = checked.isna() | (checked == ADULT_MISSING).fillna(False)
    return frame[~incomplete.any(axis="columns").to_numpy(dtype=bool)].reset_index(drop=True)


def sample(frame: pd.DataFrame, n: int, seed: int) -> pd.DataFrame:
    """Return n rows drawn at random without replacement, in random order, renumbered from 0.

    Raises
    ------
    UsageError
        n is negative or above the number of rows.
    """
    if not 0 <= n <= len(frame):
        raise UsageError(f"a sample of {counted(n, 'row')} cannot be drawn from {len(frame)}")
    positions = np.random.default_rng(seed).permutation(len(frame))[:n]
    return frame.iloc[positions].reset_index(drop=True)


def is_eligible(sensitive: "pd.Series[str]", m: int) -> bool:
    """Whether no value has more than 1/m of the rows: the condition for an m-unique partition to exist."""
    counts = sensitive.value_counts(dropna=False)
    return len(counts) > 0 and m * int(counts.iloc[0]) <= len(sensitive)


def eligible_samples(
    frame: pd.DataFrame, sensitive: str, n: int, m: int, count: int
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield (seed, sample) for the first `count` seeds 1, 2, ... whose sample is m-eligible.

    On Adult every seventh person has the same occupation: at m = 7 and n = 1500 a third of all samples has no
    7-unique partition.

    Parameters
    ----------
    frame, n
        What `sample` draws from, and how many rows.
    sensitive
        Column in which no value may have more than n/m of the sample's rows.
    m
        Least number of different values in a class.
    count
        How many samples.

    Raises
    ------
    UsageError
        The column does not exist, or n is not a possible sample size.
    DataError
        A thousand seeds in a row gave no eligible sample.
    """
    if sensitive not in frame.columns:
        raise UsageError(f"the table has no column {sensitive}")
    return islice(_all_eligible(frame, sensitive, n, m), count)


def _all_eligible(frame: pd.DataFrame, sensitive: str, n: int, m: int) -> Iterator[tuple[int, pd.DataFrame]]:
    last = 0
    for seed in naturals(1):
        drawn = sample(frame, n, seed)
        if is_eligible(drawn[sensitive], m):
            last = seed
            yield seed, drawn
        elif seed - last >= PATIENCE:
            raise DataError(f"none of {PATIENCE} samples of {n} rows is {m}-eligible: take a smaller m")
