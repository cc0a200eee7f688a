"""The two ways to compile a kernel."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

from minv.compiled import kernel, lean_kernel


def test_only_a_kernel_that_counts_references_may_allocate():
    """So a lean kernel, which would leak what it allocates, cannot be made by mistake."""

    def allocate(size):
        return np.zeros(size)

    assert kernel(allocate)(3).tolist() == [0, 0, 0]
    with pytest.raises(NumbaError):
        lean_kernel(allocate)(3)


def test_kernels_divide_by_zero_as_numpy_does():
    def quotient(numerator, denominator):
        return numerator / denominator

    for compile_kernel in (kernel, lean_kernel):
        assert compile_kernel(quotient)(1.0, 0.0) == np.inf
