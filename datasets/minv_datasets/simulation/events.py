"""The log of what happened to whom."""

from collections.abc import Hashable, Sequence
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import NDArray


class Event(StrEnum):
    """What can happen to a person on the way to a release."""

    INSERT = "insert"
    DELETE = "delete"
    REINSERT = "reinsert"
    UPDATE_QI = "update-qi"
    UPDATE_SENSITIVE = "update-sensitive"


class EventLog:
    """Collects the events on the way to one release. Ages that grow are not events.

    Parameters
    ----------
    release
        Number of the release.
    ids
        The id of every person of the table, by position.
    """

    def __init__(self, release: int, ids: "pd.Series[str]") -> None:
        self._release = release
        self._ids = ids
        self._parts: list[pd.DataFrame] = []

    def add(self, event: Event, persons: NDArray[np.int64], columns: Sequence[Hashable] = ()) -> None:
        """Note that `event` happened to the persons at these positions, in these columns."""
        ids = self._ids.iloc[np.sort(persons)].reset_index(drop=True)
        changed = " ".join(str(column) for column in columns)
        self._parts.append(
            pd.DataFrame({"release": self._release, "id": ids, "event": str(event), "columns": changed})
        )

    def table(self) -> pd.DataFrame:
        """Return the columns release, id, event and columns (separated by blanks; only for updates)."""
        parts = [part for part in self._parts if len(part)]
        return pd.concat(parts or self._parts, ignore_index=True)
