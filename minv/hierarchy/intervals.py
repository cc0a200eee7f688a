"""Interval trees over numbers: levels fixed in advance, never by the data."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import numpy as np

from minv.compiled import FloatArray
from minv.errors import DataError
from minv.hierarchy.building import Path, tree_from_paths
from minv.hierarchy.tree import ROOT_LABEL, Hierarchy
from minv.numerals import number_text
from minv.wording import counted, form

TOLERANCE = 1e-9  # of a quotient of widths that should be whole
MOST_INTERVALS = 100_000  # of one level


@dataclass(frozen=True)
class Intervals:
    """Levels of intervals that cut one domain ever more coarsely: each joins whole intervals of the one below.

    The levels depend on these figures alone, so that two tables (or two releases) are cut alike.
    Intervals contain their lower and not their upper end, save that the last of each level contains the upper
    end of the domain.

    Parameters
    ----------
    bounds
        Ends of the intervals of each level in ascending order, the finest level first. All levels begin and
        end alike, so that no number is left out; a bound of one level is a bound of all finer ones.

    Raises
    ------
    DataError
        Bounds that are not finite or do not ascend, gaps at an end, or levels that do not nest.
    """

    bounds: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if not self.bounds:
            raise DataError("intervals need at least one level")
        for level, ends in enumerate(self.bounds, start=1):
            if len(ends) < 2 or not np.isfinite(ends).all() or not (np.diff(ends) > 0).all():
                raise DataError(
                    f"the bounds of level {level} must be two or more finite numbers in ascending order"
                )
        for level, (finer, coarser) in enumerate(pairwise(self.bounds), start=2):
            if (coarser[0], coarser[-1]) != (finer[0], finer[-1]):
                raise DataError(
                    f"level {level} begins or ends elsewhere than level {level - 1}; every level must cover the "
                    "whole domain"
                )
            strays = len(set(coarser).difference(finer))
            if strays:
                raise DataError(
                    f"{strays} bounds of level {level} cut through intervals of level {level - 1}; a bound must "
                    "be one of all finer levels"
                )

    @classmethod
    def of_widths(cls, low: float, high: float, widths: Sequence[float]) -> "Intervals":
        """Return the levels of equal widths that start at `low`.

        Parameters
        ----------
        low, high
            The domain. Where it is no whole multiple of a width, the last interval is shorter.
        widths
            Width of the intervals of each level, the finest first, each a whole multiple of the one before.

        Raises
        ------
        DataError
            An empty domain, no width, widths that do not nest, or more than 100,000 intervals.
        """
        if not (np.isfinite([low, high]).all() and low < high):
            raise DataError("intervals need a finite domain with low below high")
        if not widths or not all(0 < width < np.inf for width in widths):
            raise DataError("intervals need at least one width, all finite and above 0")
        ratio, level = 1, _steps(low, high, widths[0])
        levels = [level]
        for finer, coarser in pairwise(widths):
            quotient = coarser / finer
            if quotient < 2 - TOLERANCE or abs(quotient - round(quotient)) > TOLERANCE * quotient:
                raise DataError(
                    "interval widths must each be a whole multiple of the one before; "
                    f"{coarser:g} is none of {finer:g}"
                )
            ratio *= round(quotient)
            levels.append([*level[:-1:ratio], level[-1]])
        # where a float does not tell two bounds, there is nothing between them
        return cls(tuple(tuple(dict.fromkeys(ends)) for ends in levels))

    @property
    def low(self) -> float:
        """Lower end of the domain."""
        return self.bounds[0][0]

    @property
    def high(self) -> float:
        """Upper end of the domain."""
        return self.bounds[0][-1]

    def hierarchy(self, numbers: FloatArray) -> Hierarchy:
        """Return the tree whose leaves are the distinct `numbers`, in ascending order.

        Leaf texts are those of `number_text`; inner nodes read `[20, 25)`, the root is `*`. A node's share of the
        domain is its width / (high - low).

        Raises
        ------
        DataError
            No number, or numbers outside the domain (with their count).
        """
        distinct = np.unique(numbers)
        outside = int(np.count_nonzero(~((numbers >= self.low) & (numbers <= self.high))))
        if outside:
            raise DataError(
                f"{outside} of {counted(len(numbers), 'number')} {form(outside, 'lies', 'lie')} outside "
                f"the intervals' domain {number_text(self.low)} to {number_text(self.high)}; widen the domain"
            )
        columns, shares = [[number_text(number) for number in distinct.tolist()]], {ROOT_LABEL: 1.0}
        for ends in self.bounds:
            if len(ends) == 2:  # the whole domain: the root
                continue
            places = np.minimum(np.searchsorted(ends, distinct, side="right") - 1, len(ends) - 2)
            labels = {place: self._label(ends, place) for place in np.unique(places).tolist()}
            shares |= {label: self._share(*ends[place : place + 2]) for place, label in labels.items()}
            columns.append([labels[place] for place in places.tolist()])
        paths = (Path([*labels, ROOT_LABEL], "a number") for labels in zip(*columns, strict=True))
        tree = tree_from_paths(paths, "the interval hierarchy")
        return Hierarchy(
            tree.labels,
            tree.parents,
            tree.leaves,
            np.array([shares.get(label, 0.0) for label in tree.labels]),
        )

    def _share(self, low: float, high: float) -> float:
        # halved, so that opposite huge numbers do not overflow
        return (high / 2 - low / 2) / (self.high / 2 - self.low / 2)

    @staticmethod
    def _label(ends: Sequence[float], place: int) -> str:
        low, high = map(number_text, ends[place : place + 2])
        return f"[{low}, {high}{']' if place == len(ends) - 2 else ')'}"


def _steps(low: float, high: float, width: float) -> list[float]:
    """Return low, low + width, ... below high, then high; added up as decimals: 3 x 0.1 is 0.3."""
    count = (high / 2 - low / 2) / width * 2
    if count > MOST_INTERVALS:
        raise DataError(f"the finest width makes more than {MOST_INTERVALS} intervals; take a wider one")
    first, step = Decimal(repr(float(low))), Decimal(repr(float(width)))
    inner = range(1, max(1, int(np.ceil(count - TOLERANCE))))
    return [float(low), *(float(first + step * number) for number in inner), float(high)]
