"""Reading a generalisation tree from a file (docs/tables.md, the section on hierarchies)."""

import csv
import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from minv_verifiers.cells.tree import Tree
from minv_verifiers.errors import InputError
from minv_verifiers.reading.hierarchy_documents import (
    declares_intervals,
    is_document,
    nested_paths,
    read_document,
)
from minv_verifiers.wording import counted


def read_tree(path: Path) -> Tree:
    """Read the tree of a nominal column.

    `.toml` and `.json` files are nested; any other has one line a value: the value, then ever more general labels up
    to the root, parted by `;` and quoted where need be.

    Raises
    ------
    InputError
        The file cannot be read, or is no tree (see `ancestors_of`).
    """
    if is_document(path):
        document = read_document(path)
        if declares_intervals(document):
            raise InputError(f"{path}: intervals of numbers are for a numeric column (--qi C:numeric=FILE)")
        return Tree(ancestors_of(nested_paths(document, path), path))
    return Tree(ancestors_of(read_lines(path), path))


def ancestors_of(paths: Iterable[Sequence[str]], source: Path) -> Mapping[str, Sequence[str]]:
    """Return the labels above each value, nearest first; one that repeats the label before it says nothing.

    Raises
    ------
    InputError
        There is no value, one has no label above it or is listed twice, a label is empty, roots differ, or a label
        is a value as well, so that nobody could tell which of the two a cell means.
    """
    listed = [[label for label, _ in itertools.groupby(labels)] for labels in paths]
    if not listed or any(len(labels) < 2 for labels in listed):
        raise InputError(f"{source}: a line needs a value and the labels above it, parted by ;")
    ancestors = {value: above for value, *above in listed}
    if twice := len(listed) - len(ancestors):
        raise InputError(f"{source}: {counted(twice, 'value is', 'values are')} listed again")
    if any(not label for above in ancestors.values() for label in above):
        raise InputError(f"{source}: a label above a value is empty")
    if len({above[-1] for above in ancestors.values()}) > 1:
        raise InputError(f"{source}: the lines end in different labels; the last is the root of all")
    if both := sum(
        label in ancestors for label in {label for above in ancestors.values() for label in above}
    ):
        raise InputError(f"{source}: {counted(both, 'label is a value', 'labels are values')} as well")
    return ancestors


def read_lines(path: Path) -> list[list[str]]:
    """Return the labels of each line of a file that is no document.

    Raises
    ------
    InputError
        The file cannot be read, or its quotes do not match.
    """
    try:
        # Not by splitlines: labels may hold what it takes for the end of a line, and quoted ones line ends.
        with path.open(encoding="utf-8-sig", newline="") as file:
            return [labels for labels in csv.reader(file, delimiter=";", strict=True) if labels]
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path}: not a readable text file in UTF-8") from None
    except csv.Error:
        raise InputError(f"{path}: a quoted label does not end, or goes on behind its quotes") from None
