"""Anneal with several numbers of clusters, then again with the best of them."""

from collections.abc import Iterable
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from minv.compiled import IntArray
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.localsearch.annealing import anneal
from minv.loss import sum_of_squared_errors
from minv.publish.incumbent import Incumbent
from minv.publish.workers import task_token
from minv.stopping import Stop

SHARES = (1.0, 0.98, 0.96, 0.94, 0.92)  # of the largest number of clusters; which is best is not known before
MOVES_A_UNIT = 1_000_000
_ROUNDS = (0.25, 0.25, 0.5)  # shares of the effort
_MODERATE, _MANY = 2.0, 40  # start temperature and candidates of a large table
UNITS_A_SECOND = 9  # a guess; a deadline hastens the cooling where it is too high


class Run(NamedTuple):
    """One annealing: a number of clusters, moves, wall seconds (or infinite) and a seed."""

    clusters: int
    moves: int
    seconds: float
    seed: int


def cluster_counts(instance: Instance) -> list[int]:
    """Return the numbers of clusters to try, the largest first."""
    most = instance.size // instance.m
    least = max(int(np.bincount(instance.colours).max()), -(-instance.size // instance.max_size))
    return sorted({max(least, round(share * most)) for share in SHARES}, reverse=True)


def anneal_once(instance: Instance, run: Run) -> IntArray:
    """Anneal from the sorted start with the wanted number of clusters."""
    stop = Stop(time_limit=run.seconds, cancel=task_token())
    start = sorted_start(
        instance.points, instance.colours, instance.m, max_size=instance.max_size, clusters=run.clusters
    )
    return anneal(
        instance.points,
        instance.colours,
        start,
        m=instance.m,
        max_size=instance.max_size,
        moves=run.moves,
        seed=run.seed,
        stop=stop,
    )


def anneal_further(incumbent: Incumbent, stop: Stop, *, units: int, seconds: float, seed: int) -> None:
    """Anneal a large incumbent as a whole, with its number of clusters, at a moderate temperature and many candidates.

    Where some colours are nearly as frequent as can be, clusters reach far, and no patch of the table can be
    solved by itself.

    Parameters
    ----------
    units
        Million moves, where effort limits the run; otherwise 0.
    seconds
        Wall seconds, where time limits it; otherwise infinite.
    """
    instance = incumbent.instance
    limited = bool(np.isfinite(seconds))
    labels = anneal(
        instance.points,
        instance.colours,
        incumbent.labels,
        m=instance.m,
        max_size=instance.max_size,
        moves=max(1, round(UNITS_A_SECOND * seconds) if limited else units) * MOVES_A_UNIT,
        seed=seed,
        start_temperature=_MODERATE,
        neighbours=_MANY,
        stop=Stop(time_limit=min(seconds, stop.remaining()), cancel=stop.cancel),
    )
    incumbent.offer(labels, "annealing")


def search(
    incumbent: Incumbent,
    stop: Stop,
    *,
    units: int,
    seconds: float,
    seed: int,
    workers: int = 1,
    executor: Executor | None = None,
) -> None:
    """Try every number of clusters, then the better half of them for longer, then the better half of those.

    Parameters
    ----------
    units
        Million moves in all, where effort limits the run; otherwise 0.
    seconds
        Wall seconds in all, where time limits it; otherwise infinite.
    workers, executor
        How many runs there are at a time, and who makes them; None makes them here. Where time limits the run,
        the last round has as many runs of the best numbers as there are workers.
    """
    instance = incumbent.instance
    counts = cluster_counts(instance)
    at_once = 1 if executor is None else workers
    losses: dict[int, float] = {}
    for number, share in enumerate(_ROUNDS):
        if stop.reached(incumbent.gap):
            return
        if number:
            counts = sorted(counts, key=losses.__getitem__)[: max(1, (len(counts) + 1) // 2)]
        repeats = max(1, at_once // len(counts)) if np.isfinite(seconds) and number == len(_ROUNDS) - 1 else 1
        tries = counts * repeats
        waves = -(-len(tries) // at_once)
        most = min(seconds * share, stop.remaining()) / waves
        budget = max(1, round(units * share / len(tries)) if units else round(UNITS_A_SECOND * most))
        runs = [
            Run(clusters, budget * MOVES_A_UNIT, most, seed + 1000 * number + index)
            for index, clusters in enumerate(tries)
        ]
        for run, labels in zip(runs, _annealed(instance, runs, executor), strict=False):
            loss = sum_of_squared_errors(instance.points, labels)
            losses[run.clusters] = min(loss, losses.get(run.clusters, np.inf))
            incumbent.offer(labels, "annealing")
            if stop.reached(incumbent.gap):
                return


def _annealed(instance: Instance, runs: list[Run], executor: Executor | None) -> Iterable[IntArray]:
    if executor is None:
        return (anneal_once(instance, run) for run in runs)
    return executor.map(anneal_once, [instance] * len(runs), runs)
