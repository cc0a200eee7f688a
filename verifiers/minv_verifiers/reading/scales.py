"""The scale of a quasi-identifier: which texts have a number."""

from collections.abc import Mapping

from minv_verifiers.cells.column import Scale
from minv_verifiers.cells.number import parse_number
from minv_verifiers.model import QuasiIdentifier


def level_ranks(column: QuasiIdentifier) -> Mapping[str, float] | None:
    """Ranks 0, 1, 2, ... of the levels of an ordinal column of text."""
    return {level: float(rank) for rank, level in enumerate(column.levels)} if column.levels else None


def scale_of(column: QuasiIdentifier) -> Scale:
    """How the column's texts become numbers: by rank, as they read, or not at all."""
    if column.kind == "nominal":
        return lambda _: None
    ranks = level_ranks(column)
    return parse_number if ranks is None else ranks.get
