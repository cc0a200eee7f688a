"""Interval trees over numbers: levels fixed in advance, never by the data."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from minv.compiled import FloatArray
from minv.errors import DataError
from minv.hierarchy.building import Path, tree_from_paths
from minv.hierarchy.tree import ROOT_LABEL, Hierarchy
from minv.numerals import number_text

TOLERANCE = 1e-9  # of a quotient of widths that should be whole


@dataclass(frozen=True)
class Intervals:
    """Intervals of growing widths that start at `low`: each level joins whole intervals of the one below.

    The levels depend on these figures alone, so that two tables (or two releases) are cut alike.
    Intervals contain their lower and not their upper end, save that the last of each level contains `high`.

    Parameters
    ----------
    low, high
        The domain; every number must lie in [low, high].
    widths
        Width of the intervals of each level, the finest first, each a whole multiple of the one before.

    Raises
    ------
    DataError
        An empty domain, no width, or widths that do not nest.
    """

    low: float
    high: float
    widths: tuple[float, ...]

    def __post_init__(self) -> None:
        if not (np.isfinite([self.low, self.high]).all() and self.low < self.high):
            raise DataError("intervals need a finite domain with low below high")
        if not self.widths or not all(width > 0 for width in self.widths):
            raise DataError("intervals need at least one width, all above 0")
        for finer, coarser in pairwise(self.widths):
            quotient = coarser / finer
            if quotient < 2 - TOLERANCE or abs(quotient - round(quotient)) > TOLERANCE * quotient:
                raise DataError(
                    "interval widths must each be a whole multiple of the one before; "
                    f"{coarser:g} is none of {finer:g}"
                )

    def hierarchy(self, numbers: FloatArray) -> Hierarchy:
        """Return the tree whose leaves are the distinct `numbers`, in ascending order.

        Leaf texts are those of `number_text`; inner nodes read `[20, 25)`.

        Raises
        ------
        DataError
            No number, or numbers outside the domain (with their count).
        """
        distinct = np.unique(numbers)
        outside = int(np.count_nonzero(~((numbers >= self.low) & (numbers <= self.high))))
        if outside:
            raise DataError(
                f"{outside} of {len(numbers)} numbers lie outside the intervals' domain {self.low:g} to "
                f"{self.high:g}; widen the domain"
            )
        paths = (Path(self._labels(float(number)), "a number") for number in distinct)
        return tree_from_paths(paths, "the interval hierarchy")

    def _labels(self, number: float) -> list[str]:
        labels = [number_text(number)]
        for width in self.widths:
            label = self._interval(number, width)
            if label != labels[-1] and label is not None:
                labels.append(label)
        return [*labels, ROOT_LABEL]

    def _interval(self, number: float, width: float) -> str | None:
        """Return the label of the interval of that width around `number`; None if it is the whole domain."""
        # counted in finest intervals, so that rounding cannot put a number under two unrelated intervals
        finest = self.widths[0]
        count = max(1, int(np.ceil((self.high - self.low) / finest - TOLERANCE)))
        index = min(int((number - self.low) / finest), count - 1)
        ratio = round(width / finest)
        start = index // ratio * ratio
        if start == 0 and ratio >= count:
            return None
        low = self.low + start * finest
        last = start + ratio >= count
        high = self.high if last else self.low + (start + ratio) * finest
        return f"[{number_text(low)}, {number_text(high)}{']' if last else ')'}"
