"""The one way this project compiles a kernel: cached on disk, without the interpreter lock."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function`, which takes and returns plain arrays and numbers (numba, cached, nogil)."""
    compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    result: Callable[P, R] = compiled
    return result


def lean_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that allocates no array, and build it into its callers.

    numba counts the references to every array at every call, which would cost several times as much as the
    arithmetic where small kernels take bundles of arrays. A kernel that allocates needs these counts and
    is refused by numba's compiler.
    """
    options: dict[str, Any] = {"forceinline": True, "_nrt": False}
    compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    result: Callable[P, R] = compiled
    return result
