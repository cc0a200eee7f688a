"""The persons of a simulation: who is where, and whose values they have."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from minv_datasets.errors import DataError
from minv_datasets.simulation.events import Event, EventLog
from minv_datasets.simulation.plan import Step
from minv_datasets.simulation.redraw import Redraw
from minv_datasets.simulation.scenario import Scenario

IntArray = NDArray[np.int64]
WAITING, PRESENT, AWAY = 0, 1, 2


class Population:
    """The persons of a table, a row each, while time passes.

    A changed value is stored as the row of the table it is copied from, so that values keep their types and no
    table is written to.

    Parameters
    ----------
    frame
        The table; it is only read.
    scenario
        The roles of its columns.
    seed
        Of all random choices.

    Raises
    ------
    DataError
        Quasi-identifier updates are asked for and all updatable columns are constant.
    """

    def __init__(self, frame: pd.DataFrame, scenario: Scenario, seed: int) -> None:
        self._frame = frame.reset_index(drop=True)
        self._scenario = scenario
        self._random = np.random.default_rng(seed)
        self._sensitive = Redraw(self._frame, (scenario.sensitive,))
        self._qi_groups = self._quasi_identifiers() if scenario.rates.update_qi else []
        everybody = np.arange(len(frame), dtype=np.int64)
        self._values_from: dict[Hashable, IntArray] = {column: everybody.copy() for column in frame.columns}
        self._state = np.full(len(frame), WAITING)
        self._entered = np.zeros(len(frame), dtype=np.int64)
        self._reservoir = self._random.permutation(everybody)  # in the order of arrival
        self._birthday = {
            column: self._random.integers(0, period, size=len(frame))
            for column, period in scenario.ageing.items()
        }

    def _quasi_identifiers(self) -> list[Redraw]:
        redraws = [Redraw(self._frame, group) for group in self._scenario.groups(self._frame)]
        possible = [redraw for redraw in redraws if redraw.possible]
        if not possible:
            raise DataError("no quasi-identifier can be updated: there is none with two different values")
        return possible

    def advance(self, step: Step) -> pd.DataFrame:
        """Make one step and return its events: columns release, id, event, columns."""
        log = EventLog(step.release, self._frame[self._scenario.id_column])
        away = np.flatnonzero(self._state == AWAY)  # before the deletions: nobody leaves and returns at once
        self._move(np.flatnonzero(self._state == PRESENT), step.deleted, AWAY, Event.DELETE, log)
        staying = np.flatnonzero(self._state == PRESENT)
        self._update_quasi_identifiers(self._choose(staying, step.updated_qi), log)
        changing = self._choose(staying, step.updated_sensitive)
        self._update(changing, self._sensitive, Event.UPDATE_SENSITIVE, log)
        self._move(away, step.reinserted, PRESENT, Event.REINSERT, log)
        self._insert(step, log)
        return log.table()

    def table(self, release: int) -> pd.DataFrame:
        """Return the rows of those who are present, in the order of the source table, renumbered from 0."""
        present = np.flatnonzero(self._state == PRESENT)
        return pd.DataFrame(
            {column: self._values(column, present, release) for column in self._frame.columns}
        )

    def _values(self, column: Hashable, persons: IntArray, release: int) -> "pd.Series[Any]":
        values = self._frame[column].take(self._values_from[column][persons]).reset_index(drop=True)
        if column not in self._scenario.ageing:
            return values
        period, birthday = self._scenario.ageing[column], self._birthday[column][persons]
        years = (release + birthday) // period - (self._entered[persons] + birthday) // period
        return (values + years).clip(upper=self._frame[column].max()).astype(values.dtype)

    def _choose(self, persons: IntArray, count: int) -> IntArray:
        return self._random.permutation(persons)[:count]

    def _move(self, candidates: IntArray, count: int, state: int, event: Event, log: EventLog) -> None:
        persons = self._choose(candidates, count)
        self._state[persons] = state
        log.add(event, persons)

    def _insert(self, step: Step, log: EventLog) -> None:
        persons, self._reservoir = np.split(self._reservoir, [step.inserted])
        self._state[persons] = PRESENT
        self._entered[persons] = step.release
        log.add(Event.INSERT, persons)

    def _update_quasi_identifiers(self, persons: IntArray, log: EventLog) -> None:
        """Change one group of columns of each person, each group being equally likely."""
        picked = self._random.integers(0, max(1, len(self._qi_groups)), size=len(persons))
        for number, group in enumerate(self._qi_groups):
            self._update(persons[picked == number], group, Event.UPDATE_QI, log)

    def _update(self, persons: IntArray, group: Redraw, event: Event, log: EventLog) -> None:
        source = group.draw(self._values_from[group.columns[0]][persons], self._random)
        for column in group.columns:
            self._values_from[column][persons] = source
        log.add(event, persons, group.columns)
