"""Classes for persons whose new value needs a signature disjoint from all their earlier ones."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from minv.compiled import IntArray
from minv.errors import InfeasibleError
from minv.instance import FREE, Instance
from minv.wording import counted


def settle_disjoint(instance: Instance, barred: Mapping[int, frozenset[int]]) -> Instance:
    """Give each such person a class of m free points, and require its signature of them.

    The optimisation knows required signatures but no forbidden colours. So companions are chosen here: of the
    colours without which the other free points would no longer be m-eligible, then the nearest points of
    different allowed colours. A companion that is such a person too brings its own forbidden colours.

    Parameters
    ----------
    instance
        The problem, in which these persons are free.
    barred
        Forbidden colours of each such point; its own colour is not among them.

    Returns
    -------
    The same points with more required signatures.

    Raises
    ------
    InfeasibleError
        No companions are left for some of them.
    """
    if not barred:
        return instance
    assert instance.required is not None
    required = instance.required.copy()
    signatures = list(instance.signatures)
    place_of = {signature: place for place, signature in enumerate(signatures)}
    stranded = 0
    for point in sorted(barred):
        if required[point] != FREE:
            continue  # it is a companion of an earlier one
        members = _companions(instance, required, barred, point)
        if len(members) < instance.m:
            stranded += 1
            continue
        signature = tuple(sorted(int(instance.colours[member]) for member in members))
        if signature not in place_of:
            place_of[signature] = len(signatures)
            signatures.append(signature)
        required[members] = place_of[signature]
    if stranded:
        raise InfeasibleError(
            f"{counted(stranded, 'person needs', 'persons need')} a class without any value of their "
            "earlier signatures, and too few new persons "
            "have other values; wait for more new persons, or create the series with --on-update suppress"
        )
    return replace(instance, required=required, signatures=tuple(signatures))


def _companions(
    instance: Instance, required: IntArray, barred: Mapping[int, frozenset[int]], point: int
) -> list[int]:
    """Return a point and m-1 free points that may share a class with it, or fewer where there are not enough."""
    free = np.flatnonzero(required == FREE)
    distances = ((instance.points[free] - instance.points[point]) ** 2).sum(axis=1)
    critical = _critical_colours(instance, free)
    order = np.lexsort((free, distances, ~np.isin(instance.colours[free], critical)))
    members = [point]
    colours = {int(instance.colours[point])}
    forbidden = set(barred[point])
    for candidate in free[order].tolist():
        colour = int(instance.colours[candidate])
        own = barred.get(candidate, frozenset())
        if len(members) < instance.m and colour not in colours | forbidden and not own & colours:
            members.append(candidate)
            colours.add(colour)
            forbidden |= own
    return members


def _critical_colours(instance: Instance, free: IntArray) -> IntArray:
    """Return the colours that are too frequent for what remains once m points of other colours are taken."""
    counts = np.bincount(instance.colours[free])
    return np.flatnonzero(instance.m * counts > len(free) - instance.m)
