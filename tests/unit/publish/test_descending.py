"""Partitions near the linear relaxation: feasible, for rows that occur several times too, and only offered if near."""

import numpy as np
import pytest

from minv.colgen.exact import open_generation
from minv.colgen.generation import ColumnGeneration
from minv.heuristics.sorted_start import sorted_start
from minv.instance import Instance
from minv.loss import sum_of_squared_errors
from minv.progress import silent
from minv.publish.descending import descend_from_relaxation, near_relaxation
from minv.publish.engines import choose_solver, default_solvers
from minv.publish.incumbent import Incumbent
from minv.stopping import Stop


def relaxed(seed: int, places: int) -> tuple[Instance, ColumnGeneration]:
    """A table of 150 points in so many places, and its solved relaxation."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(places, 2))[rng.integers(places, size=150)]
    instance = Instance(points, rng.integers(6, size=150), 3)
    start = sorted_start(instance.points, instance.colours, instance.m)
    generation = open_generation(instance, start, default_solvers())
    while generation.step(Stop()):
        pass
    return instance, generation


@pytest.mark.parametrize("columns_a_row", [1, 5])
@pytest.mark.parametrize("places", [40, 150])
def test_every_cluster_is_m_unique(places: int, columns_a_row: int) -> None:
    instance, generation = relaxed(places, places)
    labels = near_relaxation(
        instance, generation, Stop(), solver=choose_solver("highs", None), columns_a_row=columns_a_row
    )
    assert labels is not None
    for cluster in np.unique(labels):
        colours = instance.colours[labels == cluster]
        assert len(colours) >= instance.m
        assert len(np.unique(colours)) == len(colours)


def test_nothing_without_time() -> None:
    instance, generation = relaxed(1, 150)
    options = {"solver": choose_solver("highs", None), "columns_a_row": 3}
    assert near_relaxation(instance, generation, Stop(time_limit=0.0), **options) is None


def test_the_incumbent_never_becomes_worse() -> None:
    instance, generation = relaxed(2, 150)
    start = sorted_start(instance.points, instance.colours, instance.m)
    incumbent = Incumbent(instance, start, Stop(), silent)
    before = incumbent.sse
    descend_from_relaxation(
        incumbent, generation, Stop(), solver=choose_solver("highs", None), units=1, seed=0
    )
    assert incumbent.sse <= before
    assert incumbent.sse == pytest.approx(sum_of_squared_errors(instance.points, incumbent.labels))
    assert incumbent.sse >= generation.bound.value
