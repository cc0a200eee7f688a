"""The rule that a published cell says no more than the values that occur."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from minv_verifiers.arrays import BoolArray, FloatArray, IntArray, distinct_sorted
from minv_verifiers.cells.cell import Interval, ValueSet
from minv_verifiers.cells.column import CellColumn, ValueColumn
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release, Truth
from minv_verifiers.outcome import Witness
from minv_verifiers.rules.registry import Group, rule


@rule("cells-tight", Group.CUSTODIAN, source="docs/format.md, section 1")
def cells_tight(dossier: Dossier) -> Iterator[Witness]:
    """Both ends of a published interval and every value of a published set occur among the real tuples of the class."""
    dossier.require_folder()
    for release in dossier.releases:
        truth = dossier.truth(release)
        classes, first = np.unique(release.class_of_row[truth.real], return_index=True)
        for name, cells in release.cells.items():
            codes = cells.codes[truth.real[first]]
            loose = _slack(release, truth, cells, truth.values[name], classes, codes)
            for place in np.flatnonzero(loose):
                yield Witness(
                    message="the cell is wider than the values of its class",
                    release=release.number,
                    class_id=release.class_ids.text(classes[place]),
                    column=name,
                    raw={"published": cells.vocabulary.text(codes[place])},
                )


class _Extent(NamedTuple):
    """What occurs in each class: least and greatest number, whether a value is missing, how many different values."""

    low: FloatArray
    high: FloatArray
    missing: BoolArray
    distinct: IntArray


def _extent(release: Release, truth: Truth, values: ValueColumn) -> _Extent:
    count = len(release.class_ids)
    owners, codes = release.class_of_row[truth.real], values.codes[truth.link[truth.real]]
    numbers = values.numbers[codes]
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    known = ~np.isnan(numbers)
    np.minimum.at(low, owners[known], numbers[known])
    np.maximum.at(high, owners[known], numbers[known])
    absent = np.array([text is None for text in values.texts], dtype=np.bool_)[codes]
    missing = np.bincount(owners[absent], minlength=count) > 0
    width = len(values.texts) + 1
    pairs = distinct_sorted(owners * width + codes)
    return _Extent(low, high, missing, np.bincount(pairs // width, minlength=count).astype(np.int64))


def _slack(
    release: Release, truth: Truth, cells: CellColumn, values: ValueColumn, classes: IntArray, codes: IntArray
) -> BoolArray:
    """Whether each class's cell is wider than what occurs in it."""
    extent = _extent(release, truth, values)
    low, high = (bound[codes] for bound in cells.bounds)
    with np.errstate(invalid="ignore"):
        loose = (low < extent.low[classes]) | (high > extent.high[classes])
    says_missing = np.array(
        [isinstance(cell, Interval) and cell.missing for cell in cells.cells], dtype=np.bool_
    )
    sizes = np.array(
        [len(cell.values) if isinstance(cell, ValueSet) else 0 for cell in cells.cells], dtype=np.int64
    )
    loose |= says_missing[codes] & ~extent.missing[classes]
    loose |= sizes[codes] > extent.distinct[classes]
    return np.asarray(loose, dtype=np.bool_)
