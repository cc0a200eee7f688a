"""The two ways to compile a kernel."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

from minv.compiled import kernel, lean_kernel


def test_a_kernel_may_allocate():
    def allocate(size):
        return np.zeros(size)

    assert kernel(allocate)(3).tolist() == [0, 0, 0]


def test_a_lean_kernel_may_not_allocate():
    """It would leak, since it counts no references."""

    def allocate_without_counting(size):
        return np.zeros(size)

    with pytest.raises(NumbaError):
        lean_kernel(allocate_without_counting)(3)


def test_both_divide_by_zero_as_numpy_does():
    def divide(numerator, denominator):
        return numerator / denominator

    def divide_without_counting(numerator, denominator):
        return numerator / denominator

    for quotient in (kernel(divide), lean_kernel(divide_without_counting)):
        assert quotient(1.0, 0.0) == np.inf
