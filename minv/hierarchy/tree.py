"""One generalisation tree: its labels, its shape, and the arrays that kernels need of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from minv.compiled import FloatArray, IntArray

ROOT_LABEL = "*"
ABSENT = -1  # code of a text that is no leaf, and the parent of the root


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A rooted tree whose leaves are the values of one column.

    Leaves are numbered 0..L-1 in depth-first order, so that the leaves under any node are a run of
    consecutive codes; inner nodes follow in post-order, hence the root is the last node. A set of
    values is thus described by its least and its greatest code as far as its lowest common ancestor goes.
    Trees are made by `minv.hierarchy.building.tree_from_paths`, which checks them.

    Parameters
    ----------
    labels
        Text of every node, leaves first; all different.
    parents
        (nodes,) parent of every node, ABSENT for the root.
    leaves
        Number of leaves, L.
    shares
        (nodes,) share of the domain that a class loses when it is generalised to each node, never less than
        that of a node below; None where it is leaves(node) / leaves(root).
    """

    labels: tuple[str, ...]
    parents: IntArray
    leaves: int
    shares: FloatArray | None = None

    @property
    def root(self) -> int:
        """Number of the root."""
        return len(self.labels) - 1

    @cached_property
    def code_of_leaf(self) -> dict[str, int]:
        """From the text of a leaf to its code."""
        return {label: code for code, label in enumerate(self.labels[: self.leaves])}

    @cached_property
    def first_leaves(self) -> IntArray:
        """(nodes,) least leaf code under every node."""
        first = np.arange(len(self.labels), dtype=np.int64)
        first[self.leaves :] = self.leaves
        for node in range(self.root):  # children come before their parents
            parent = self.parents[node]
            first[parent] = min(first[parent], first[node])
        return first

    @cached_property
    def leaf_counts(self) -> IntArray:
        """(nodes,) number of leaves under every node; 1 for a leaf."""
        counts = np.zeros(len(self.labels), np.int64)
        counts[: self.leaves] = 1
        for node in range(self.root):
            counts[self.parents[node]] += counts[node]
        return counts

    @cached_property
    def depths(self) -> IntArray:
        """(nodes,) edges from the root to every node."""
        depths = np.zeros(len(self.labels), np.int64)
        for node in range(self.root - 1, -1, -1):
            depths[node] = depths[self.parents[node]] + 1
        return depths

    @property
    def height(self) -> int:
        """Edges on the longest path from the root to a leaf."""
        return int(self.depths[: self.leaves].max())

    @cached_property
    def penalties(self) -> FloatArray:
        """(nodes,) share of the domain of every node, and 0 for a leaf, which loses nothing."""
        penalties = self.leaf_counts / self.leaves if self.shares is None else self.shares.copy()
        penalties[: self.leaves] = 0.0
        return penalties

    def codes(self, texts: Iterable[str]) -> IntArray:
        """Return the leaf codes of `texts`, ABSENT where a text is no leaf."""
        code_of_leaf = self.code_of_leaf
        return np.fromiter((code_of_leaf.get(text, ABSENT) for text in texts), dtype=np.int64)

    def path(self, node: int) -> list[int]:
        """Return a node and its ancestors up to the root, in this order."""
        nodes = [node]
        while nodes[-1] != self.root:
            nodes.append(int(self.parents[nodes[-1]]))
        return nodes

    def common_ancestors(self, low: IntArray, high: IntArray) -> IntArray:
        """Return the lowest node that covers each run of leaf codes low..high.

        Parameters
        ----------
        low, high
            Leaf codes of equal shape, low <= high.

        Returns
        -------
        Node numbers of that shape; a leaf where low = high. O(height) a run.
        """
        nodes = np.array(low, dtype=np.int64)
        last = self.first_leaves + self.leaf_counts - 1
        while (short := last[nodes] < high).any():
            nodes[short] = self.parents[nodes[short]]
        return nodes

    def common_ancestor_table(self) -> IntArray:
        """Return the (L, L) lowest common ancestors of all pairs of leaves: for small domains."""
        first, second = np.indices((self.leaves, self.leaves))
        return self.common_ancestors(np.minimum(first, second), np.maximum(first, second))

    @cached_property
    def neighbour_ancestors(self) -> IntArray:
        """(L-1,) lowest common ancestor of every two leaves that follow each other.

        The ancestor of a run of leaves is the one of these, within the run, with the most leaves: all that a
        range-maximum kernel needs, whatever the size of the domain.
        """
        codes = np.arange(self.leaves, dtype=np.int64)
        return self.common_ancestors(codes[:-1], codes[1:])


def flat_hierarchy(values: Sequence[str], root: str = ROOT_LABEL) -> Hierarchy:
    """Return the tree in which all different `values` hang directly under the root.

    A value that has the root's own text makes the root's label longer (`**`), so that labels stay different.
    """
    leaves = tuple(dict.fromkeys(values))
    while root in leaves:
        root += ROOT_LABEL
    parents = np.full(len(leaves) + 1, len(leaves), np.int64)
    parents[-1] = ABSENT
    return Hierarchy((*leaves, root), parents, len(leaves))
