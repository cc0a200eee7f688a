"""Rules on columns whose intervals were declared beforehand."""

from collections.abc import Iterator

import numpy as np

from minv_verifiers.cells.cell import Interval
from minv_verifiers.cells.column import CellColumn
from minv_verifiers.cells.number_tree import NumberTree
from minv_verifiers.dossier import Dossier
from minv_verifiers.model import Release
from minv_verifiers.outcome import Witness
from minv_verifiers.rules.registry import Group, rule

_SOURCE = "docs/k-anonymity.md"


@rule("intervals-declared", Group.INTERVALS, source=_SOURCE)
def intervals_declared(dossier: Dossier) -> Iterator[Witness]:
    """Every cell of a column with declared intervals is one of them, or a single number."""
    for release, name, cells, tree in _columns(dossier):
        for code, cell in enumerate(cells.cells):
            rows = np.flatnonzero(cells.codes == code)
            if len(rows) and not tree.declares(cell):
                yield Witness(
                    message="the cell is neither a number nor one of the declared intervals",
                    size=len(rows),
                    release=release.number,
                    rows=release.file_rows(rows),
                    column=name,
                    raw={"published": cells.vocabulary.text(code)},
                )


@rule("intervals-smallest", Group.INTERVALS, source=_SOURCE)
def intervals_smallest(dossier: Dossier) -> Iterator[Witness]:
    """Every published interval is the smallest declared one that contains the true numbers of its class."""
    for release, name, cells, tree in _columns(dossier):
        truth = dossier.truth(release)
        values = truth.values[name]
        numbers = values.numbers[values.codes[truth.link[truth.real]]]
        real, numbers = truth.real[~np.isnan(numbers)], numbers[~np.isnan(numbers)]
        low = np.full(len(release.class_ids), np.inf)
        high = np.full(len(release.class_ids), -np.inf)
        np.minimum.at(low, release.class_of_row[real], numbers)
        np.maximum.at(high, release.class_of_row[real], numbers)
        classes, first = np.unique(release.class_of_row[real], return_index=True)
        for place, code in zip(classes, cells.codes[real[first]], strict=True):
            cell = cells.cells[code]
            if isinstance(cell, Interval) and tree.has_smaller(cell, float(low[place]), float(high[place])):
                yield Witness(
                    message="a smaller declared interval contains the values of the class",
                    release=release.number,
                    class_id=release.class_ids.text(place),
                    column=name,
                    raw={"published": cells.vocabulary.text(code)},
                )


def _columns(dossier: Dossier) -> Iterator[tuple[Release, str, CellColumn, NumberTree]]:
    for release in dossier.releases:
        for column in dossier.evidence.quasi_identifiers:
            if column.intervals is not None:
                yield release, column.name, release.cells[column.name], column.intervals
