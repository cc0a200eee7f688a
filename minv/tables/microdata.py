"""Validated microdata: what the rest of the project works on."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.hierarchy import Hierarchy
from minv.numerals import ObjectArray, number_text, number_texts
from minv.tables.columns import Family
from minv.tables.roles import Kind


@dataclass(frozen=True, eq=False)
class Attribute:
    """The values of one quasi-identifier.

    Attributes
    ----------
    values
        (n,) numbers; or positions in `levels` where there are levels; NaN where missing (then missing
        values are a category of their own).
    levels
        Texts of the values of an ordinal (in ascending order) or nominal column (in the order of code
        points); empty where the values are numbers. Not every level needs to occur.
    hierarchy
        Tree with a leaf for every level of a nominal column, or for every number, where the user gave one.
    weight
        Factor of the squared distances.
    """

    name: str
    kind: Kind
    values: FloatArray
    levels: tuple[str, ...] = ()
    hierarchy: Hierarchy | None = None
    weight: float = 1.0

    def text(self, value: float) -> str:
        """Return the text of one value that is not missing."""
        return self.levels[int(value)] if self.levels else number_text(value)

    def texts(self) -> ObjectArray:
        """(n,) texts of all values, None where missing."""
        missing = np.isnan(self.values)
        texts = np.full(len(self.values), None, dtype=object)
        present = self.values[~missing]
        if self.levels:
            texts[~missing] = np.array(self.levels, dtype=object)[present.astype(np.int64)]
        else:
            texts[~missing] = number_texts(present)
        return texts

    def leaves(self) -> IntArray:
        """(n,) code of the leaf of each value; there is a hierarchy, and no value is missing."""
        assert self.hierarchy is not None
        if self.levels:
            return self.hierarchy.codes(self.levels)[self.values.astype(np.int64)]
        distinct, inverse = np.unique(self.values, return_inverse=True)
        return self.hierarchy.codes(number_texts(distinct))[inverse]

    def take(self, rows: IntArray) -> "Attribute":
        """Return the same attribute for some of the rows."""
        return replace(self, values=self.values[rows])


@dataclass(frozen=True, eq=False)
class Microdata:
    """A table that is ready to be partitioned: n rows, one a person.

    Attributes
    ----------
    colours
        (n,) position of each row's sensitive value in `sensitive_values`.
    sensitive_values
        The distinct sensitive values in the order of code points; None (missing, as a category) first.
    ids
        (n,) the persons, as text; None where the table has no id column.
    other
        (n,) texts of each column to publish unchanged.
    positions
        (n,) 0-based positions of the rows in the input.
    input_rows
        Number of rows of the input.
    dropped
        Rows left out for a missing value, by the column that was missing first.
    missing
        Missing values kept as a category, by column.
    families
        What kind of values each column with a role holds.
    warnings
        Sentences about what looks wrong but does not prevent the work.
    """

    attributes: tuple[Attribute, ...]
    sensitive: str
    colours: IntArray
    sensitive_values: tuple[str | None, ...]
    ids: ObjectArray | None
    positions: IntArray
    input_rows: int
    other: Mapping[str, ObjectArray] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    families: Mapping[str, Family] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of rows, n."""
        return len(self.colours)

    @property
    def colour_counts(self) -> IntArray:
        """How often each sensitive value occurs."""
        return np.bincount(self.colours, minlength=len(self.sensitive_values))

    def sensitive_texts(self) -> ObjectArray:
        """(n,) sensitive values as text, None where missing."""
        return np.array([*self.sensitive_values, None], dtype=object)[self.colours]

    def take(self, rows: IntArray) -> "Microdata":
        """Return some of the rows, in the order given; levels and sensitive values stay as they are."""
        return replace(
            self,
            attributes=tuple(attribute.take(rows) for attribute in self.attributes),
            colours=self.colours[rows],
            ids=None if self.ids is None else self.ids[rows],
            positions=self.positions[rows],
            other={name: texts[rows] for name, texts in self.other.items()},
        )
