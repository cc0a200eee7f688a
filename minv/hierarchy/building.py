"""From paths (a leaf and its ancestors) to a checked tree."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from minv.errors import DataError
from minv.hierarchy.tree import ABSENT, Hierarchy
from minv.wording import counted

LISTED = 5  # at most so many places are named in one message


class Path(NamedTuple):
    """A leaf, then its ancestors up to the root, and where they stand (as `line 7`)."""

    labels: Sequence[str]
    place: str


def tree_from_paths(paths: Iterable[Path], source: str) -> Hierarchy:
    """Join paths into a tree.

    A label that repeats its predecessor on the path is padding (a value that needs no such level).

    Parameters
    ----------
    paths
        At least one, each with at least a leaf and the root.
    source
        What messages call the origin, such as the file's name.

    Raises
    ------
    DataError
        No path; a path without a root; an empty label; different roots; a leaf listed twice; a label that
        is both leaf and inner node; a label with two parents. The message names places, never values.
    """
    collected = [Path(_without_padding(path.labels), path.place) for path in paths]
    if not collected:
        raise DataError(f"{source}: the hierarchy is empty; it needs one line or entry for every value")
    _check_labels(collected, source)
    _check_leaves(collected, source)
    parents = _parents(collected, source)
    return _number(parents, root=collected[0].labels[-1])


def _without_padding(labels: Sequence[str]) -> list[str]:
    return [label for position, label in enumerate(labels) if position == 0 or label != labels[position - 1]]


def _check_labels(paths: list[Path], source: str) -> None:
    empty = [path.place for path in paths if any(not label for label in path.labels[1:])]
    if empty:
        raise DataError(
            f"{source}: an empty label above a value in {_listed(empty)}; give every level a text"
        )
    rootless = [path.place for path in paths if len(path.labels) < 2]
    if rootless:
        raise DataError(
            f"{source}: {_listed(rootless)} holds one label only; write the value first, then ever "
            "more general labels, and the same root (`*`) last"
        )
    root = paths[0].labels[-1]
    strays = [path.place for path in paths if path.labels[-1] != root]
    if strays:
        raise DataError(
            f"{source}: {_listed(strays)} ends in another root than {paths[0].place}; "
            "all must end in the same one"
        )
    cyclic = [path.place for path in paths if len(set(path.labels)) < len(path.labels)]
    if cyclic:
        raise DataError(
            f"{source}: a label is its own ancestor in {_listed(cyclic)}; rename one of the two nodes"
        )


def _check_leaves(paths: list[Path], source: str) -> None:
    first_place: dict[str, str] = {}
    repeated = []
    for path in paths:
        leaf = path.labels[0]
        if leaf in first_place:
            repeated.append(f"{path.place} (as {first_place[leaf]})")
        first_place.setdefault(leaf, path.place)
    if repeated:
        raise DataError(
            f"{source}: {counted(len(repeated), 'value is', 'values are')} listed twice: {_listed(repeated)}; "
            "list each value once"
        )
    inner = {label for path in paths for label in path.labels[1:]}
    both = [place for leaf, place in first_place.items() if leaf in inner]
    if both:
        raise DataError(
            f"{source}: {counted(len(both), 'value is', 'values are')} both a leaf and an inner node: "
            f"{_listed(both)}; rename the inner node"
        )


def _parents(paths: list[Path], source: str) -> dict[str, str]:
    parents: dict[str, str] = {}
    conflicts = []
    for path in paths:
        for child, parent in zip(path.labels, path.labels[1:], strict=False):
            if parents.setdefault(child, parent) != parent:
                conflicts.append(path.place)
    if conflicts:
        raise DataError(
            f"{source}: a label stands under two different parents, seen in {_listed(conflicts)}; "
            "every label must have one parent"
        )
    return parents


def _number(parents: dict[str, str], root: str) -> Hierarchy:
    """Give every node its number: leaves depth first, then inner nodes in post-order."""
    children: dict[str, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    leaves: list[str] = []
    inner: list[str] = []
    pending = [(root, False)]
    while pending:
        label, finished = pending.pop()
        if label not in children:
            leaves.append(label)
        elif finished:
            inner.append(label)
        else:
            pending.append((label, True))
            pending.extend((child, False) for child in reversed(children[label]))
    labels = (*leaves, *inner)
    number = {label: node for node, label in enumerate(labels)}
    array = np.array([number[parents[label]] if label in parents else ABSENT for label in labels], np.int64)
    return Hierarchy(labels, array, len(leaves))


def _listed(places: Sequence[str]) -> str:
    shown = ", ".join(places[:LISTED])
    more = len(places) - LISTED
    return f"{shown} and {more} more" if more > 0 else shown
