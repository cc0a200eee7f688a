"""Local search never leaves a class of a remembered signature without anybody who requires it."""

import numpy as np
import pytest

from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance
from minv.localsearch import anneal
from minv.publish.anchors import anchored_requirements
from minv.publish.engine import Budget, Policy
from minv.publish.later import solve_later


def crowded_release(seed: int) -> Instance:
    """Return old persons of two signatures, and newcomers of one colour, who fit into old classes only."""
    rng = np.random.default_rng(seed)
    signatures = ((0, 1, 2), (0, 2, 3))
    old = [(kind, colour) for kind in range(2) for colour in signatures[kind] for _ in range(4)]
    colours = np.array([colour for _, colour in old] + [0] * 5)
    required = np.array([kind for kind, _ in old] + [FREE] * 5)
    return Instance(rng.normal(size=(len(colours), 2)), colours, 3, required=required, signatures=signatures)


@pytest.mark.parametrize("seed", range(5))
def test_every_old_class_keeps_an_old_person(seed: int) -> None:
    instance = crowded_release(seed)
    start = staged(instance, seed, split_by_halving)
    assert start.completing > 0
    wanted = anchored_requirements(instance, start.labels)
    assert len(wanted.allowed) > len(instance.signatures)  # there are extra classes
    labels = anneal(
        instance.points,
        instance.colours,
        start.labels,
        m=3,
        moves=200_000,
        seed=seed,
        requirements=wanted,
    )
    assert set(labels[instance.required != FREE]) == set(range(len(start.signature_of_class)))


@pytest.mark.parametrize("seed", range(5))
def test_the_engine_keeps_what_annealing_finds(seed: int) -> None:
    found = solve_later(crowded_release(seed), Policy(), Budget(effort=1, seed=seed))
    assert found.steps[-1].il < found.steps[0].il


def test_the_fewest_classes_need_no_care() -> None:
    instance = Instance(
        np.zeros((4, 1)), np.array([0, 0, 1, 1]), 2, required=np.array([0, 0, 0, FREE]), signatures=((0, 1),)
    )
    wanted = anchored_requirements(instance, np.array([0, 1, 0, 1]))
    assert wanted.required.tolist() == [0, 0, 0, FREE]
    assert wanted.signature_of_cluster.tolist() == [0, 0]
