"""What the judge looks at: releases as integer codes, and what the custodian knows about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from minv_verifiers.arrays import BoolArray, Groups, IntArray
from minv_verifiers.cells.column import CellColumn, Kind, ValueColumn
from minv_verifiers.cells.number_tree import NumberTree
from minv_verifiers.cells.tree import Tree
from minv_verifiers.folder import Folder
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.vocabulary import Vocabulary

Model = Literal["m-unique", "m-invariant", "tau-safe", "equal-or-disjoint", "k-anonymous"]

PUBLISHED, SUPPRESSED, DELETED = "published", "suppressed", "deleted"


@dataclass(frozen=True, slots=True)
class QuasiIdentifier:
    """Name and scale; `levels` orders an ordinal column of text, `tree` generalises a nominal one.

    `intervals` are those that were declared for a numeric one.
    """

    name: str
    kind: Kind = "any"
    levels: tuple[str, ...] = ()
    tree: Tree | None = None
    intervals: NumberTree | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What the series is said to be, hence what it is judged by.

    Attributes
    ----------
    model
        The privacy model.
    m
        Its parameter (k of a k-anonymous release); 0 where a damaged manifest states none.
    l_distinct, l_entropy
        Least l-diversity, where asked for.
    il, ncp
        The loss that is claimed for each release, in percent and in [0, 1]; empty where none is.
    explicit
        Whether the claim is the caller's own, who then must be told where it cannot be judged; a series folder
        states its claim itself.
    resumes_suppressed
        Whether someone suppressed comes back under the old signature (update policy `suppress`).
    """

    model: Model
    m: int
    l_distinct: int | None = None
    l_entropy: float | None = None
    il: tuple[float, ...] = ()
    ncp: tuple[float, ...] = ()
    explicit: bool = False
    resumes_suppressed: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Truth:
    """What the custodian knows behind one release, one row per tuple (t rows).

    Attributes
    ----------
    source
        Where it stands, for messages.
    persons
        (t,) code of the person, -1 for a counterfeit.
    sensitive
        (t,) code of the true sensitive value.
    values
        The true quasi-identifiers.
    published, suppressed
        (t,) whether the tuple is in the release, or left out because its update fits no signature.
    counterfeit
        (t,) whether the tuple is made up.
    link
        (n,) row of this truth behind each published row, or -1.
    """

    source: str
    persons: IntArray
    sensitive: IntArray
    values: Mapping[str, ValueColumn]
    published: BoolArray
    suppressed: BoolArray
    counterfeit: BoolArray
    link: IntArray

    @cached_property
    def linked(self) -> IntArray:
        """Published rows that have a tuple behind them."""
        return np.flatnonzero(self.link >= 0).astype(np.int64)

    @cached_property
    def real(self) -> IntArray:
        """Published rows that have a real tuple behind them."""
        return self.linked[~self.counterfeit[self.link[self.linked]]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Release:
    """One published table (n rows, K classes).

    Attributes
    ----------
    number, name
        Its place in the series, from 1, and its file's name.
    class_of_row
        (n,) class of each row, 0..K-1.
    class_ids
        The published id of each class (K texts).
    sensitive
        (n,) code of the sensitive value.
    cells
        The published quasi-identifiers.
    persons
        (n,) code of the person behind the row, -1 for nobody; None where no ids are known.
    counterfeit
        (n,) whether the row is made up; None where unknown.
    declared_counterfeits
        Number of counterfeits published for each class id; None where nothing is published about them.
    truth
        The custodian's side; None in public mode.
    expanded_rows
        (n,) row of the file for each tuple, where a count column stood for several; None otherwise.
    sensitive_cells
        The sensitive column as published text, where the format prescribes its spelling.
    others
        (n,) codes of the published columns that are neither of these.
    unassigned
        (n,) codes of the columns of a third party's file that were given no role.
    unidentified
        Number of rows without an id that nothing explains as counterfeits.
    unknown_value
        Code of the sensitive value that stands for a missing or suppressed one; -1 where none does.
    """

    number: int
    name: str
    class_of_row: IntArray
    class_ids: Vocabulary
    sensitive: IntArray | None
    cells: Mapping[str, CellColumn]
    persons: IntArray | None = None
    counterfeit: BoolArray | None = None
    declared_counterfeits: Mapping[str, int] | None = None
    truth: Truth | None = None
    expanded_rows: IntArray | None = None
    sensitive_cells: CellColumn | None = None
    others: Mapping[str, IntArray] = field(default_factory=dict)
    unassigned: Mapping[str, IntArray] = field(default_factory=dict)
    unidentified: int = 0
    unknown_value: int = -1

    @cached_property
    def valueless(self) -> BoolArray:
        """(n,) whether the row's sensitive value is not known; nobody can tell it from those of the others."""
        if self.sensitive is None:
            return np.zeros(self.size, dtype=np.bool_)
        return np.asarray(self.sensitive == self.unknown_value, dtype=np.bool_)

    @property
    def size(self) -> int:
        """Number of rows, n."""
        return len(self.class_of_row)

    @cached_property
    def groups(self) -> Groups:
        """The rows of each class."""
        return Groups(self.class_of_row, len(self.class_ids))

    def file_rows(self, rows: IntArray) -> tuple[int, ...]:
        """Rows of the file, from 1, for rows of this table."""
        places = rows if self.expanded_rows is None else np.unique(self.expanded_rows[rows])
        return tuple((places + 1).tolist())


@dataclass(frozen=True, eq=False, kw_only=True)
class Original:
    """The table that a release was made from, given beside the custodian's part (t rows).

    Attributes
    ----------
    source
        Its file's name.
    persons, sensitive, values
        As in `Truth`.
    link
        (p,) its row for each row of the release's `Truth`, or -1.
    droppable
        (t,) whether a missing value lets the declared policy drop the row.
    """

    source: str
    persons: IntArray
    sensitive: IntArray
    values: Mapping[str, ValueColumn]
    link: IntArray
    droppable: BoolArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """Everything that a judgement rests on.

    Attributes
    ----------
    claims
        What is claimed.
    quasi_identifiers
        In the order of the publication.
    tables
        The releases in order; empty where `defect` says why there are none to look at.
    sensitive_values, persons
        The vocabularies behind the codes.
    folder
        The series folder, where the input is one of ours.
    originals
        The original table of each release, where given beside a private part.
    defect
        Why the releases cannot be looked at.
    notes
        What was assumed while reading, for the report.
    """

    claims: Claims
    quasi_identifiers: tuple[QuasiIdentifier, ...]
    tables: tuple[Release, ...]
    sensitive_values: Vocabulary | None
    persons: Vocabulary | None
    folder: Folder | None = None
    originals: tuple[Original | None, ...] = ()
    defect: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def releases(self) -> tuple[Release, ...]:
        """The releases; raises NotCheckable where they cannot be looked at."""
        if self.defect:
            raise NotCheckable(self.defect)
        return self.tables
