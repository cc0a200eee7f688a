"""Publish a changing table m-invariant and tau-safe, at the least information loss, with a proved bound."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minv.publish.engine import Budget, Policy
    from minv.publish.partition import partition
    from minv.publish.result import Partition
    from minv.publish.series import Release, Series
    from minv.publish.terms import Terms
    from minv.stopping import CancelToken
    from minv.tables.roles import QuasiIdentifier

__version__ = "0.1.0"

__all__ = [
    "Budget",
    "CancelToken",
    "Partition",
    "Policy",
    "QuasiIdentifier",
    "Release",
    "Series",
    "Terms",
    "partition",
]

# Imported when they are first asked for: `import minv` alone loads neither numba nor pandas nor a solver.
_HOME = {
    "Budget": "minv.publish.engine",
    "CancelToken": "minv.stopping",
    "Partition": "minv.publish.result",
    "Policy": "minv.publish.engine",
    "QuasiIdentifier": "minv.tables.roles",
    "Release": "minv.publish.series",
    "Series": "minv.publish.series",
    "Terms": "minv.publish.terms",
    "partition": "minv.publish.partition",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'minv' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
