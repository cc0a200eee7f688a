"""The hierarchies that minv-datasets ships are hierarchies to minv, and cover Adult whole."""

import pytest

from minv.hierarchy import Hierarchy, cover, read_hierarchy
from minv_datasets import adult_hierarchies, adult_hierarchy_paths, load_adult
from minv_datasets.adult_trees import HIERARCHY_COLUMNS


@pytest.mark.parametrize("column", HIERARCHY_COLUMNS)
def test_minv_reads_it_and_finds_every_value(column):
    """As many leaves under the root as lines; no value of the table, "?" included, lacks one."""
    hierarchy = read_hierarchy(adult_hierarchy_paths()[column])
    assert isinstance(hierarchy, Hierarchy)
    assert hierarchy.leaf_counts.max() == len(adult_hierarchies()[column])
    assert cover(hierarchy, load_adult()[column].astype("str")).complete
