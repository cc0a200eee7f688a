"""Quasi-identifiers of a table as NCP wants them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from minv.errors import UsageError
from minv.hierarchy import flat_hierarchy
from minv.loss.records import MOST_CATEGORIES, Categories, Leaves, Numbers, QuasiIdentifier
from minv.tables.microdata import Attribute, Microdata
from minv.tables.roles import Kind


def with_trees(microdata: Microdata) -> Microdata:
    """Return the same rows with a flat hierarchy on every nominal column that has too many values for sets.

    Raises
    ------
    UsageError
        Missing values are kept in a column with a hierarchy, which has no place for them.
    """
    return replace(microdata, attributes=tuple(map(_with_tree, microdata.attributes)))


def _with_tree(attribute: Attribute) -> Attribute:
    missing = bool(np.isnan(attribute.values).any())
    if (
        attribute.kind is Kind.NOMINAL
        and attribute.hierarchy is None
        and len(attribute.levels) + missing > MOST_CATEGORIES
    ):
        attribute = replace(attribute, hierarchy=flat_hierarchy(attribute.levels))
    if attribute.hierarchy is not None and missing:
        raise UsageError(
            f"column {attribute.name!r}: missing values have no place in a hierarchy; drop these rows "
            f"(--missing {attribute.name}=drop), or give the value that stands for them a leaf and no missing code"
        )
    return attribute


def penalised(attributes: Sequence[Attribute]) -> list[QuasiIdentifier]:
    """Return the attributes in the form of `minv.loss`; their order and rows stay.

    Raises
    ------
    UsageError
        Missing values are kept in a column of numbers: a range has no place for them.
    """
    return [_penalised(attribute) for attribute in attributes]


def has_penalty(attributes: Sequence[Attribute]) -> bool:
    """Whether NCP is defined: no number is missing."""
    return not any(
        attribute.kind is not Kind.NOMINAL and np.isnan(attribute.values).any() for attribute in attributes
    )


def _penalised(attribute: Attribute) -> QuasiIdentifier:
    missing = np.isnan(attribute.values)
    if attribute.kind is not Kind.NOMINAL and missing.any():
        raise UsageError(
            f"column {attribute.name!r}: NCP has no measure for missing numbers; drop these rows "
            f"(--missing {attribute.name}=drop) or take --objective sse"
        )
    if attribute.hierarchy is not None:
        return Leaves(attribute.leaves(), attribute.hierarchy)
    if attribute.kind is not Kind.NOMINAL:
        return Numbers(attribute.values)
    codes = np.where(missing, len(attribute.levels), attribute.values).astype(np.int64)
    return Categories(codes, len(attribute.levels) + int(missing.any()))
