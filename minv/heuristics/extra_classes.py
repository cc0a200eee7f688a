"""More classes of old points than a bucket needs, where new points have nowhere else to go (docs/editions.md)."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from minv.compiled import IntArray
from minv.errors import LimitError
from minv.heuristics.buckets import Bucket
from minv.heuristics.editions import Allowance, Editions, Pool, fewest_editions

_OPTIMAL, _INFEASIBLE = 0, 2  # statuses of `milp`


def with_extra_classes(
    pool: Pool, buckets: Sequence[Bucket], allowance: Allowance, most: Sequence[int]
) -> Editions:
    """Return the fewest editions where buckets may have more classes than they need.

    An integer program over, for each bucket, the number of extra classes, and for each colour, how many free
    points fill slots and how many are deleted.

    Parameters
    ----------
    pool, allowance
        As `fewest_editions` takes them; counterfeits may complete classes, but not stand in new ones.
    buckets
        Of old points.
    most
        Largest number of extra classes of each bucket.

    Raises
    ------
    InfeasibleError
        The allowance does not suffice; with the blocking counts.
    LimitError
        The integer program was not solved to optimality.
    """
    colours, kinds = len(pool.free), len(buckets)
    sizes = np.array([len(bucket.signature) for bucket in buckets])
    total = int(pool.free.sum())
    lower = np.concatenate([np.full(2 * colours, -np.inf), pool.free, [-np.inf, total, -np.inf]])
    upper = np.concatenate(
        [pool.empty, pool.free, np.full(colours, np.inf), [total, np.inf, allowance.deletions]]
    )
    weight = allowance.deletions + 1  # so that ties have the fewest deletions
    costs = np.concatenate([sizes * weight, np.full(colours, -weight), np.full(colours, weight + 1), [0]])
    found = milp(
        costs,
        integrality=np.ones(len(costs), dtype=np.int64),
        bounds=Bounds(0, np.concatenate([most, pool.free, pool.free, [total]])),
        constraints=LinearConstraint(_constraints(pool, buckets), lower, upper),
        options={"mip_rel_gap": 0.0},
    )
    if found.status == _INFEASIBLE:
        return fewest_editions(pool, allowance, kinds)  # it tells why not
    if found.status != _OPTIMAL or found.x is None:
        raise LimitError(f"the least number of counterfeits could not be proved: {found.message}")
    numbers = np.rint(found.x).astype(np.int64)
    extra, fillers, deleted = np.split(numbers[:-1], [kinds, kinds + colours])
    return Editions(
        fillers=fillers,
        deleted=deleted,
        extra=extra,
        classes=int((pool.free - fillers - deleted).sum()) // pool.m,
        completing=int(pool.empty.sum() + sizes @ extra - fillers.sum()),
        adding=0,
    )


def _constraints(pool: Pool, buckets: Sequence[Bucket]) -> sparse.csr_array:
    """Return the rows of the program; its columns are extra classes, fillers, deletions and new classes K.

    For each colour v: fillers - extra classes with v <= e_v, fillers + deletions <= n_v, and
    fillers + deletions + K >= n_v. With N free points: fillers + deletions + m K <= N <= fillers + deletions + u K.
    Last the deletions.
    """
    colours, kinds = len(pool.free), len(buckets)
    each, last = np.arange(colours), kinds + 2 * colours
    fillers, deletions = kinds + each, kinds + colours + each
    least, most, left_out = (np.full(colours, 3 * colours + place) for place in range(3))
    holding = [(colour, place) for place, bucket in enumerate(buckets) for colour in bucket.signature]
    entries = [
        *((colour, place, -1) for colour, place in holding),
        *((row, column, 1) for row, column in zip(each, fillers, strict=True)),
    ]
    for rows in (colours + each, 2 * colours + each, least, most):
        entries += [(row, column, 1) for row, column in zip(rows, fillers, strict=True)]
        entries += [(row, column, 1) for row, column in zip(rows, deletions, strict=True)]
    entries += [(row, last, 1) for row in 2 * colours + each]
    entries += [(3 * colours, last, pool.m), (3 * colours + 1, last, pool.max_size)]
    entries += [(row, column, 1) for row, column in zip(left_out, deletions, strict=True)]
    row, column, value = np.array(entries, dtype=np.int64).T
    return sparse.csr_array((value.astype(np.float64), (row, column)), shape=(3 * colours + 3, last + 1))


def open_extra_classes(buckets: Sequence[Bucket], extra: IntArray) -> list[Bucket]:
    """Take one old point out of its bucket for each extra class, and return these classes as buckets.

    The fullest colour of a bucket keeps all its points, so each of its other classes has one of them.

    Parameters
    ----------
    buckets
        Changed in place.
    extra
        (B,) number of extra classes of each.
    """
    opened = []
    for bucket, number in zip(buckets, extra.tolist(), strict=True):
        _fullest, *others = sorted(bucket.signature, key=lambda colour: -len(bucket.members[colour]))
        for _ in range(number):
            colour = max(others, key=lambda colour: len(bucket.members[colour]))
            single = Bucket(bucket.signature)
            single.members[colour].append(bucket.members[colour].pop())
            opened.append(single)
    return opened
