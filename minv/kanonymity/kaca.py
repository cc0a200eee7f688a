"""KACA: agglomeration in attribute hierarchies (Li, Wong, Fu and Pei 2006)."""

from collections.abc import Sequence

import numpy as np

from minv.compiled import FloatArray, IntArray, kernel
from minv.errors import UsageError
from minv.hierarchy import Hierarchy, Intervals, flat_hierarchy
from minv.kanonymity.feasibility import check_k
from minv.kanonymity.labels import by_first_appearance
from minv.kanonymity.spans import TIE, extend, spans_penalty
from minv.loss import Leaves, MixedRecords, Numbers, QuasiIdentifier
from minv.loss.records import span_penalties

DEFAULT_INTERVALS = 16  # finest intervals of a numeric domain without a hierarchy of its own


def kaca(attributes: Sequence[QuasiIdentifier], k: int, seed: int, *, beta: float = 0.0) -> IntArray:
    """Partition records by merging classes until each has at least k.

    Equal records form the first classes. While there is a class of fewer than k records, one of these,
    drawn at random, is merged with its nearest class. Classes C1 and C2 of n1 and n2 records are
    n1 D(C1, C12) + n2 D(C2, C12) apart, C12 their closest common generalisation; the distortion D adds
    up, over the attributes, the weighted share of the hierarchy's levels that is climbed. Classes may grow
    beyond 2k-1: the authors' optional division of large partners is not applied. O(r^2 d) for r distinct
    records.

    A numeric attribute is climbed in a tree of intervals: its domain cut into 16, each level joining two
    of the one below. For other levels pass `Leaves` of an `Intervals` tree. Categories without a hierarchy hang
    directly under a root. A value whose branch is
    shorter than the tree counts as standing at the lowest level.

    Parameters
    ----------
    attributes
        The quasi-identifiers of n records.
    k
        Least size of a class.
    seed
        Of the order in which classes are drawn.
    beta
        The step from depth j to depth j-1 (root: 0) weighs 1 / j**beta: 0 for uniform weights, 1 or more
        for the authors' height weights.

    Returns
    -------
    (n,) class of each record, numbered by first appearance.

    Raises
    ------
    UsageError, InfeasibleError
        A negative beta; see `check_k`.
    """
    if not beta >= 0:
        raise UsageError(f"beta must be 0 or more, not {beta}")
    n = len(MixedRecords(attributes))
    check_k(n, k)
    if n == 0:
        return np.zeros(0, np.int64)
    trees = [_in_tree(attribute) for attribute in attributes]
    records = MixedRecords(trees)
    distinct, inverse, counts = np.unique(records.values, axis=0, return_inverse=True, return_counts=True)
    spans = span_penalties([_neighbour_climbs(leaves.hierarchy, beta) for leaves in trees])
    draws = np.random.default_rng(seed).random(len(distinct))
    classes = _kaca(np.ascontiguousarray(distinct), counts.astype(np.int64), *spans, k, draws)
    return by_first_appearance(classes[inverse.reshape(-1)])


def _in_tree(attribute: QuasiIdentifier) -> Leaves:
    if isinstance(attribute, Leaves):
        return attribute
    if isinstance(attribute, Numbers):
        return in_intervals(attribute)
    return Leaves(attribute.codes, flat_hierarchy([str(code) for code in range(attribute.count)]))


def in_intervals(numbers: Numbers) -> Leaves:
    """Place numbers in the default interval tree of their domain."""
    values = np.asarray(numbers.values, dtype=np.float64)
    low = values.min() if numbers.low is None else numbers.low
    high = values.max() if numbers.high is None else numbers.high
    if not high > low:
        high = low + 1.0  # a constant attribute: any tree will do
    finest = (high - low) / DEFAULT_INTERVALS
    levels = Intervals.of_widths(float(low), float(high), [finest, 2 * finest, 4 * finest, 8 * finest])
    tree = levels.hierarchy(values)
    _, codes = np.unique(values, return_inverse=True)  # leaves stand in ascending order
    return Leaves(codes.reshape(-1).astype(np.int64), tree)


def _neighbour_climbs(tree: Hierarchy, beta: float) -> FloatArray:
    """Return the weighted share of levels between the lowest level and each node that joins two neighbours."""
    steps = np.arange(1, tree.height + 1, dtype=np.float64) ** -beta
    below_root = np.concatenate([[0.0], np.cumsum(steps)])
    climbed: FloatArray = 1.0 - below_root[tree.depths[tree.neighbour_ancestors]] / below_root[-1]
    return climbed


@kernel
def _kaca(
    distinct: FloatArray, counts: IntArray, layout: IntArray, penalties: FloatArray, k: int, draws: FloatArray
) -> IntArray:
    """Return the class of each distinct record.

    With the distortion of a class measured from its own leaves, the distance of two classes is
    (n1 + n2) D12 - n1 D1 - n2 D2, D being `spans_penalty`.
    """
    low, high, sizes = distinct.copy(), distinct.copy(), counts.copy()
    distortion = np.zeros(len(distinct))
    merged_into = np.arange(len(distinct))
    alive = np.arange(len(distinct))
    small = alive[sizes < k]
    step = 0
    while len(small) > 0 and len(alive) > 1:
        chosen = small[int(draws[step] * len(small))]
        step += 1
        partner, joint = _nearest_class(low, high, sizes, distortion, alive, chosen, layout, penalties)
        extend(low[chosen], high[chosen], low[partner], high[partner], layout)
        sizes[chosen] += sizes[partner]
        distortion[chosen] = joint
        merged_into[partner] = chosen
        alive = alive[alive != partner]
        small = small[small != partner]
        if sizes[chosen] >= k:
            small = small[small != chosen]
    for record in range(len(distinct)):
        root = record
        while merged_into[root] != root:
            root = merged_into[root]
        merged_into[record] = root
    return merged_into


@kernel
def _nearest_class(
    low: FloatArray,
    high: FloatArray,
    sizes: IntArray,
    distortion: FloatArray,
    alive: IntArray,
    chosen: int,
    layout: IntArray,
    penalties: FloatArray,
) -> tuple[int, float]:
    """Return the class nearest to `chosen`, and the distortion of the two merged."""
    best, best_joint, best_distance = -1, 0.0, np.inf
    joint_low = np.empty(low.shape[1])
    joint_high = np.empty(low.shape[1])
    own = sizes[chosen] * distortion[chosen]
    for other in alive:
        if other == chosen:
            continue
        joint_low[:] = low[chosen]
        joint_high[:] = high[chosen]
        extend(joint_low, joint_high, low[other], high[other], layout)
        joint = spans_penalty(joint_low, joint_high, layout, penalties)
        distance = (sizes[chosen] + sizes[other]) * joint - own - sizes[other] * distortion[other]
        if distance < best_distance - TIE:
            best, best_joint, best_distance = other, joint, distance
    return best, best_joint
