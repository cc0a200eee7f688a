"""Generalisation trees: cells that name a node stand for the values under it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from minv_verifiers.cells.cell import Cell, ValueSet
from minv_verifiers.cells.dialects import parse_categories


@dataclass(frozen=True, eq=False)
class Tree:
    """The ancestors of each value of a column, nearest first, the root last."""

    ancestors: Mapping[str, Sequence[str]]

    @cached_property
    def _below(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for value, ancestors in self.ancestors.items():
            for label in (value, *ancestors):
                found.setdefault(label, set()).add(value)
        return {label: frozenset(values) for label, values in found.items()}

    def parse(self, text: str) -> Cell:
        """Read a cell: the values under the node of that label; any other text as without a tree."""
        values = self._below.get(text)
        return parse_categories(text) if values is None else ValueSet(values)

    def share(self, cell: Cell) -> float:
        """Return leaves(cell) / leaves(root), and 0 for a single value."""
        fitting = sum(cell.admits(value, float("nan")) for value in self.ancestors)
        return fitting / len(self.ancestors) if fitting > 1 else 0.0
