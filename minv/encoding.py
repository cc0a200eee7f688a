"""Quasi-identifiers as coordinates whose squared distances are the loss (docs/format.md, section 4)."""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import helmert

from minv.compiled import BoolArray, FloatArray
from minv.errors import DataError
from minv.hierarchy import Hierarchy
from minv.tables.microdata import Attribute
from minv.tables.roles import Kind
from minv.wording import counted

MOST_COORDINATES = 1 << 28  # numbers in one block of coordinates: 2 GiB


def encode(attributes: Sequence[Attribute]) -> FloatArray:
    """Return the coordinates of every row.

    Each attribute contributes a block of coordinates with total population variance equal to its weight, so
    that all attributes count alike; one that is constant contributes nothing. Numbers (and ranks) are
    z-scored. Values of a nominal attribute are at one common distance or, with a hierarchy, at the squared
    distance leaves(lowest common ancestor) / leaves(root) before scaling. A missing number is the mean of the
    others, with a further nominal coordinate "is missing".

    Parameters
    ----------
    attributes
        At least one, all with n values.

    Returns
    -------
    (n, d) finite coordinates, d at least 1: a single column of zeros where everything is constant.

    Raises
    ------
    DataError
        A nominal attribute has too many different values for its rows.
    """
    blocks = [np.sqrt(attribute.weight) * block for attribute in attributes for block in _blocks(attribute)]
    varying = [block for block in blocks if block.shape[1]]
    rows = len(attributes[0].values)
    return np.ascontiguousarray(np.hstack(varying)) if varying else np.zeros((rows, 1))


def _blocks(attribute: Attribute) -> list[FloatArray]:
    if attribute.kind is Kind.NOMINAL:
        return [_scaled(_nominal(attribute))]
    missing = np.isnan(attribute.values)
    blocks = [_scaled(_filled(attribute.values, missing)[:, None])]
    if missing.any():
        blocks.append(_scaled(missing.astype(np.float64)[:, None]))
    return blocks


def _filled(values: FloatArray, missing: BoolArray) -> FloatArray:
    """Return shifted and rescaled values, small and finite, in which missing ones are the mean."""
    if missing.all():
        return np.zeros(len(values))
    present = values[~missing]
    # Halved before they are subtracted, so that opposite huge values do not overflow; then divided by their
    # extent, so that squares neither overflow nor vanish.
    shifted = present / 2 - present[0] / 2
    extent = np.abs(shifted).max()
    filled = np.zeros(len(values))
    filled[~missing] = shifted / extent if extent > 0 else 0.0
    filled[missing] = filled[~missing].mean()
    return filled


def _scaled(block: FloatArray) -> FloatArray:
    """Centre a block and scale it to total variance 1; drop constant coordinates."""
    if not len(block):
        return block[:, :0]
    centred = block - block.mean(axis=0)
    varying = np.ptp(block, axis=0) > 0
    centred = centred[:, varying]
    variance = np.einsum("ij,ij->", centred, centred) / len(block)
    scaled: FloatArray = centred / np.sqrt(variance) if variance > 0 else centred
    return scaled


def _nominal(attribute: Attribute) -> FloatArray:
    values = np.where(np.isnan(attribute.values), -1.0, attribute.values).astype(np.int64)
    present, codes = np.unique(values, return_inverse=True)
    if len(present) * len(codes) > MOST_COORDINATES:
        raise DataError(
            f"column {attribute.name!r} has {len(present)} different values in {counted(len(codes), 'row')}, too many "
            "for a nominal column; make its values coarser, or treat it as a number"
        )
    if len(present) <= 2:
        return codes.astype(np.float64)[:, None]
    if attribute.hierarchy is None:
        return _equidistant(len(present))[codes]
    levels = [attribute.levels[value] if value >= 0 else None for value in present]
    return _tree_coordinates(attribute.hierarchy, levels)[codes]


def _equidistant(values: int) -> FloatArray:
    """Return a regular simplex: (k, k-1) points with all squared distances equal."""
    simplex: FloatArray = helmert(values).T
    return simplex


def _tree_coordinates(hierarchy: Hierarchy, values: Sequence[str | None]) -> FloatArray:
    """Embed the leaves of a tree by one coordinate a node, so that squared distances are those of the tree.

    A node of height h (its leaves over all leaves, 0 for a leaf) below one of height H is the coordinate
    sqrt((H - h)/2) of every leaf under it. The path from either of two leaves up to their lowest common
    ancestor adds half the ancestor's height to their squared distance.

    Parameters
    ----------
    values
        (k,) texts of leaves; None, a missing value, is one leaf more, directly under the root.

    Returns
    -------
    (k, nodes) coordinates.
    """
    extra = int(None in values)
    heights = hierarchy.leaf_counts + 0.0
    heights[hierarchy.root] += extra
    heights /= hierarchy.leaves + extra
    heights[: hierarchy.leaves] = 0.0
    below_root = np.arange(hierarchy.root)
    edges = np.sqrt((heights[hierarchy.parents[below_root]] - heights[below_root]) / 2)
    coordinates = np.zeros((len(values), hierarchy.root + extra))
    for place, value in enumerate(values):
        if value is None:
            coordinates[place, -1] = np.sqrt(0.5)
            continue
        for node in hierarchy.path(hierarchy.code_of_leaf[value])[:-1]:
            coordinates[place, node] = edges[node]
    used: BoolArray = np.ptp(coordinates, axis=0) > 0
    return coordinates[:, used]
