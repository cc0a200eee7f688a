"""Whether a table can be published at all, and what it would take."""

from dataclasses import dataclass

import numpy as np

from minv.compiled import IntArray
from minv.errors import InfeasibleError, UsageError
from minv.instance import check_eligible
from minv.tables.microdata import Microdata


@dataclass(frozen=True, slots=True)
class Feasibility:
    """What the frequencies of the sensitive values allow for new persons.

    Attributes
    ----------
    rows
        Number of rows, n.
    distinct
        Number of different sensitive values.
    most_frequent
        Count of the most frequent one.
    largest_m
        The largest m for which an m-unique partition exists.
    """

    rows: int
    distinct: int
    most_frequent: int

    @property
    def largest_m(self) -> int:
        """The largest m for which no value is more frequent than n/m."""
        return self.rows // self.most_frequent

    def counterfeits(self, m: int) -> int | None:
        """Return the least number of counterfeits that make the rows m-eligible.

        None where even counterfeits do not help, since fewer than m values are known to fill them with.
        (literature: the histogram needs n + c >= m times its largest count.)
        """
        needed = max(0, m * self.most_frequent - self.rows)
        return needed if self.distinct >= m or not needed else None


def feasibility(colour_counts: IntArray) -> Feasibility:
    """Return what the frequencies of sensitive values allow; at least one row."""
    return Feasibility(
        rows=int(colour_counts.sum()),
        distinct=int(np.count_nonzero(colour_counts)),
        most_frequent=int(colour_counts.max()),
    )


def check_table(microdata: Microdata, m: int, max_class_size: int | None) -> None:
    """Refuse a table without an m-unique partition.

    Raises
    ------
    InfeasibleError
        With the blocking counts; the value itself is in its notes, for those who may see it.
    UsageError
        m below 1, or a size cap outside m..2m-1.
    """
    check_counts(microdata.colour_counts, microdata.sensitive_values, m, max_class_size)


def check_counts(
    colour_counts: IntArray, values: tuple[str | None, ...], m: int, max_class_size: int | None
) -> None:
    """Refuse frequencies of sensitive values that allow no m-unique partition.

    Raises
    ------
    InfeasibleError, UsageError
        As `check_table`.
    """
    if m < 1:
        raise UsageError(f"m must be at least 1, not {m}")
    if max_class_size is not None and not m <= max_class_size <= 2 * m - 1:
        raise UsageError(
            f"the largest class size must lie in m..2m-1 = {m}..{2 * m - 1}, not {max_class_size}"
        )
    try:
        check_eligible(colour_counts, m, max_class_size or 2 * m - 1)
    except InfeasibleError as error:
        error.add_note(f"the most frequent value is {values[int(colour_counts.argmax())]!r}")
        raise
