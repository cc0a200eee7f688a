"""Hierarchies that list the numbers of a column one by one."""

import re

import numpy as np

from minv.errors import DataError
from minv.hierarchy.building import Path, tree_from_paths
from minv.hierarchy.tree import Hierarchy
from minv.numerals import NUMERAL, number_text
from minv.wording import counted, form


def number_tree(hierarchy: Hierarchy, source: str) -> Hierarchy:
    """Return the same tree for a numeric column: its leaves are numbers, in ascending order.

    A node stands for the closed interval from its least to its greatest leaf; its share of the domain is the
    width of that interval / that of the root's.

    Parameters
    ----------
    hierarchy
        Leaves in any order and way of writing; they become the texts of `number_text`.
    source
        What messages call it, such as the file's name.

    Raises
    ------
    DataError
        Leaves that are no finite numbers, or one number twice; nodes whose intervals overlap although neither
        lies above the other. With counts.
    """
    leaves = hierarchy.labels[: hierarchy.leaves]
    strange = sum(not (re.match(NUMERAL, label) and np.isfinite(float(label))) for label in leaves)
    if strange:
        raise DataError(
            f"{source}: {strange} of {counted(len(leaves), 'value')} "
            f"{form(strange, 'is no finite number', 'are no finite numbers')}; a numeric column needs numbers below "
            "the labels"
        )
    numbers = np.array([float(label) for label in leaves])
    repeated = len(numbers) - len(np.unique(numbers))
    if repeated:
        raise DataError(
            f"{source}: {repeated} numbers are listed again in another way of writing; list each once"
        )
    labels = (*map(number_text, numbers.tolist()), *hierarchy.labels[hierarchy.leaves :])
    paths = [
        Path([labels[node] for node in hierarchy.path(int(leaf))], "a number") for leaf in np.argsort(numbers)
    ]
    tree = tree_from_paths(paths, source)
    ordered = np.array([float(label) for label in tree.labels[: tree.leaves]])
    ranks = np.argsort(np.argsort(ordered))
    first, last = tree.first_leaves, tree.first_leaves + tree.leaf_counts - 1
    overlapping = sum(
        int(np.ptp(ranks[low : high + 1])) > high - low for low, high in zip(first, last, strict=True)
    )
    if overlapping:
        raise DataError(
            f"{source}: {overlapping} labels have a number of another label between their own; "
            "intervals of numbers must not overlap"
        )
    widths = ordered[last] / 2 - ordered[first] / 2  # halved: opposite huge numbers would overflow
    return Hierarchy(tree.labels, tree.parents, tree.leaves, widths / (widths[tree.root] or 1.0))
