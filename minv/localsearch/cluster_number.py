"""Another number of clusters: dissolve or open some, always feasibly."""

import numpy as np

from minv.compiled import FloatArray, IntArray, lean_kernel
from minv.errors import UsageError
from minv.instance import FREE, cluster_numbers
from minv.localsearch.limits import limits_for_moves
from minv.localsearch.moves import distance, enter_delta, leave_delta, relocate, slot_of_colour
from minv.localsearch.state import Clusters, Points, State, open_state


def with_clusters(
    points: FloatArray, colours: IntArray, labels: IntArray, clusters: int, *, m: int, max_size: int = 0
) -> IntArray:
    """Change a partition into one of another number of clusters, at a small loss.

    To have fewer, the cluster of the largest SSE is dissolved, time and again: each of its points goes
    where it raises the SSE least among the clusters that lack its colour. One that becomes too large hands
    a point on; since it then exceeds any with room, it holds a colour which that one lacks. To have more,
    the point that weighs heaviest opens a cluster, and those follow that cost least; a cluster that may
    lose a point is larger than the new one, hence holds a colour which that one lacks.

    Parameters
    ----------
    points
        (n, d) encoded coordinates.
    colours
        (n,) colour of each point, 0..L-1.
    labels
        (n,) a feasible partition without required signatures.
    clusters
        The wanted number K.
    m, max_size
        Size limits of clusters; a max_size of 0 means 2m-1.

    Returns
    -------
    IntArray
        (n,) labels 0..K-1 of a feasible partition.

    Raises
    ------
    UsageError
        The start breaks a rule, or no feasible partition has K clusters.
    """
    limits = limits_for_moves(labels, m, max_size, None)
    start = open_state(points, colours, labels, limits, None)
    largest = max_size or 2 * m - 1
    feasible = cluster_numbers(np.bincount(start.points.colours), m, largest)
    if clusters not in feasible:
        raise UsageError(
            f"a partition of {len(labels)} points into clusters of {m} to {largest} has "
            f"{feasible.start} to {feasible.stop - 1} clusters, not {clusters}"
        )
    state = State(start.points, _with_room(start.clusters, clusters, m, largest))
    present = len(limits.least)
    while present < clusters:
        _open_cluster(*state, present)
        present += 1
    while present > clusters:
        present -= 1
        _dissolve_cluster(*state, present)
    return state.clusters.labels


def _with_room(clusters: Clusters, wanted: int, m: int, largest: int) -> Clusters:
    """Return the clusters with rows for further ones, empty, and with a slot more for each."""
    number = max(wanted, len(clusters.sizes))
    added = ((0, number - len(clusters.sizes)), (0, 0))
    return clusters._replace(
        labels=clusters.labels.copy(),
        members=np.pad(clusters.members, (added[0], (0, 1)), constant_values=-1),
        held=np.pad(clusters.held, (added[0], (0, 1)), constant_values=-1),
        sizes=np.pad(clusters.sizes, added[0]),
        centroids=np.pad(clusters.centroids, added),
        least=np.full(number, m, dtype=np.int64),
        most=np.full(number, largest, dtype=np.int64),
        signature=np.full(number, FREE, dtype=np.int64),
    )


@lean_kernel
def _open_cluster(points: Points, clusters: Clusters, cluster: int) -> None:
    """Fill the empty cluster up to the least size."""
    while clusters.sizes[cluster] < clusters.least[cluster]:
        best, least = -1, np.inf
        for point in range(len(clusters.labels)):
            source = clusters.labels[point]
            if source == cluster or clusters.sizes[source] <= clusters.least[source]:
                continue
            if slot_of_colour(clusters, cluster, points.colours[point]) >= 0:
                continue
            delta = leave_delta(points, clusters, point)
            if clusters.sizes[cluster] > 0:
                delta += enter_delta(points, clusters, point, cluster)
            if delta < least:
                best, least = point, delta
        relocate(points, clusters, best, cluster)


@lean_kernel
def _dissolve_cluster(points: Points, clusters: Clusters, last: int) -> None:
    """Dissolve the cluster of the largest SSE among 0..last; number `last` takes its place."""
    victim = _heaviest(points, clusters, last + 1)
    _exchange_rows(clusters, victim, last)
    while clusters.sizes[last] > 0:
        point = clusters.members[last, clusters.sizes[last] - 1]
        target = _cheapest_target(points, clusters, point, last, 0)
        if target < 0:
            target = _cheapest_target(points, clusters, point, last, 1)
        relocate(points, clusters, point, target)
        if clusters.sizes[target] > clusters.most[target]:
            _hand_on(points, clusters, target, last)


@lean_kernel
def _heaviest(points: Points, clusters: Clusters, number: int) -> int:
    """Return the cluster of the largest SSE among the first `number`."""
    heaviest, largest = 0, -1.0
    for cluster in range(number):
        sse = 0.0
        for slot in range(clusters.sizes[cluster]):
            sse += distance(points, clusters, clusters.members[cluster, slot], cluster)
        if sse > largest:
            heaviest, largest = cluster, sse
    return heaviest


@lean_kernel
def _exchange_rows(clusters: Clusters, one: int, other: int) -> None:
    """Let two clusters change their numbers."""
    for slot in range(clusters.members.shape[1]):
        rows, held = clusters.members, clusters.held
        rows[one, slot], rows[other, slot] = rows[other, slot], rows[one, slot]
        held[one, slot], held[other, slot] = held[other, slot], held[one, slot]
    for axis in range(clusters.centroids.shape[1]):
        places = clusters.centroids
        places[one, axis], places[other, axis] = places[other, axis], places[one, axis]
    clusters.sizes[one], clusters.sizes[other] = clusters.sizes[other], clusters.sizes[one]
    for cluster in (one, other):
        for slot in range(clusters.sizes[cluster]):
            clusters.labels[clusters.members[cluster, slot]] = cluster


@lean_kernel
def _cheapest_target(points: Points, clusters: Clusters, point: int, number: int, excess: int) -> int:
    """Return which of the first clusters takes a point at the least rise, up to `excess` above its size limit."""
    best, least = -1, np.inf
    for cluster in range(number):
        if clusters.sizes[cluster] >= clusters.most[cluster] + excess:
            continue
        if slot_of_colour(clusters, cluster, points.colours[point]) >= 0:
            continue
        delta = enter_delta(points, clusters, point, cluster)
        if delta < least:
            best, least = cluster, delta
    return best


@lean_kernel
def _hand_on(points: Points, clusters: Clusters, crowded: int, number: int) -> None:
    """Move the member of a too large cluster that costs least into one with room."""
    best, goal, least = -1, -1, np.inf
    for slot in range(clusters.sizes[crowded]):
        point = clusters.members[crowded, slot]
        target = _cheapest_target(points, clusters, point, number, 0)
        if target < 0:
            continue
        delta = leave_delta(points, clusters, point) + enter_delta(points, clusters, point, target)
        if delta < least:
            best, goal, least = point, target, delta
    relocate(points, clusters, best, goal)
