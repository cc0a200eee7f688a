"""Anneal with several numbers of clusters, then again with the best of them."""

from typing import NamedTuple

import numpy as np

from minv.compiled import IntArray
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch.annealing import anneal
from minv.loss import sum_of_squared_errors
from minv.publish.incumbent import Incumbent
from minv.stopping import Stop

SHARES = (1.0, 0.98, 0.96, 0.94, 0.92)  # of the largest number of clusters; which is best is not known before
MOVES_A_UNIT = 1_000_000
_ROUNDS = (0.25, 0.25, 0.5)  # shares of the effort
UNITS_A_SECOND = 9  # a guess; a deadline hastens the cooling where it is too high


class Run(NamedTuple):
    """One annealing: a number of clusters, million moves and a seed."""

    clusters: int
    units: int
    seed: int


def cluster_counts(instance: Instance) -> list[int]:
    """Return the numbers of clusters to try, the largest first."""
    most = instance.size // instance.m
    least = max(int(np.bincount(instance.colours).max()), -(-instance.size // instance.max_size))
    return sorted({max(least, round(share * most)) for share in SHARES}, reverse=True)


def anneal_once(instance: Instance, run: Run, stop: Stop) -> IntArray:
    """Anneal from the sorted start with the wanted number of clusters."""
    start = sorted_start(
        instance.points, instance.colours, instance.m, max_size=instance.max_size, clusters=run.clusters
    )
    return anneal(
        instance.points,
        instance.colours,
        start,
        m=instance.m,
        max_size=instance.max_size,
        moves=run.units * MOVES_A_UNIT,
        seed=run.seed,
        stop=stop,
    )


def search(incumbent: Incumbent, stop: Stop, *, units: int, seconds: float, seed: int) -> list[IntArray]:
    """Try every number of clusters, then the better half of them for longer, then the better half of those.

    Parameters
    ----------
    units
        Million moves in all, where effort limits the run; otherwise 0.
    seconds
        Wall seconds in all, where time limits it; otherwise infinite.

    Returns
    -------
    list of IntArray
        The labels of every run.
    """
    instance = incumbent.instance
    counts = cluster_counts(instance)
    found: list[IntArray] = []
    losses: dict[int, float] = {}
    for number, share in enumerate(_ROUNDS):
        if number:
            counts = sorted(counts, key=losses.__getitem__)[: max(1, (len(counts) + 1) // 2)]
        for index, clusters in enumerate(counts):
            if stop.reached(incumbent.gap):
                return found
            part = share / len(counts)
            limit = Stop(
                time_limit=min(seconds * part, stop.remaining()) if np.isfinite(seconds) else None,
                cancel=stop.cancel,
            )
            budget = max(1, round(units * part)) if units else max(1, round(UNITS_A_SECOND * seconds * part))
            run = Run(clusters, budget, seed + 1000 * number + index)
            labels = anneal_once(instance, run, limit)
            losses[clusters] = sum_of_squared_errors(instance.points, labels)
            found.append(labels)
            incumbent.offer(labels, "annealing")
    return found
