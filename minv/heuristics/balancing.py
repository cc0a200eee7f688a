"""Classification and balancing: old tuples go to the buckets of their signatures, which are then filled up."""

import numpy as np

from minv.compiled import IntArray
from minv.errors import InfeasibleError
from minv.heuristics.buckets import Bucket, Buckets
from minv.instance import FREE, Instance


def classify(instance: Instance) -> Buckets:
    """Return a bucket for every required signature that occurs, holding the points that require it."""
    buckets: Buckets = {}
    assert instance.required is not None
    for point in np.flatnonzero(instance.required != FREE).tolist():
        signature = instance.signatures[int(instance.required[point])]
        bucket = buckets.setdefault(signature, Bucket(signature))
        bucket.members[int(instance.colours[point])].append(point)
    return buckets


def deficits(buckets: Buckets, colours: int) -> IntArray:
    """Return, for each colour, how many slots are empty when every bucket has as few classes as it can."""
    empty = np.zeros(colours, np.int64)
    for bucket in buckets.values():
        classes = max(bucket.size(colour) for colour in bucket.signature)
        for colour in bucket.signature:
            empty[colour] += classes - bucket.size(colour)
    return empty


def most_fillers(free: IntArray, empty: IntArray, m: int) -> IntArray:
    """Return how many free points of each colour can fill empty slots so that the rest stays m-eligible.

    Their number is the largest possible, so the number of counterfeits is the smallest. With n_v free points and
    e_v empty slots of colour v, at least l_v = n_v - min(n_v, e_v) points stay free. Let t be the largest l_v: at
    least m t points must stay free, hence max(sum l_v, m t) is a lower bound on how many do; and it is reached by
    keeping further points of any colours, at most t of each, of which there are enough whenever any choice leaves
    an eligible rest: sum min(n_v, t) - m t is concave in t and 0 at t = 0. More classes in a bucket do not help:
    each costs at least m slots and lowers m t by at most m.

    Parameters
    ----------
    free, empty
        (L,) free points and empty slots of each colour.
    m
        Least class size.

    Raises
    ------
    InfeasibleError
        No choice leaves an m-eligible rest.
    """
    stay = free - np.minimum(free, empty)
    largest = int(stay.max(initial=0))
    spare = np.minimum(free, largest) - stay
    wanted = m * largest - int(stay.sum())
    if wanted > int(spare.sum()):
        raise InfeasibleError(
            f"no {m}-unique release: of the new rows, {largest} of one sensitive value cannot join old classes, "
            f"and {int(np.minimum(free, largest).sum())} rows to mix them with are fewer than "
            f"{m} x {largest} = {m * largest}"
        )
    for colour in np.argsort(-spare, kind="stable").tolist():
        more = min(max(wanted, 0), int(spare[colour]))
        stay[colour] += more
        wanted -= more
    return free - stay


def balance(buckets: Buckets, free: list[list[int]], fillers: IntArray) -> None:
    """Fill the empty slots of all buckets with free points and, where those run out, with counterfeits.

    Parameters
    ----------
    buckets
        Changed in place; balanced afterwards.
    free
        The free points of each colour; those taken, from the end, are removed.
    fillers
        (L,) how many of each colour may be taken.
    """
    left = fillers.copy()
    for bucket in buckets.values():
        classes = max(bucket.size(colour) for colour in bucket.signature)
        for colour in bucket.signature:
            lacking = classes - bucket.size(colour)
            taken = min(lacking, int(left[colour]))
            left[colour] -= taken
            bucket.members[colour].extend(free[colour].pop() for _ in range(taken))
            bucket.counterfeits[colour] += lacking - taken
