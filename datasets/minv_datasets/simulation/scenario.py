"""What shall happen to a table: the validated parameters of a simulation."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from minv_datasets.errors import DataError, UsageError
from minv_datasets.simulation.rates import Rates
from minv_datasets.wording import counted, form


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """The roles of the columns and the course of the releases.

    Parameters
    ----------
    id_column
        Column that identifies a person; never changes.
    sensitive
        Column whose changes are counted as sensitive updates.
    releases
        Number of releases, at least 1.
    rates
        How much changes from one release to the next.
    initial
        Rows of the first release; the rest of the table is the reservoir that new persons come from. By default
        as many as leave enough persons for all insertions.
    updatable
        Columns that a quasi-identifier update may change. By default all but the id, the sensitive column and the
        ageing ones.
    linked
        Groups of updatable columns that change together, by copying another row (a level of education and its
        number, say).
    ageing
        Columns that grow by 1 every so many releases: ``{"age": 4}`` for quarterly releases. Persons who are
        away age too. A value stays at the column's maximum in the table once it is reached, as top-coded ages do.

    Raises
    ------
    UsageError
        The parameters contradict each other.
    """

    id_column: Hashable
    sensitive: Hashable
    releases: int
    rates: Rates = field(default_factory=Rates)
    initial: int | None = None
    updatable: Sequence[Hashable] | None = None
    linked: Sequence[Sequence[Hashable]] = ()
    ageing: Mapping[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.releases < 1:
            raise UsageError(f"the number of releases must be 1 or more, not {self.releases}")
        if self.initial is not None and self.initial < 1:
            raise UsageError(f"the first release must have 1 row or more, not {self.initial}")
        if self.id_column == self.sensitive:
            raise UsageError(f"column {self.id_column} cannot be both the id and the sensitive column")
        for column, period in self.ageing.items():
            if period < 1:
                raise UsageError(f"column {column} must grow every 1 or more releases, not {period}")
        for role, columns in (("updated", self.updatable or ()), ("ageing", self.ageing)):
            if {self.id_column, self.sensitive} & set(columns):
                raise UsageError(f"the id and the sensitive column cannot be among the {role} columns")
        if set(self.ageing) & set(self.updatable or ()):
            raise UsageError("a column cannot both grow and be updated at random")
        self._check_groups()

    def _check_groups(self) -> None:
        members = [column for group in self.linked for column in group]
        if len(members) != len(set(members)):
            raise UsageError("a column can be linked only once")
        fixed = {self.id_column, self.sensitive, *self.ageing}
        if fixed & set(members) or (self.updatable is not None and set(members) - set(self.updatable)):
            raise UsageError("only updatable columns can be linked")

    def groups(self, frame: pd.DataFrame) -> list[tuple[Hashable, ...]]:
        """Return the updatable columns of a table, in groups that change together."""
        fixed = {self.id_column, self.sensitive, *self.ageing}
        updatable = self.updatable
        if updatable is None:
            updatable = [column for column in frame.columns if column not in fixed]
        linked = [tuple(group) for group in self.linked]
        members = {column for group in linked for column in group}
        return linked + [(column,) for column in updatable if column not in members]

    def check_table(self, frame: pd.DataFrame) -> None:
        """Refuse a table that the scenario cannot be played on.

        Raises
        ------
        UsageError
            A named column does not exist, or the first release has more rows than the table.
        DataError
            The table is empty or has two columns of one name, ids are missing or occur twice, an ageing column
            is not numeric, or an update is asked for and every column it could change is constant.
        """
        if not len(frame):
            raise DataError("the table has no rows")
        if not frame.columns.is_unique:
            raise DataError("the table has two columns of the same name")
        named = [self.id_column, self.sensitive, *self.ageing, *(self.updatable or ())]
        for column in [*named, *(column for group in self.linked for column in group)]:
            if column not in frame.columns:
                raise UsageError(f"the table has no column {column}")
        if self.initial is not None and self.initial > len(frame):
            raise UsageError(
                f"the first release cannot have {counted(self.initial, 'row')}, the table has {len(frame)}"
            )
        _check_ids(frame[self.id_column])
        for column in self.ageing:
            if not pd.api.types.is_numeric_dtype(frame[column]):
                raise DataError(f"column {column} cannot grow: it is not numeric")
        if self.rates.update_sensitive and frame[self.sensitive].nunique(dropna=False) < 2:
            raise DataError(f"column {self.sensitive} has a single value, so it cannot be updated")


def _check_ids(ids: "pd.Series[str]") -> None:
    missing = int(ids.isna().sum())
    if missing:
        raise DataError(
            f"column {ids.name}: {missing} of {counted(len(ids), 'id')} {form(missing, 'is', 'are')} missing"
        )
    repeated = int(ids.duplicated(keep=False).sum())
    if repeated:
        raise DataError(
            f"column {ids.name}: {repeated} of {len(ids)} rows share their id with another; "
            "the table must have one row a person"
        )
