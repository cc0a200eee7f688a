"""The core model: points with colours, and which clusters of them are feasible (docs/model.md)."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.errors import InfeasibleError, UsageError
from minv.wording import counted, form

FREE = -1  # `required` of a point without a required signature


class Rows(NamedTuple):
    """Points that agree in coordinates, colour and required signature, as one row of the master.

    Rows are sorted by (required, colour, coordinates); r is their number.
    """

    points: FloatArray  # (r, d)
    colours: IntArray  # (r,)
    required: IntArray  # (r,)
    multiplicity: IntArray  # (r,)
    row_of_point: IntArray  # (n,)


@dataclass(frozen=True, eq=False)
class Instance:
    """One partition problem (DESIGN: the core model).

    Parameters
    ----------
    points
        (n, d) encoded coordinates, finite.
    colours
        (n,) colour of each point, 0..L-1.
    m
        Least size of a cluster without a required signature.
    max_size
        Largest size of such a cluster, m..2m-1. By default 2m-1: a larger one can be split without loss.
    required
        (n,) index into `signatures`, or FREE.
    signatures
        The colour sets that clusters of old points must have, each sorted ascending.
    counterfeits
        Most counterfeits that complete clusters of required signatures, in all.

    Raises
    ------
    UsageError
        Arrays of unequal length, m below 1, or a size cap outside m..2m-1.
    """

    points: FloatArray
    colours: IntArray
    m: int
    max_size: int = 0
    required: IntArray | None = None
    signatures: tuple[tuple[int, ...], ...] = field(default=())
    counterfeits: int = 0

    def __post_init__(self) -> None:
        points = np.ascontiguousarray(self.points, dtype=np.float64)
        if points.ndim != 2:
            raise UsageError("points must be a two-dimensional array, one row a point")
        colours = np.ascontiguousarray(self.colours, dtype=np.int64)
        if colours.shape != (len(points),):
            raise UsageError(f"{len(points)} points but {colours.size} colours")
        if not np.isfinite(points).all():
            raise UsageError("points must be finite")
        if len(colours) and colours.min() < 0:
            raise UsageError("colours must be 0 or more")
        if self.m < 1:
            raise UsageError(f"m must be at least 1, not {self.m}")
        max_size = self.max_size or 2 * self.m - 1
        if not self.m <= max_size <= 2 * self.m - 1:
            raise UsageError(f"the largest class size must lie in m..2m-1 = {self.m}..{2 * self.m - 1}")
        required = np.full(len(points), FREE, np.int64) if self.required is None else self.required
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "colours", colours)
        object.__setattr__(self, "max_size", max_size)
        object.__setattr__(self, "required", np.ascontiguousarray(required, dtype=np.int64))

    @property
    def continues(self) -> bool:
        """Whether some point requires a signature, as in releases after the first."""
        assert self.required is not None
        return bool((self.required != FREE).any())

    @property
    def size(self) -> int:
        """Number of points, n."""
        return len(self.points)

    @property
    def dimension(self) -> int:
        """Number of coordinates, d."""
        return int(self.points.shape[1])

    @property
    def colour_count(self) -> int:
        """Number of colours, L, counting those that only a required signature names."""
        named = max((max(signature) for signature in self.signatures), default=-1)
        return 1 + max(int(self.colours.max(initial=-1)), named)

    @cached_property
    def rows(self) -> Rows:
        """The distinct (coordinates, colour, required signature) with their multiplicities."""
        required = self.required
        assert required is not None
        keys = np.column_stack([required.astype(np.float64), self.colours.astype(np.float64), self.points])
        distinct, row_of_point, multiplicity = np.unique(
            keys, axis=0, return_inverse=True, return_counts=True
        )
        return Rows(
            points=np.ascontiguousarray(distinct[:, 2:]),
            colours=distinct[:, 1].astype(np.int64),
            required=distinct[:, 0].astype(np.int64),
            multiplicity=multiplicity.astype(np.int64),
            row_of_point=row_of_point.reshape(-1).astype(np.int64),
        )


def check_eligible(colour_counts: IntArray, m: int, max_size: int) -> None:
    """Refuse points that have no m-unique partition with classes of m..max_size members.

    A partition exists if and only if there is a number of classes K with K >= the largest colour count and
    m K <= n <= max_size K: deal the points, sorted by colour, round-robin to K classes.

    Raises
    ------
    InfeasibleError
        With the blocking counts.
    """
    n = int(colour_counts.sum())
    if n == 0:
        return
    largest = int(colour_counts.max())
    different = int(np.count_nonzero(colour_counts))
    if different < m:
        raise InfeasibleError(
            f"no {m}-unique partition of {counted(n, 'row')}: every class needs {m} different sensitive values, and "
            f"there {form(different, 'is', 'are')} only {different}"
        )
    most = n // m
    if most < largest:
        raise InfeasibleError(
            f"no {m}-unique partition of {counted(n, 'row')}: the most frequent sensitive value occurs "
            f"{counted(largest, 'time')}, "
            f"more than {n}/{m} = {n / m:.4g}"
        )
    if max(largest, -(-n // max_size)) > most:
        raise InfeasibleError(
            f"no partition of {counted(n, 'row')} into classes of {m} to {max_size} members"
        )


def cluster_numbers(colour_counts: IntArray, m: int, max_size: int) -> range:
    """Return the numbers of clusters that an m-unique partition with m..max_size members each can have."""
    n = int(colour_counts.sum())
    return range(max(int(colour_counts.max(initial=0)), -(-n // max_size)), n // m + 1)
