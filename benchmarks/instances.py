"""The instances: microdata as coordinates and colours, the same for every commit of minv."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import minv_datasets
from benchmarks.cases import InstanceCase


@dataclass(frozen=True, slots=True)
class Source:
    """Where a data set comes from and which columns play which role."""

    load: Callable[[int], pd.DataFrame]  # the first n rows, in the order of the source
    quasi_identifiers: tuple[str, ...]
    sensitive: str


@dataclass(frozen=True, eq=False, slots=True)
class Microdata:
    """One instance: coordinates (n, d), z-scored; colours (n,), 0..L-1."""

    points: NDArray[np.float64]
    colours: NDArray[np.int64]


def complete_adult(rows: int) -> pd.DataFrame:
    """Return the first rows of Adult without a missing value."""
    return minv_datasets.complete_rows(minv_datasets.load_adult()).head(rows)


def acs(rows: int) -> pd.DataFrame:
    """Return the first rows of the ACS file that MINV_DATA holds."""
    return minv_datasets.load_acs_pums(download=False).head(rows)


def generated(rows: int) -> pd.DataFrame:
    """Return IPUMS-like rows from the generator."""
    return minv_datasets.ipums_like(rows, seed=1)


SOURCES = {
    "adult": Source(
        complete_adult,
        ("age", "sex", "education-num", "hours-per-week", "capital-gain", "fnlwgt"),
        "occupation",
    ),
    "acs": Source(acs, ("sex", "age", "educ"), "occ"),
    "ipums-like": Source(generated, ("sex", "age", "educ"), "occupation"),
}


def checksum(case: InstanceCase) -> str:
    """Return twelve hexadecimal digits that change with the data; "absent" where they are not here."""
    try:
        data = load(case)
    except NotImplementedError:
        return "absent"
    digest = hashlib.sha256(np.round(data.points, 9).tobytes())
    digest.update(data.colours.tobytes())
    return digest.hexdigest()[:12]


@cache
def load(case: InstanceCase) -> Microdata:
    """Return the coordinates and colours of a case.

    Raises
    ------
    NotImplementedError
        The file is not on this machine, which asv reports as "skipped".
    """
    source = SOURCES[case.dataset]
    try:
        frame = source.load(case.rows)
    except minv_datasets.UnavailableError as error:
        raise NotImplementedError(str(error)) from error
    if len(frame) < case.rows:
        raise ValueError(f"{case.dataset} has {len(frame)} rows, not {case.rows}")
    coordinates = [z_scores(frame[name]) for name in source.quasi_identifiers[: case.coordinates]]
    colours = pd.factorize(frame[source.sensitive], sort=True)[0].astype(np.int64)
    if case.colours is not None:
        colours = coarsened(colours, case.colours)
    return Microdata(np.column_stack(coordinates), colours)


def coarsened(colours: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return colours merged to `number`, the frequent ones with the rare ones so that none dominates."""
    by_frequency = np.argsort(-np.bincount(colours), kind="stable")
    rank = np.empty(len(by_frequency), np.int64)
    rank[by_frequency] = np.arange(len(by_frequency))
    return rank[colours] % number


def z_scores(column: "pd.Series[float]") -> NDArray[np.float64]:
    """Return the values (of a binary column: 0 and 1) at mean 0 and population variance 1."""
    numeric = pd.api.types.is_numeric_dtype(column)
    values = (column if numeric else pd.factorize(column, sort=True)[0]).astype(np.float64)
    values = np.asarray(values)
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else np.zeros(len(values))
