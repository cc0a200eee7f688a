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
