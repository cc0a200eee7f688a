"""The generalised table of k-anonymous classes, and its file."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa

from minv.compiled import IntArray
from minv.errors import UsageError
from minv.generalize import generalise, generalise_in_tree, rank_classes, sensitive_cell
from minv.numerals import ObjectArray
from minv.publish.kanon import Anonymisation
from minv.series.columns import Column, to_table, write_csv, write_parquet
from minv.series.durable import PRIVATE_FILE, replace_file
from minv.tables.microdata import Attribute
from minv.tables.roles import NO_COLUMN, Roles

CLASS, ROW = "class", "row"


def check_names(roles: Roles) -> None:
    """Refuse an input column with the name of a column that is written.

    Raises
    ------
    UsageError
        There is one.
    """
    if CLASS in roles.columns or roles.id == ROW:
        raise UsageError(
            f"a column with a role is called {CLASS!r} or {ROW!r}, as columns that are written; rename it"
        )


@dataclass(frozen=True, eq=False)
class PublicTable:
    """The table to publish.

    Attributes
    ----------
    table
        `class`, the generalised quasi-identifiers, the sensitive value if there is one.
    order
        (n,) row of the microdata behind each published row.
    """

    table: pa.Table
    order: IntArray


def publish_table(found: Anonymisation) -> PublicTable:
    """Generalise each class: all that may be published, and nothing else.

    Values with a hierarchy become the lowest common node; without one, numbers and ordered values become closed
    intervals, nominal values the set of those that occur. Rows and class ids (1..K) are in the order of
    published content alone.
    """
    microdata, labels, classes = found.microdata, found.labels, found.classes
    cells = {attribute.name: _cells(attribute, labels, classes) for attribute in microdata.attributes}
    sensitive = np.array([sensitive_cell(text) for text in microdata.sensitive_texts()], dtype=object)
    by_class: list[list[str]] = [[] for _ in range(classes)]
    for label, cell in zip(labels.tolist(), sensitive, strict=True):
        by_class[label].append(cell)
    ranks = rank_classes(list(cells.values()), by_class, np.zeros(classes, np.int64))
    order = np.array(
        sorted(range(len(labels)), key=lambda row: (ranks[labels[row]], sensitive[row])), np.int64
    )
    columns: dict[str, Column] = {CLASS: ranks[labels[order]]}
    columns |= {name: column[labels[order]] for name, column in cells.items()}
    if microdata.sensitive != NO_COLUMN:
        columns[microdata.sensitive] = sensitive[order]
    return PublicTable(to_table(columns, nullable=False), order)


def _cells(attribute: Attribute, labels: IntArray, classes: int) -> ObjectArray:
    make = generalise if attribute.hierarchy is None else generalise_in_tree
    return make(attribute, labels, classes)


def write_table(path: Path, published: PublicTable) -> None:
    """Write the table to publish: Parquet where the name ends in `.parquet`, else CSV.

    Raises
    ------
    OSError
        The file cannot be written; what was there is unchanged.
    """
    content = BytesIO()
    write = write_parquet if path.suffix == ".parquet" else write_csv
    write(published.table, content)
    replace_file(path, content.getvalue())


def write_links(path: Path, name: str, found: Anonymisation, published: PublicTable) -> None:
    """Write the person behind each published row, as CSV: the id column, `row` (from 1) and `class`.

    The file is its owner's alone: with it, the published table is no longer anonymous.

    Parameters
    ----------
    name
        Of the id column; the microdata have ids.

    Raises
    ------
    OSError
        The file cannot be written; what was there is unchanged.
    """
    assert found.microdata.ids is not None
    content = BytesIO()
    columns: dict[str, Column] = {
        name: found.microdata.ids[published.order],
        ROW: np.arange(1, len(published.order) + 1),
        CLASS: np.asarray(published.table[CLASS]),
    }
    write_csv(to_table(columns, nullable=False), content)
    replace_file(path, content.getvalue(), PRIVATE_FILE)
