"""How much is run: `quick` (the default, minutes) or `full` (hours), by the variable MINV_BENCH_PROFILE."""

import os
from typing import TypeVar

T = TypeVar("T")

PROFILES = ("quick", "full")
PROFILE = os.environ.get("MINV_BENCH_PROFILE", "quick")

if PROFILE not in PROFILES:
    raise ValueError(f"MINV_BENCH_PROFILE must be one of {', '.join(PROFILES)}")


def only_full(*cases: T) -> tuple[T, ...]:
    """Return these cases in the profile `full`, none in `quick`."""
    return cases if PROFILE == "full" else ()
