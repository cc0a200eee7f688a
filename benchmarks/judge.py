"""Every solution is verified by the independent judge; a violation is an exception, never a number."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import minv_verifiers
from benchmarks.instances import Microdata
from minv_verifiers.model import Model

TOLERANCE = 1e-6  # relative, on IL


class ViolationError(AssertionError):
    """A solution is not what it claims to be."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a solver says about its partition; losses in percent, None where it says nothing."""

    labels: NDArray[np.int64]
    il: float
    bound: float | None = None


def judge(data: Microdata, m: int, claim: Claim, model: Model = "m-unique") -> float:
    """Return the IL in percent of a partition, recomputed by the judge from the published classes.

    Raises
    ------
    ViolationError
        The partition is not m-unique (by `model`: not k-anonymous for k = m), someone is missing, a published
        cell is not tight, the claimed IL is another one, or the claimed bound lies above it.
    """
    original = table_of(data)
    report = minv_verifiers.verify(
        published(original, claim.labels),
        quasi_identifiers=[f"{name}:numeric" for name in coordinates_of(original)],
        sensitive="sensitive",
        class_id="class",
        person="person",
        m=m,
        model=model,
        tables=[original],
    )
    if report.violated or not report.passed:
        raise ViolationError(f"violated: {', '.join(report.violated) or report.verdict}")
    il = report.measures[0].il
    if il is None:
        raise ViolationError("the judge could not recompute the loss")
    if abs(il - claim.il) > TOLERANCE * max(il, 1.0):
        raise ViolationError(f"IL is {il}, not {claim.il} as claimed")
    if claim.bound is not None and claim.bound > il * (1 + TOLERANCE):
        raise ViolationError(f"the bound {claim.bound} lies above the IL {il}")
    return il


def table_of(data: Microdata) -> pd.DataFrame:
    """Return the instance as a table: person, one column a coordinate, sensitive."""
    columns = {f"q{axis}": column for axis, column in enumerate(data.points.T)}
    colours = pd.Series(data.colours).astype(str)
    return pd.DataFrame({"person": np.arange(len(data.points)), **columns, "sensitive": colours})


def coordinates_of(table: pd.DataFrame) -> list[str]:
    """Return the names of the coordinates."""
    return [name for name in table.columns if name.startswith("q")]


def published(original: pd.DataFrame, labels: NDArray[np.int64]) -> pd.DataFrame:
    """Return the table with a class column and each coordinate as the tight interval of the class.

    Raises
    ------
    ViolationError
        There is not one label for each row.
    """
    if len(labels) != len(original):
        raise ViolationError(f"{len(labels)} labels for {len(original)} rows")
    result = original.assign(**{"class": labels})
    for name in coordinates_of(original):
        groups = original[name].groupby(labels)
        cells = {
            group: f"[{low!r}, {high!r}]" if low < high else repr(low)
            for group, low, high in zip(
                groups.groups, groups.min().tolist(), groups.max().tolist(), strict=True
            )
        }
        result[name] = pd.Series(labels).map(cells).to_numpy()
    return result
