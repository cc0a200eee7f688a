"""Which values of a column a hierarchy covers."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from minv.errors import DataError
from minv.hierarchy.tree import Hierarchy
from minv.wording import counted, form


@dataclass(frozen=True)
class Coverage:
    """What a hierarchy covers of a column.

    Attributes
    ----------
    rows, distinct
        Rows of the column, and its different values.
    missing
        For every value without a leaf, its number of rows: raw values, not for messages.
    near
        How many of these values would have a leaf if blanks around them, upper and lower case, or the way a
        number is written did not matter.
    unused
        Leaves that do not occur in the column.
    """

    rows: int
    distinct: int
    missing: dict[str, int]
    near: int
    unused: int

    @property
    def complete(self) -> bool:
        """Whether every value has a leaf."""
        return not self.missing

    def require_complete(self, column: str, source: str, *, show_values: bool = False) -> None:
        """Refuse a column with values that have no leaf.

        Parameters
        ----------
        column, source
            What the message calls the column and the hierarchy.
        show_values
            Whether the message may quote (up to three of) the values.

        Raises
        ------
        DataError
            With the counts.
        """
        if self.complete:
            return
        rows = sum(self.missing.values())
        quoted = ""
        if show_values:
            quoted = " (" + ", ".join(repr(value) for value in list(self.missing)[:3])
            quoted += ", ...)" if len(self.missing) > 3 else ")"
        hint = ""
        if self.near:
            hint = (
                f"; {self.near} of them {form(self.near, 'differs', 'differ')} from a leaf only in "
                "blanks, case or number format"
            )
        raise DataError(
            f"column {column!r}: {len(self.missing)} of {counted(self.distinct, 'value')}{quoted}, in {rows} of "
            f"{counted(self.rows, 'row')}, {form(len(self.missing), 'has', 'have')} no leaf in "
            f"{source}{hint}; add them to the hierarchy"
        )


def cover(hierarchy: Hierarchy, texts: Iterable[str]) -> Coverage:
    """Compare the values of a column, as texts, with the leaves of `hierarchy`."""
    counts = Counter(texts)
    leaves = hierarchy.code_of_leaf
    missing = {text: count for text, count in counts.items() if text not in leaves}
    loose_leaves = {_loose(leaf) for leaf in leaves} if missing else set()
    return Coverage(
        rows=counts.total(),
        distinct=len(counts),
        missing=missing,
        near=sum(_loose(text) in loose_leaves for text in missing),
        unused=sum(leaf not in counts for leaf in leaves),
    )


def _loose(text: str) -> str | float:
    """Return what `text` has in common with its near misses."""
    try:
        return float(text)
    except ValueError:
        return text.strip().casefold()
