"""Random numbers for kernels: a counter and a mixing function, the same on every machine."""

import numpy as np
from numpy.typing import NDArray

from minv.compiled import kernel

State = NDArray[np.uint64]  # (1,) the counter


def start_draws(seed: int) -> State:
    """Return the state of a stream of draws."""
    return np.random.default_rng(seed).integers(0, 2**64, 1, dtype=np.uint64, endpoint=False)


@kernel
def draw(state: State) -> float:
    """Return a number in [0, 1) and advance the state (SplitMix64, Steele et al. 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return float(mixed >> np.uint64(11)) / 9007199254740992.0


@kernel
def draw_below(state: State, bound: int) -> int:
    """Return a whole number in 0..bound-1 and advance the state."""
    return int(draw(state) * bound)
