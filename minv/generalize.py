"""Published cells of classes, and the order in which classes are published (docs/format.md, sections 1-2)."""

import re
from collections.abc import Sequence

import numpy as np

from minv.compiled import IntArray
from minv.numerals import ObjectArray, number_texts
from minv.tables.microdata import Attribute
from minv.tables.roles import Kind

MISSING = r"\N"
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SYNTAX = str.maketrans({"\\": "\\\\"} | {character: "\\" + character for character in "{}[],"})


def sensitive_cell(value: str | None) -> str:
    """Return the published text of a sensitive value (or of any plain one): backslashes escaped."""
    return MISSING if value is None else value.replace("\\", "\\\\")


def quasi_identifier_text(value: str | None) -> str:
    """Return the text of one value inside a published cell: what opens or parts sets is escaped too."""
    return MISSING if value is None else value.translate(_SYNTAX)


def generalise(attribute: Attribute, labels: IntArray, classes: int) -> ObjectArray:
    """Return the published cell of an attribute for each class.

    The cell is a single value, the tight closed interval of numbers or ordered values, or the set of the
    values that occur. A missing value is added to an interval as an alternative, and to a set as a member.

    Parameters
    ----------
    labels
        (n,) class 0..K-1 of each real row; every class occurs.
    classes
        Number of classes, K.

    Returns
    -------
    (K,) texts.
    """
    if attribute.kind is Kind.NOMINAL:
        return _sets(attribute, labels, classes)
    return _intervals(attribute, labels, classes)


def _intervals(attribute: Attribute, labels: IntArray, classes: int) -> ObjectArray:
    missing = np.isnan(attribute.values)
    low = np.full(classes, np.inf)
    high = np.full(classes, -np.inf)
    np.minimum.at(low, labels[~missing], attribute.values[~missing])
    np.maximum.at(high, labels[~missing], attribute.values[~missing])
    with_missing = np.bincount(labels[missing], minlength=classes) > 0
    present = low <= high
    cells = np.full(classes, MISSING, dtype=object)
    lows = _value_texts(attribute, low[present])
    highs = _value_texts(attribute, high[present])
    cells[present] = lows
    wide = np.flatnonzero(present)[low[present] < high[present]]
    spread = low[present] < high[present]
    for place, first, last in zip(wide, lows[spread], highs[spread], strict=True):
        cells[place] = f"[{first}, {last}]"
    for place in np.flatnonzero(present & with_missing):
        cells[place] += f" or {MISSING}"
    return cells


def _value_texts(attribute: Attribute, values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> ObjectArray:
    if not attribute.levels:
        return number_texts(values)
    texts = np.array([quasi_identifier_text(level) for level in attribute.levels], dtype=object)
    return texts[values.astype(np.int64)]


def _sets(attribute: Attribute, labels: IntArray, classes: int) -> ObjectArray:
    codes = np.where(np.isnan(attribute.values), -1, attribute.values).astype(np.int64)
    width = len(attribute.levels) + 1
    # Levels stand in the order of code points and a missing value is -1: the pairs are sorted as published.
    pairs = np.unique(labels * width + codes + 1)
    texts = [MISSING, *map(quasi_identifier_text, attribute.levels)]
    starts = np.searchsorted(pairs, np.arange(classes + 1) * width)
    cells = np.empty(classes, dtype=object)
    members = [texts[code] for code in (pairs % width).tolist()]
    for place in range(classes):
        values = members[starts[place] : starts[place + 1]]
        cells[place] = values[0] if len(values) == 1 else "{" + ",".join(values) + "}"
    return cells


def generalise_in_tree(attribute: Attribute, labels: IntArray, classes: int) -> ObjectArray:
    """Return for each class the text of the lowest node that covers its values; no value may be missing.

    Parameters
    ----------
    attribute
        Nominal or numeric, with a hierarchy.
    labels, classes
        As in `generalise`.

    Returns
    -------
    (K,) texts of nodes, as the hierarchy spells them.
    """
    hierarchy = attribute.hierarchy
    assert hierarchy is not None
    leaves = attribute.leaves()
    low = np.full(classes, hierarchy.leaves)
    high = np.full(classes, -1)
    np.minimum.at(low, labels, leaves)
    np.maximum.at(high, labels, leaves)
    return np.array(hierarchy.labels, dtype=object)[hierarchy.common_ancestors(low, high)]


def rank_classes(
    cells: Sequence[ObjectArray], sensitive_cells: Sequence[Sequence[str]], counterfeits: IntArray
) -> IntArray:
    """Return the published id, 1..K, of each class: its rank by published content alone.

    Parameters
    ----------
    cells
        A (K,) array of texts for each quasi-identifier, in their published order.
    sensitive_cells
        The sensitive cells of each class, counterfeits included, in any order.
    counterfeits
        (K,) number of counterfeits of each class.

    Returns
    -------
    (K,) ranks, all different; classes that agree in everything keep their given order.
    """
    keys = [
        (*(column[place] for column in cells), sorted(sensitive), int(counterfeits[place]))
        for place, sensitive in enumerate(sensitive_cells)
    ]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ranks = np.empty(len(keys), np.int64)
    ranks[order] = np.arange(1, len(keys) + 1)
    return ranks


def unescape(text: str) -> str | None:
    r"""Return the value that a published single value or sensitive cell stands for; None for `\N`."""
    if "\\" not in text:
        return text
    return None if text == MISSING else _ESCAPED.sub(r"\1", text)
