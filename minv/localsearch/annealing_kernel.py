"""The moves of annealing: proposals, their change of the SSE, the Metropolis rule."""

import numpy as np

from minv.compiled import lean_kernel
from minv.localsearch.candidates import Candidates
from minv.localsearch.moves import (
    can_give_and_take,
    can_swap,
    enter_delta,
    fits,
    leave_delta,
    relocate,
    replace_delta,
    slot_of_colour,
    swap,
    swap_delta,
)
from minv.localsearch.random_numbers import RandomState, draw, high_below, low_below, unit
from minv.localsearch.state import Clusters, Points

MOVES_A_STEP = 1000  # moves at one temperature
HOPELESS = 40.0  # a rise of so many temperatures is refused without a draw: e^-40


@lean_kernel
def anneal_moves(
    points: Points,
    clusters: Clusters,
    candidates: Candidates,
    moves: int,
    hot: float,
    cold: float,
    random: RandomState,
) -> None:
    """Propose moves while the temperature falls geometrically from `hot` to `cold`.

    A point and a random candidate at a near place are drawn, and one of the two, in turn, is to join the
    cluster of the other. If that cluster holds its colour, it is exchanged for that member, otherwise for
    a random one or for none.
    """
    temperature = hot
    factor = (cold / hot) ** (MOVES_A_STEP / moves)
    size, near = len(points.colours), candidates.near.shape[1]
    for move in range(moves):
        if move % MOVES_A_STEP == 0 and move > 0:
            temperature *= factor
        first_bits, second_bits = draw(random), draw(random)
        point = low_below(first_bits, size)
        host = _neighbour(candidates, point, high_below(first_bits, near), second_bits)
        if move % 2 == 1:
            # Outliers are in nobody's list: they must be able to draw others to them.
            point, host = host, point
        target = clusters.labels[host]
        if clusters.labels[point] == target or not fits(points, clusters, point, target):
            continue
        slot = slot_of_colour(clusters, target, points.colours[point])
        if slot < 0:
            slot = high_below(second_bits, clusters.sizes[target] + 1)
        if slot < clusters.sizes[target]:
            _try_swap(points, clusters, point, clusters.members[target, slot], temperature, random)
        elif can_give_and_take(clusters, clusters.labels[point], target):
            _try_relocation(points, clusters, point, target, temperature, random)
        else:
            _try_chain(points, clusters, candidates, point, target, temperature, random)


@lean_kernel
def _neighbour(candidates: Candidates, point: int, rank: int, bits: np.uint64) -> int:
    """Return a random point at the near place of a rank (0 is the point's own)."""
    place = candidates.near[candidates.place[point], rank]
    first = candidates.starts[place]
    return int(candidates.residents[first + low_below(bits, candidates.starts[place + 1] - first)])


@lean_kernel
def _accepts(delta: float, temperature: float, random: RandomState) -> bool:
    if delta <= 0.0:
        return True
    return delta < HOPELESS * temperature and unit(draw(random)) < np.exp(-delta / temperature)


@lean_kernel
def _try_swap(
    points: Points, clusters: Clusters, point: int, partner: int, temperature: float, random: RandomState
) -> None:
    if not can_swap(points, clusters, point, partner):
        return
    if _accepts(swap_delta(points, clusters, point, partner), temperature, random):
        swap(points, clusters, point, partner)


@lean_kernel
def _try_relocation(
    points: Points, clusters: Clusters, point: int, target: int, temperature: float, random: RandomState
) -> None:
    delta = leave_delta(points, clusters, point) + enter_delta(points, clusters, point, target)
    if _accepts(delta, temperature, random):
        relocate(points, clusters, point, target)


@lean_kernel
def _try_chain(
    points: Points,
    clusters: Clusters,
    candidates: Candidates,
    point: int,
    target: int,
    temperature: float,
    random: RandomState,
) -> None:
    """Move a point out of a cluster that may not lose one, and a neighbour of a fellow member into it."""
    source = clusters.labels[point]
    first_bits, second_bits = draw(random), draw(random)
    fellow = clusters.members[source, low_below(first_bits, clusters.sizes[source])]
    rank = high_below(first_bits, candidates.near.shape[1])
    successor = _neighbour(candidates, fellow, rank, second_bits)
    giver = clusters.labels[successor]
    if giver in (source, target) or not can_give_and_take(clusters, giver, target):
        return
    if not _can_replace(points, clusters, point, successor):
        return
    delta = (
        replace_delta(points, clusters, point, successor)
        + enter_delta(points, clusters, point, target)
        + leave_delta(points, clusters, successor)
    )
    if _accepts(delta, temperature, random):
        relocate(points, clusters, point, target)
        relocate(points, clusters, successor, source)


@lean_kernel
def _can_replace(points: Points, clusters: Clusters, leaving: int, entering: int) -> bool:
    """Whether a point from elsewhere may take the place of a member."""
    cluster, colour = clusters.labels[leaving], points.colours[entering]
    if not fits(points, clusters, entering, cluster):
        return False
    return colour == points.colours[leaving] or slot_of_colour(clusters, cluster, colour) < 0
