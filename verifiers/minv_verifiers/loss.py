"""Information loss, computed anew from the definitions (docs/format.md, section 4; Xu et al. 2006 for NCP)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minv_verifiers.arrays import FloatArray, IntArray, dense, distinct_sorted
from minv_verifiers.cells.column import ValueColumn
from minv_verifiers.model import QuasiIdentifier, Release, Truth


class Loss(NamedTuple):
    """SSE, SST and IL = 100 SSE/SST (0 where SST is 0)."""

    sse: float
    sst: float

    @property
    def il(self) -> float:
        """In percent."""
        return 100.0 * self.sse / self.sst if self.sst > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Scaling:
    """How quasi-identifiers are weighed.

    Attributes
    ----------
    weights
        Factor on the squared distances of a column; 1 where left out.
    hierarchies
        For a nominal column, the ancestors of each value, nearest first.
    """

    weights: Mapping[str, float]
    hierarchies: Mapping[str, Mapping[str, Sequence[str]]]


def information_loss(
    release: Release, truth: Truth, columns: tuple[QuasiIdentifier, ...], scaling: Scaling
) -> Loss:
    """SSE and SST over the real published rows of a release."""
    owners, count = dense(release.class_of_row[truth.real])
    sse = sst = 0.0
    for column in columns:
        values = truth.values[column.name]
        codes = values.codes[truth.link[truth.real]]
        if _is_nominal(column, values, codes):
            within, total = _nominal(owners, count, codes, values, scaling.hierarchies.get(column.name))
        else:
            within, total = _ordered(owners, count, codes, values)
        weight = scaling.weights.get(column.name, 1.0)
        sse += weight * within
        sst += weight * total
    return Loss(sse, sst)


def _is_nominal(column: QuasiIdentifier, values: ValueColumn, codes: IntArray) -> bool:
    """Whether the column is nominal, or of unknown kind with a value that is no number."""
    if column.kind != "any":
        return column.kind == "nominal"
    present = distinct_sorted(codes)
    return any(values.texts[code] is not None for code in present[np.isnan(values.numbers[present])])


def _ordered(owners: IntArray, count: int, codes: IntArray, values: ValueColumn) -> tuple[float, float]:
    """Loss of a z-scored column; a missing value takes the mean and a 0/1 coordinate of its own."""
    numbers = values.numbers[codes]
    known = ~np.isnan(numbers)
    if not known.any():
        return 0.0, 0.0
    scale = np.abs(numbers[known]).max() or 1.0
    shifted = np.where(known, numbers / scale, 0.0)
    shifted = np.where(known, shifted - shifted[known].mean(), 0.0)
    within, total = _standardised(owners, count, shifted)
    if not known.all():
        absent_within, absent_total = _standardised(owners, count, (~known).astype(np.float64))
        within, total = within + absent_within, total + absent_total
    return within, total


def _standardised(owners: IntArray, count: int, column: FloatArray) -> tuple[float, float]:
    """SSE and SST of one coordinate after scaling it to unit population variance; 0 if it is constant."""
    if column.min() == column.max():
        return 0.0, 0.0
    deviations = column - column.mean()
    total = float(deviations @ deviations)
    sizes = np.bincount(owners, minlength=count)
    within = deviations - (np.bincount(owners, weights=deviations, minlength=count) / sizes)[owners]
    return float(within @ within) / total * len(column), float(len(column))


def _nominal(
    owners: IntArray,
    count: int,
    codes: IntArray,
    values: ValueColumn,
    hierarchy: Mapping[str, Sequence[str]] | None,
) -> tuple[float, float]:
    """Loss of a nominal column: one coordinate for each node of its tree, the population variances summing to 1."""
    within = total = 0.0
    for members, weight in tree_coordinates(values, hierarchy):
        below = members[codes]
        sizes = np.bincount(owners, minlength=count)
        inside = np.bincount(owners, weights=below, minlength=count)
        within += weight * float((inside - inside**2 / sizes).sum())
        total += weight * float(below.sum() - below.sum() ** 2 / len(codes))
    return (within / total * len(codes), float(len(codes))) if total > 0 else (0.0, 0.0)


def tree_coordinates(
    values: ValueColumn, hierarchy: Mapping[str, Sequence[str]] | None
) -> list[tuple[FloatArray, float]]:
    """For each node below the root: which values lie under it, and the squared length of the edge above it.

    The squared distance of two values is the height of their lowest common ancestor, leaves under it divided
    by leaves under the root; as the tree is ultrametric, half the difference of heights lies on each edge.
    """
    if not hierarchy:
        return [(np.eye(1, len(values.texts), code).reshape(-1), 1.0) for code in range(len(values.texts))]
    paths = {value: (value, *ancestors) for value, ancestors in hierarchy.items()}
    absent = any(text is None for text in values.texts)
    leaves: dict[tuple[str, ...], int] = {}
    for path in paths.values():
        for depth in range(1, len(path)):
            leaves[path[depth:]] = leaves.get(path[depth:], 0) + 1
    root = max(leaves.values()) + absent
    members: dict[tuple[str, ...], FloatArray] = {}
    weights: dict[tuple[str, ...], float] = {}
    for code, text in enumerate(values.texts):
        path = ("\\N", "") if text is None else paths[text]
        for depth in range(len(path) - 1):
            node, parent = path[depth:], path[depth + 1 :]
            top = depth + 1 == len(path) - 1
            height = 1.0 if top else leaves[parent] / root
            own = 0.0 if depth == 0 else leaves[node] / root
            weights[node] = (height - own) / 2
            members.setdefault(node, np.zeros(len(values.texts)))[code] = 1.0
    return [(members[node], weights[node]) for node in members]


def normalised_certainty_penalty(
    release: Release, truth: Truth, columns: tuple[QuasiIdentifier, ...]
) -> float:
    """Mean over rows and columns of the share of the domain that a published cell spans, in [0, 1].

    The domain is that of the true values, or all leaves of the column's tree, or that of its declared intervals. An
    interval counts its length, a set its number of values, both 0 for a single value; a masked cell and a node of a
    tree count the values that fit them.
    """
    if not len(truth.real) or not columns:
        return 0.0
    return float(np.mean([_spans(release, truth, column).mean() for column in columns]))


def _spans(release: Release, truth: Truth, column: QuasiIdentifier) -> FloatArray:
    cells, values = release.cells[column.name], truth.values[column.name]
    if column.tree is not None:
        shares = np.array([column.tree.share(cell) for cell in cells.cells])
        return shares[cells.codes[truth.real]]
    if column.intervals is not None:
        shares = np.array([column.intervals.share(cell) for cell in cells.cells])
        return shares[cells.codes[truth.real]]
    present = distinct_sorted(values.codes[truth.link[truth.real]])
    numbers = values.numbers[present]
    low, high = cells.bounds
    extent = np.ptp(numbers[~np.isnan(numbers)]) if (~np.isnan(numbers)).any() else 0.0
    spans = np.zeros(len(cells.cells))
    used = distinct_sorted(cells.codes[truth.real])
    for code in used:
        if not np.isnan(low[code]):
            reach = min(high[code], numbers[~np.isnan(numbers)].max()) - max(
                low[code], numbers[~np.isnan(numbers)].min()
            )
            spans[code] = max(0.0, reach) / extent if extent > 0 else 0.0
            continue
        fitting = sum(
            cells.cells[code].admits(values.texts[value], float(values.numbers[value])) for value in present
        )
        spans[code] = fitting / len(present) if fitting > 1 else 0.0
    return spans[cells.codes[truth.real]]
