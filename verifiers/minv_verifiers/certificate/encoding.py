"""Coordinates of a table's rows whose distances are those of docs/format.md, section 4."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import FloatArray
from minv_verifiers.cells.column import ValueColumn
from minv_verifiers.loss import tree_coordinates
from minv_verifiers.model import QuasiIdentifier

_FLAT = 1e-12  # relative: an axis without extent


@dataclass(frozen=True, slots=True)
class WeightedColumn:
    """A quasi-identifier with its values, weight and hierarchy (the ancestors of each value, nearest first)."""

    column: QuasiIdentifier
    values: ValueColumn
    weight: float = 1.0
    hierarchy: Mapping[str, list[str]] | None = None


def encode_rows(columns: Sequence[WeightedColumn]) -> FloatArray:
    """Return (n, d) coordinates, as few as carry all distances."""
    blocks = [_scaled(one) for one in columns]
    return np.hstack(blocks) if blocks else np.zeros((0, 0))


def _scaled(one: WeightedColumn) -> FloatArray:
    blocks = (
        [_nominal(one)]
        if one.column.kind == "nominal"
        else [axis[:, None] for axis in _ordered(one.values).T]
    )
    scaled: FloatArray = np.hstack(
        [_unit_variance(block) for block in blocks] or [np.zeros((len(one.values.codes), 0))]
    )
    return scaled * float(np.sqrt(one.weight))


def _ordered(values: ValueColumn) -> FloatArray:
    """Return the numbers, a missing one at their mean, and a 0/1 axis of missing ones where there are any."""
    numbers = values.numbers[values.codes]
    absent = np.isnan(numbers)
    if absent.all():
        return np.zeros((len(numbers), 0))
    filled = np.where(absent, numbers[~absent].mean(), numbers)
    return np.column_stack([filled, absent.astype(np.float64)]) if absent.any() else filled[:, None]


def _nominal(one: WeightedColumn) -> FloatArray:
    """Return coordinates of each row's value in its tree, turned onto as few axes as the values present span."""
    coordinates = tree_coordinates(one.values, one.hierarchy)
    table = np.column_stack([members * np.sqrt(length) for members, length in coordinates])
    present, places = np.unique(one.values.codes, return_inverse=True)
    corners = table[present] - table[present].mean(axis=0)
    left, extents, _ = np.linalg.svd(corners, full_matrices=False)
    keep = extents > _FLAT * max(float(extents.max(initial=0.0)), 1.0)
    return np.asarray((left[:, keep] * extents[keep])[places.reshape(-1)])


def _unit_variance(block: FloatArray) -> FloatArray:
    """Centre a block and scale it so that its population variances sum to 1; a constant one becomes 0."""
    if not block.size or (block == block[0]).all():
        return np.zeros((len(block), 0))
    shift = block - block.mean(axis=0)
    scale = float(np.abs(shift).max())
    shift = shift / scale - (shift / scale).mean(axis=0)
    return np.asarray(shift / np.sqrt(shift.var(axis=0).sum()))
