"""Moves of points between clusters: whether they are allowed, what they change, doing them.

Deltas are changes of the SSE in O(d) time. With centroid c and size n, taking x from a cluster lowers its
SSE by n/(n-1) |x-c|^2, adding x raises it by n/(n+1) |x-c|^2, and replacing x by y changes it by
|y-c|^2 - |x-c|^2 - |y-x|^2 / n.
"""

from minv.compiled import lean_kernel
from minv.instance import FREE
from minv.localsearch.state import Clusters, Points


@lean_kernel
def slot_of_colour(clusters: Clusters, cluster: int, colour: int) -> int:
    """Return where a cluster holds a colour, or -1."""
    for slot in range(clusters.sizes[cluster]):
        if clusters.held[cluster, slot] == colour:
            return slot
    return -1


@lean_kernel
def fits(points: Points, clusters: Clusters, point: int, cluster: int) -> bool:
    """Whether signatures let a point into a cluster."""
    if points.allowed.shape[0] == 0:
        return True
    signature = clusters.signature[cluster]
    required = points.required[point]
    if signature == FREE or required != FREE:
        return bool(required == signature)
    return bool(points.allowed[signature, points.colours[point]])


@lean_kernel
def same_kind(clusters: Clusters, one: int, other: int) -> bool:
    """Whether both clusters are free or both fixed: then a point between them changes no counterfeits."""
    return bool((clusters.signature[one] == FREE) == (clusters.signature[other] == FREE))


@lean_kernel
def can_give_and_take(clusters: Clusters, giver: int, taker: int) -> bool:
    """Whether sizes and counterfeits let one cluster lose a point and another gain one."""
    return (
        clusters.sizes[giver] > clusters.least[giver]
        and clusters.sizes[taker] < clusters.most[taker]
        and same_kind(clusters, giver, taker)
    )


@lean_kernel
def can_swap(points: Points, clusters: Clusters, one: int, other: int) -> bool:
    """Whether two points of different clusters may change places."""
    first, second = clusters.labels[one], clusters.labels[other]
    if not (fits(points, clusters, one, second) and fits(points, clusters, other, first)):
        return False
    if points.colours[one] == points.colours[other]:
        return True
    return (
        slot_of_colour(clusters, second, points.colours[one]) < 0
        and slot_of_colour(clusters, first, points.colours[other]) < 0
    )


@lean_kernel
def swap_delta(points: Points, clusters: Clusters, one: int, other: int) -> float:
    """Return the change of the SSE if two points of different clusters change places."""
    first, second = clusters.labels[one], clusters.labels[other]
    along, square = 0.0, 0.0
    for axis in range(points.coordinates.shape[1]):
        step = points.coordinates[other, axis] - points.coordinates[one, axis]
        along += step * (clusters.centroids[second, axis] - clusters.centroids[first, axis])
        square += step * step
    return float(2.0 * along - square * (1.0 / clusters.sizes[first] + 1.0 / clusters.sizes[second]))


@lean_kernel
def distance(points: Points, clusters: Clusters, point: int, cluster: int) -> float:
    """Return the squared distance of a point to the centroid of a cluster."""
    total = 0.0
    for axis in range(points.coordinates.shape[1]):
        step = points.coordinates[point, axis] - clusters.centroids[cluster, axis]
        total += step * step
    return total


@lean_kernel
def leave_delta(points: Points, clusters: Clusters, point: int) -> float:
    """Return the change of the SSE if a point leaves its cluster, which has others."""
    cluster = clusters.labels[point]
    size = clusters.sizes[cluster]
    return float(-distance(points, clusters, point, cluster) * size / (size - 1.0))


@lean_kernel
def enter_delta(points: Points, clusters: Clusters, point: int, cluster: int) -> float:
    """Return the change of the SSE if a point enters a cluster."""
    size = clusters.sizes[cluster]
    return float(distance(points, clusters, point, cluster) * size / (size + 1.0))


@lean_kernel
def replace_delta(points: Points, clusters: Clusters, leaving: int, entering: int) -> float:
    """Return the change of the SSE of a point's cluster if another point takes its place."""
    cluster = clusters.labels[leaving]
    square = 0.0
    for axis in range(points.coordinates.shape[1]):
        step = points.coordinates[entering, axis] - points.coordinates[leaving, axis]
        square += step * step
    return float(
        distance(points, clusters, entering, cluster)
        - distance(points, clusters, leaving, cluster)
        - square / clusters.sizes[cluster]
    )


@lean_kernel
def swap(points: Points, clusters: Clusters, one: int, other: int) -> None:
    """Let two points of different clusters change places."""
    first, second = clusters.labels[one], clusters.labels[other]
    _put(points, clusters, first, _slot(clusters, one), other)
    _put(points, clusters, second, _slot(clusters, other), one)
    clusters.labels[one], clusters.labels[other] = second, first
    for axis in range(points.coordinates.shape[1]):
        step = points.coordinates[other, axis] - points.coordinates[one, axis]
        clusters.centroids[first, axis] += step / clusters.sizes[first]
        clusters.centroids[second, axis] -= step / clusters.sizes[second]


@lean_kernel
def relocate(points: Points, clusters: Clusters, point: int, target: int) -> None:
    """Move a point into another cluster; the old one may end, and the new one begin, without points."""
    source = clusters.labels[point]
    last = clusters.sizes[source] - 1
    _put(points, clusters, source, _slot(clusters, point), clusters.members[source, last])
    _put(points, clusters, target, clusters.sizes[target], point)
    clusters.labels[point] = target
    clusters.sizes[source] -= 1
    clusters.sizes[target] += 1
    for axis in range(points.coordinates.shape[1]):
        value = points.coordinates[point, axis]
        clusters.centroids[source, axis] -= (value - clusters.centroids[source, axis]) / clusters.sizes[
            source
        ]
        clusters.centroids[target, axis] += (value - clusters.centroids[target, axis]) / clusters.sizes[
            target
        ]


@lean_kernel
def _slot(clusters: Clusters, point: int) -> int:
    cluster, slot = clusters.labels[point], 0
    while clusters.members[cluster, slot] != point:
        slot += 1
    return slot


@lean_kernel
def _put(points: Points, clusters: Clusters, cluster: int, slot: int, point: int) -> None:
    clusters.members[cluster, slot] = point
    clusters.held[cluster, slot] = points.colours[point]
