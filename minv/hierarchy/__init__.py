"""Trees of ever more general values."""

from minv.hierarchy.coverage import Coverage, cover
from minv.hierarchy.intervals import Intervals
from minv.hierarchy.numbers import number_tree
from minv.hierarchy.reading import read_hierarchy
from minv.hierarchy.tree import ROOT_LABEL, Hierarchy, flat_hierarchy

__all__ = [
    "ROOT_LABEL",
    "Coverage",
    "Hierarchy",
    "Intervals",
    "cover",
    "flat_hierarchy",
    "number_tree",
    "read_hierarchy",
]
