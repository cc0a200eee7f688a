"""A random generator for kernels: SplitMix64 (Steele, Lea and Flood 2014), its state in an array."""

import numpy as np
from numpy.typing import NDArray

from minv.compiled import lean_kernel

RandomState = NDArray[np.uint64]  # (1,)

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_UNIT = 1.0 / 2.0**53


def seeded_state(seed: int) -> RandomState:
    """Return the state for a seed."""
    return np.random.default_rng(seed).integers(0, 2**63, size=1).astype(np.uint64)


@lean_kernel
def draw(state: RandomState) -> np.uint64:
    """Return 64 random bits and advance the state."""
    state[0] += _STEP
    bits = state[0]
    bits = (bits ^ (bits >> np.uint64(30))) * _FIRST_FACTOR
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND_FACTOR
    return np.uint64(bits ^ (bits >> np.uint64(31)))


@lean_kernel
def low_below(bits: np.uint64, bound: int) -> int:
    """Return a number 0..bound-1 made of the low half of random bits."""
    return int(np.int64(((bits & _LOW_HALF) * np.uint64(bound)) >> np.uint64(32)))


@lean_kernel
def high_below(bits: np.uint64, bound: int) -> int:
    """Return a number 0..bound-1 made of the high half of random bits."""
    return int(np.int64(((bits >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)))


@lean_kernel
def unit(bits: np.uint64) -> float:
    """Return a number in [0, 1)."""
    return float(bits >> np.uint64(11)) * _UNIT
