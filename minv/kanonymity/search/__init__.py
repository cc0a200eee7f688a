"""Local search for k-anonymous classes of least SSE or NCP: agglomeration, descent, ruin and recreate."""

from minv.kanonymity.search.optimise import (
    SearchSettings,
    default_effort,
    minimise_certainty_penalty,
    minimise_squared_errors,
)

__all__ = [
    "SearchSettings",
    "default_effort",
    "minimise_certainty_penalty",
    "minimise_squared_errors",
]
