"""Re-assignment of all points of one colour at once: a linear assignment problem."""

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.instance import FREE
from minv.localsearch.blocks import spatial_blocks
from minv.localsearch.limits import limits_for_moves
from minv.localsearch.requirements import Requirements
from minv.localsearch.state import IMPROVEMENT, Clusters, State, better_labels, open_state, refill
from minv.loss import sum_of_squared_errors
from minv.stopping import Stop

BLOCK = 1500
VACANCIES = 4
LEAST_PROGRESS = 1e-3  # share of the SSE that a sweep over blocks must gain to be followed by another


def reassign_colours(
    points: FloatArray,
    colours: IntArray,
    labels: IntArray,
    *,
    m: int,
    max_size: int = 0,
    block: int = BLOCK,
    requirements: Requirements | None = None,
    stop: Stop | None = None,
) -> IntArray:
    """Assign all points of a colour to clusters at the least SSE, colour after colour, until none improves.

    With the other colours in place, a cluster of n other points with centroid c takes a point x of this
    colour at the cost n/(n+1) |x-c|^2: an assignment problem, solved exactly. Clusters that hold the colour
    take part, those that may lose it may remain without; so may clusters near one of the points that have
    room for it. A colour with more points than `block` is treated in compact blocks, cut anew in each sweep.

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
    block
        Largest number of points assigned at once.
    requirements
        Required signatures of points and clusters, if any; the number of counterfeits remains.
    stop
        Looked at after every assignment, which is one unit of effort; the best labels so far are returned.

    Returns
    -------
    IntArray
        (n,) labels of no larger SSE.

    Raises
    ------
    UsageError
        The start breaks a rule.
    """
    stop = stop or Stop()
    limits = limits_for_moves(labels, m, max_size, requirements)
    state = open_state(points, colours, labels, limits, requirements)
    reassign(state, block, stop)
    return better_labels(points, labels, state.clusters.labels)


def reassign(state: State, block: int, stop: Stop) -> None:
    """Re-assign colour after colour of a state until none improves (see `reassign_colours`)."""
    points, clusters = state
    members = [np.flatnonzero(points.colours == colour) for colour in np.unique(points.colours)]
    divided = any(len(group) > block for group in members)
    rng = np.random.default_rng(0)
    gain = np.inf
    while gain > _worth_another_sweep(state, divided) and not stop.reached():
        gain = 0.0
        for group in members:
            for part in spatial_blocks(points.coordinates, group, block, rng):
                if not stop.reached():
                    gain += sum(assign_points(state, part, fixed) for fixed in _kinds(clusters))
                    stop.charge(1)


def _worth_another_sweep(state: State, divided: bool) -> float:
    if not divided:
        return IMPROVEMENT
    return max(
        IMPROVEMENT, LEAST_PROGRESS * sum_of_squared_errors(state.points.coordinates, state.clusters.labels)
    )


def _kinds(clusters: Clusters) -> list[bool]:
    """Return which of the two kinds of clusters, free and fixed, exist."""
    return [bool(fixed) for fixed in np.unique(clusters.signature != FREE)]


def assign_points(state: State, group: IntArray, fixed: bool) -> float:
    """Assign points of one colour anew; clusters of one kind may begin or cease to hold it. Return the gain.

    That the other kind keeps its points of the colour leaves the number of counterfeits as it is.
    """
    points, clusters = state
    holders = clusters.labels[group]
    columns = np.concatenate([holders, _vacancies(state, group, fixed)])
    holding = np.arange(len(columns)) < len(group)
    cost = _costs(state, group, columns, holding)
    obliged = holding & (
        ((clusters.signature[columns] != FREE) != fixed)
        | (clusters.sizes[columns] <= clusters.least[columns])
    )
    finite = np.where(np.isfinite(cost), cost, 0.0)
    reward = (len(group) + 1) * (finite.max() + 1.0)
    rows, chosen = linear_sum_assignment(cost - reward * obliged)
    gain = float(np.trace(cost[:, : len(group)]) - cost[rows, chosen].sum())
    if gain <= IMPROVEMENT:
        return 0.0
    clusters.labels[group] = columns[chosen]
    refill(points, clusters)
    return gain


def _vacancies(state: State, group: IntArray, fixed: bool) -> IntArray:
    """Return clusters of one kind, near to points of a colour, that lack the colour and have room."""
    points, clusters = state
    colour = points.colours[group[0]]
    open_to = (clusters.sizes < clusters.most) & ((clusters.signature != FREE) == fixed)
    open_to[clusters.labels[points.colours == colour]] = False
    if fixed:
        open_to &= points.allowed[clusters.signature, colour]
    vacant = np.flatnonzero(open_to)
    if len(vacant) <= VACANCIES:
        return vacant
    _, nearest = cKDTree(clusters.centroids[vacant]).query(points.coordinates[group], VACANCIES)
    return vacant[np.unique(nearest)]


def _costs(state: State, group: IntArray, columns: IntArray, holding: BoolArray) -> FloatArray:
    """Return (points, clusters): the rise of the SSE by each point, the clusters being without the colour."""
    points, clusters = state
    others = (clusters.sizes[columns] - holding).astype(np.float64)
    sums = clusters.sizes[columns, None] * clusters.centroids[columns]
    sums[: len(group)] -= points.coordinates[group]
    centroids = sums / np.maximum(others, 1.0)[:, None]
    cost: FloatArray = cdist(points.coordinates[group], centroids, "sqeuclidean") * (others / (others + 1.0))
    cost[~_fit(state, group, columns)] = np.inf
    return cost


def _fit(state: State, group: IntArray, columns: IntArray) -> BoolArray:
    """Return (points, clusters): whether signatures let each point into each cluster (see `moves.fits`)."""
    points, clusters = state
    required = points.required[group][:, None]
    signature = clusters.signature[columns]
    fit: BoolArray = required == signature
    if len(points.allowed):
        welcome = (signature != FREE) & points.allowed[signature, points.colours[group[0]]]
        fit |= (required == FREE) & welcome
    return fit
