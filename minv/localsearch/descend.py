"""All fast local searches, one after another, to a common local optimum."""

from minv.compiled import FloatArray, IntArray
from minv.localsearch.candidates import nearest_places
from minv.localsearch.colour_assignment import BLOCK, reassign
from minv.localsearch.first_improvement import NEIGHBOURS, improve
from minv.localsearch.limits import limits_for_moves
from minv.localsearch.requirements import Requirements
from minv.localsearch.state import State, better_labels, open_state
from minv.loss import sum_of_squared_errors
from minv.stopping import Stop

LEAST_PROGRESS = 1e-6  # share of the SSE that a round must gain to be followed by another


def descend(
    points: FloatArray,
    colours: IntArray,
    labels: IntArray,
    *,
    m: int,
    max_size: int = 0,
    neighbours: int = NEIGHBOURS,
    requirements: Requirements | None = None,
    stop: Stop | None = None,
) -> IntArray:
    """Swap, relocate and re-assign colours in turn until hardly anything improves.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    colours
        (n,) colour of each point, 0..L-1.
    labels
        (n,) start: a feasible partition.
    m, max_size
        Size limits of free clusters; a max_size of 0 means 2m-1.
    neighbours
        Number of nearest places that give candidates for swaps and relocations.
    requirements
        Required signatures of points and clusters, if any.
    stop
        Looked at often; the best labels so far are returned.

    Returns
    -------
    IntArray
        (n,) labels of no larger SSE; the number of clusters is that of the start.

    Raises
    ------
    UsageError
        The start breaks a rule.
    """
    stop = stop or Stop()
    limits = limits_for_moves(labels, m, max_size, requirements)
    state = open_state(points, colours, labels, limits, requirements)
    candidates = nearest_places(state.points.coordinates, neighbours)
    before, after = float("inf"), _sse(state)
    while after < (1.0 - LEAST_PROGRESS) * before and not stop.reached():
        improve(state, candidates, stop)
        reassign(state, BLOCK, stop)
        before, after = after, _sse(state)
    return better_labels(points, labels, state.clusters.labels)


def _sse(state: State) -> float:
    return sum_of_squared_errors(state.points.coordinates, state.clusters.labels)
