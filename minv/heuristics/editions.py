"""The fewest counterfeits and deletions that give a release a partition (docs/editions.md)."""

from typing import NamedTuple

import numpy as np

from minv.compiled import BoolArray, IntArray
from minv.errors import InfeasibleError
from minv.wording import counted, form


class Allowance(NamedTuple):
    """Which editions a release may have.

    Attributes
    ----------
    completing
        Whether counterfeits may complete the classes of old points.
    adding
        Whether counterfeits may stand in classes of new points.
    deletions
        How many free points may be left out.
    """

    completing: bool = True
    adding: bool = False
    deletions: int = 0


BALANCING = Allowance()
_REMEDY = "allow counterfeits for eligibility or deletions, or wait for more new rows"


class Editions(NamedTuple):
    """What becomes of the free points.

    Attributes
    ----------
    fillers
        (L,) how many of each colour join classes of old points.
    deleted
        (L,) how many of each colour are left out.
    extra
        (B,) how many classes each bucket of old points has beyond the fewest it can have.
    classes
        Number of classes of the other free points, the rest.
    completing, adding
        Numbers of counterfeits in classes of old points and of the rest.
    """

    fillers: IntArray
    deleted: IntArray
    extra: IntArray
    classes: int
    completing: int
    adding: int

    @property
    def counterfeits(self) -> int:
        """Number of counterfeits."""
        return self.completing + self.adding


class Pool(NamedTuple):
    """What is to be edited.

    Attributes
    ----------
    free, empty
        (L,) free points and empty slots of each colour, the slots when every bucket has as few classes as it can.
    m, max_size
        Sizes of new classes.
    """

    free: IntArray
    empty: IntArray
    m: int
    max_size: int


def fewest_editions(pool: Pool, allowance: Allowance, buckets: int) -> Editions:
    """Return the fewest counterfeits and deletions together, of those the fewest deletions.

    Every bucket has as few classes as it can: more are of use only as `extra_classes` says. All numbers K of
    classes of the rest are tried. With n_v free points and e_v empty slots of colour v, l_v = n_v - min(n_v, e_v)
    of them are in the rest or deleted, and at most K can be in the rest. So at least sum max(l_v - K, 0) are
    deleted; the rest can have any number of points from sum min(l_v, K) to sum min(n_v, K), and has at least
    m K of them, counterfeits included, and at most u K. The fewer it has the more fill slots.

    Raises
    ------
    InfeasibleError
        The allowance does not suffice; with the blocking counts.
    """
    numbers = np.arange(int(pool.free.sum()) + 1)
    cannot_fill = pool.free - np.minimum(pool.free, pool.empty)
    must, can = _within(cannot_fill, numbers), _within(pool.free, numbers)
    crowd = np.maximum(must - pool.max_size * numbers, 0)
    deleted = int(cannot_fill.sum()) - must + crowd
    rest = np.minimum(np.maximum(must - crowd, pool.m * numbers), can)
    adding = np.maximum(pool.m * numbers - can, 0)
    completing = int(pool.empty.sum()) - (len(numbers) - 1 - deleted - rest)
    allowed = _allowed(allowance, deleted, completing, adding)
    if not allowed.any():
        raise _infeasible(pool, allowance)
    order = np.lexsort((numbers, adding, deleted, completing + adding + deleted))
    best = int(order[allowed[order]][0])
    stay = np.minimum(cannot_fill, best)
    stay -= _largest_first(stay, int(crowd[best]))
    left_out = cannot_fill - stay
    spare = np.minimum(pool.free - left_out, best) - stay
    stay = stay + _largest_first(spare, int(rest[best] - stay.sum()))
    return Editions(
        fillers=pool.free - left_out - stay,
        deleted=left_out,
        extra=np.zeros(buckets, np.int64),
        classes=best if adding[best] else int(rest[best]) // pool.m,
        completing=int(completing[best]),
        adding=int(adding[best]),
    )


def _within(counts: IntArray, limits: IntArray) -> IntArray:
    """Return sum over v of min(counts_v, K) for each K = 0, 1, 2, ... of `limits`."""
    reaching = np.bincount(counts, minlength=len(limits) + 1)[::-1].cumsum()[::-1]
    return np.concatenate([[0], reaching[1 : len(limits)].cumsum()]).astype(np.int64)


def _allowed(allowance: Allowance, deleted: IntArray, completing: IntArray, adding: IntArray) -> BoolArray:
    allowed: BoolArray = deleted <= allowance.deletions
    if not allowance.completing:
        allowed &= completing == 0
    if not allowance.adding:
        allowed &= adding == 0
    return allowed


def _largest_first(amounts: IntArray, wanted: int) -> IntArray:
    """Return how much to take of each amount so that `wanted` are taken in all."""
    taken = np.zeros_like(amounts)
    for place in np.argsort(-amounts, kind="stable").tolist():
        taken[place] = min(wanted, int(amounts[place]))
        wanted -= int(taken[place])
    return taken


def _infeasible(pool: Pool, allowance: Allowance) -> InfeasibleError:
    """Say what stands in the way."""
    if not allowance.completing:
        try:
            wanted = fewest_editions(pool, allowance._replace(completing=True), 0)
        except InfeasibleError as error:
            return error
        return InfeasibleError(
            f"the remembered signatures need {counted(wanted.completing, 'counterfeit')}, and "
            "counterfeits are forbidden"
        )
    return _unmixed(pool, allowance)


def _unmixed(pool: Pool, allowance: Allowance) -> InfeasibleError:
    cannot_fill = pool.free - np.minimum(pool.free, pool.empty)
    largest = int(cannot_fill.max())
    mixable = int(np.minimum(pool.free, largest).sum())
    deleted = f", {counted(allowance.deletions, 'deletion')} included" if allowance.deletions else ""
    if mixable < pool.m * largest:
        return InfeasibleError(
            f"no {pool.m}-unique release{deleted}: of the new rows, {largest} of one sensitive value cannot join old "
            f"classes, and {counted(mixable, 'row')} to mix them with {form(mixable, 'is', 'are')} "
            f"fewer than {pool.m} x {largest} = {pool.m * largest}; "
            f"{_REMEDY}"
        )
    return InfeasibleError(
        f"no release{deleted} in which the "
        f"{counted(int(pool.free.sum()), 'new row joins', 'new rows join')} old classes or "
        f"{form(int(pool.free.sum()), 'forms', 'form')} classes of "
        f"{pool.m} to {pool.max_size} members; {_REMEDY}"
    )
