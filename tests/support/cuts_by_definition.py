"""Random rank-one cuts, and what a cluster pays for them by the definition."""

from collections.abc import Iterable

import numpy as np

from minv.compiled import IntArray
from minv.pricing.cuts import CutPenalties, RankOneCuts, rank_one_cuts


def random_cuts(rng: np.random.Generator, multiplicity: IntArray, number: int) -> RankOneCuts:
    """Cuts of all denominators on one row up to all."""
    rows = len(multiplicity)
    denominators = rng.integers(2, 6, number).tolist()
    lines = []
    for denominator in denominators:
        held = np.sort(rng.choice(rows, rng.integers(1, rows + 1), replace=False))
        lines.append((held, rng.integers(1, denominator, len(held))))
    return rank_one_cuts(lines, denominators, multiplicity)


def times_held(cuts: RankOneCuts, members: Iterable[int]) -> list[int]:
    """How often a cluster holds each cut."""
    own = set(members)
    return [
        sum(int(part) for row, part in zip(rows, numerators, strict=True) if part and int(row) in own)
        // int(below)
        for rows, numerators, below in zip(cuts.rows, cuts.numerators, cuts.denominators, strict=True)
    ]


def penalty_of(cuts: CutPenalties, members: Iterable[int]) -> float:
    """What a cluster pays for the cuts that it holds."""
    return float(np.array(times_held(cuts.cuts, members), float) @ cuts.penalties)
