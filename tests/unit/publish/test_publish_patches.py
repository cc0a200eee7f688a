"""Patches: whole clusters, every point once, never a worse partition, the same for any number of workers."""

import threading

import numpy as np
import pytest

from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.loss import sum_of_squared_errors
from minv.progress import silent
from minv.publish import patches
from minv.publish.incumbent import Incumbent
from minv.publish.workers import open_executor, task_token
from minv.stopping import CancelToken, Stop


@pytest.fixture
def instance() -> Instance:
    random = np.random.default_rng(3)
    return Instance(random.standard_normal((600, 2)), random.integers(0, 12, 600), 3)


@pytest.fixture
def labels(instance: Instance) -> np.ndarray:
    return sorted_start(instance.points, instance.colours, instance.m)


@pytest.mark.parametrize("size", [1, 50, 10_000])
def test_patches_are_unions_of_whole_clusters(instance: Instance, labels: np.ndarray, size: int) -> None:
    parts = list(patches.divide(instance.points, labels, size, seed=0))
    assert sorted(np.concatenate(parts).tolist()) == list(range(instance.size))
    owners = [set(labels[part].tolist()) for part in parts]
    assert sum(len(owner) for owner in owners) == labels.max() + 1
    largest = max(size, int(np.bincount(labels).max()))
    assert all(len(part) <= largest for part in parts)


def test_another_seed_has_other_seams(instance: Instance, labels: np.ndarray) -> None:
    def parts(seed: int) -> set[frozenset[int]]:
        return {frozenset(part.tolist()) for part in patches.divide(instance.points, labels, 100, seed)}

    assert parts(0) == parts(0)
    assert not parts(0) & parts(1)


def solved(
    instance: Instance, labels: np.ndarray, workers: int, monkeypatch: pytest.MonkeyPatch
) -> np.ndarray:
    monkeypatch.setattr(patches, "POINTS", 150)
    stop = Stop()
    incumbent = Incumbent(instance, labels, stop, silent)
    with open_executor(workers, stop.cancel) as pool:
        patches.search(incumbent, stop, units=8, seconds=np.inf, seed=1, workers=workers, executor=pool)
    return incumbent.labels


def test_never_worse_and_the_same_for_any_workers(
    instance: Instance, labels: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = solved(instance, labels, 1, monkeypatch)
    assert sum_of_squared_errors(instance.points, alone) < sum_of_squared_errors(instance.points, labels)
    for cluster in range(alone.max() + 1):
        colours = instance.colours[alone == cluster]
        assert instance.m <= len(colours) == len(set(colours.tolist())) <= 2 * instance.m - 1
    assert (solved(instance, labels, 2, monkeypatch) == alone).all()


@pytest.mark.parametrize("workers", [1, 2])
def test_endless_patches_end_once_the_token_is_set(
    instance: Instance, labels: np.ndarray, workers: int
) -> None:
    token = CancelToken()
    patch = patches.Patch(
        np.arange(instance.size), instance.points, instance.colours, labels, 3, 5, 1.0, (), 10**15, np.inf, 0
    )
    timer = threading.Timer(0.3, token.cancel)
    timer.start()
    with open_executor(workers, token) as pool:
        found = (
            patches.solve_patch(patch) if pool is None else pool.submit(patches.solve_patch, patch).result()
        )
    timer.join()
    assert len(found) == instance.size
    assert not task_token().cancelled
