"""Random feasible partitions, with or without required signatures, and the rules they obey."""

from typing import NamedTuple

import numpy as np
import pytest

from minv.localsearch import Requirements, allowed_colours

FREE = -1
COLOURS = 7


class Case(NamedTuple):
    points: np.ndarray
    colours: np.ndarray
    labels: np.ndarray
    m: int
    max_size: int
    requirements: Requirements | None


def make_case(seed, *, fixed, grid=0):
    """A random partition of random points: 1..5 free clusters and, if asked for, 1..4 fixed ones.

    With a grid of g the coordinates are whole numbers 0..g-1, so that many points share a place.
    """
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 4))
    max_size = int(rng.integers(m, 2 * m))
    colours, labels, required, signature_of_cluster, signatures = [], [], [], [], []
    for cluster in range(int(rng.integers(1, 6))):
        held = rng.choice(COLOURS, int(rng.integers(m, max_size + 1)), replace=False)
        colours.extend(held)
        labels.extend([cluster] * len(held))
        required.extend([FREE] * len(held))
        signature_of_cluster.append(FREE)
    if fixed:
        signatures = [
            tuple(sorted(rng.choice(COLOURS, int(rng.integers(m, 2 * m)), replace=False).tolist()))
            for _ in range(2)
        ]
        for cluster in range(len(signature_of_cluster), len(signature_of_cluster) + int(rng.integers(1, 5))):
            number = int(rng.integers(2))
            held = rng.choice(
                signatures[number], int(rng.integers(1, len(signatures[number]) + 1)), replace=False
            )
            colours.extend(held)
            labels.extend([cluster] * len(held))
            required.extend(rng.choice([FREE, number], len(held)))
            signature_of_cluster.append(number)
    order = rng.permutation(len(colours))
    shape = (len(colours), int(rng.integers(1, 4)))
    points = rng.integers(0, grid, size=shape).astype(float) if grid else rng.normal(size=shape)
    requirements = None
    if fixed:
        requirements = Requirements(
            np.array(required)[order],
            np.array(signature_of_cluster),
            allowed_colours(tuple(signatures), COLOURS),
        )
    return Case(points, np.array(colours)[order], np.array(labels)[order], m, max_size, requirements)


def sse_of(points, labels):
    """The definition, cluster by cluster."""
    return sum(
        ((points[labels == k] - points[labels == k].mean(axis=0)) ** 2).sum()
        for k in np.unique(labels).tolist()
    )


def counterfeits_of(case, labels):
    """Empty places of the fixed clusters."""
    wanted = case.requirements
    if wanted is None:
        return 0
    fixed = wanted.signature_of_cluster != FREE
    places = wanted.allowed.sum(axis=1)[wanted.signature_of_cluster[fixed]].sum()
    return int(places - np.isin(labels, np.flatnonzero(fixed)).sum())


def broken_rules(case, labels):
    """What makes labels infeasible, in words; nothing if they are feasible."""
    found = []
    clusters = case.labels.max() + 1
    sizes = np.bincount(labels, minlength=clusters)
    if len(sizes) != clusters or len(labels) != len(case.labels):
        return ["another number of clusters or points"]
    wanted = case.requirements
    for cluster in range(clusters):
        inside = labels == cluster
        held = case.colours[inside].tolist()
        signature = FREE if wanted is None else wanted.signature_of_cluster[cluster]
        if len(set(held)) < len(held):
            found.append("a colour twice")
        if signature == FREE:
            if not case.m <= len(held) <= case.max_size:
                found.append("a free cluster too small or too large")
            if wanted is not None and (wanted.required[inside] != FREE).any():
                found.append("an old point in a free cluster")
        else:
            if not held:
                found.append("a fixed cluster without a real point")
            if not wanted.allowed[signature][held].all():
                found.append("a colour outside the signature")
            if not np.isin(wanted.required[inside], [FREE, signature]).all():
                found.append("an old point in a cluster of another signature")
    if counterfeits_of(case, labels) != counterfeits_of(case, case.labels):
        found.append("another number of counterfeits")
    return found


class Tools(NamedTuple):
    make_case: object
    sse_of: object
    broken_rules: object


@pytest.fixture(scope="session")
def tools() -> Tools:
    """Make cases, measure and judge labels by definition."""
    return Tools(make_case, sse_of, broken_rules)
