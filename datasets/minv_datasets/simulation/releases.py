"""The releases of a simulated table, one after the other."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from minv_datasets.errors import UsageError
from minv_datasets.simulation.dynamicity import Dynamicity, rates_at
from minv_datasets.simulation.plan import Step, check_reservoir, largest_start, plan
from minv_datasets.simulation.population import Population
from minv_datasets.simulation.scenario import Scenario


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedRelease:
    """One release and how it came about.

    Parameters
    ----------
    step
        The release's number and how many persons were concerned.
    table
        The rows of those who take part, with the columns and types of the source table, in its order.
    events
        Who was concerned: columns release, id, event (the values of `Event`) and columns (which ones an update
        changed, separated by blanks). It ties ids to changes: private.
    """

    step: Step
    table: pd.DataFrame
    events: pd.DataFrame


def simulate(
    frame: pd.DataFrame,
    *,
    id_column: Hashable,
    sensitive: Hashable,
    releases: int,
    seed: int,
    initial: int | None = None,
    insert: float | None = None,
    delete: float | None = None,
    reinsert: float | None = None,
    update_qi: float | None = None,
    update_sensitive: float | None = None,
    preset: Dynamicity | str | None = None,
    updatable: Sequence[Hashable] | None = None,
    linked: Sequence[Sequence[Hashable]] = (),
    ageing: Mapping[Any, int] | None = None,
) -> Iterator[pd.DataFrame]:
    """Return an iterator over the releases of a changing table, persons keeping their ids.

    Parameters
    ----------
    frame
        The persons, a row each: those of the first release, drawn at random, and the reservoir that later ones
        come from. Any index, any types; not changed.
    seed
        Of all random choices: the same arguments give the same releases.
    insert, delete, reinsert, update_qi, update_sensitive
        The `Rates`; 0 unless given, or the preset's.
    preset
        A level of `Dynamicity`, which fixes what can happen at all.
    id_column, sensitive, releases, initial, updatable, linked, ageing
        As in `Scenario`.

    Raises
    ------
    UsageError
        The arguments contradict each other or the preset, or the table has too few persons.
    DataError
        The table is unusable: see `Scenario.check_table`.

    See Also
    --------
    simulate_releases : the same with a log of events.

    Examples
    --------
    >>> from minv_datasets import ipums_like, simulate, with_ids
    >>> persons = with_ids(ipums_like(1000, seed=1))
    >>> tables = simulate(persons, id_column="id", sensitive="occupation", releases=3, seed=1,
    ...                   initial=500, insert=0.10, delete=0.04)
    >>> [len(table) for table in tables]
    [500, 530, 562]
    """
    rates = rates_at(
        preset,
        insert=insert,
        delete=delete,
        reinsert=reinsert,
        update_qi=update_qi,
        update_sensitive=update_sensitive,
        ageing=bool(ageing),
    )
    scenario = Scenario(
        id_column=id_column,
        sensitive=sensitive,
        releases=releases,
        rates=rates,
        initial=initial,
        updatable=updatable,
        linked=linked,
        ageing=ageing or {},
    )
    return (release.table for release in simulate_releases(frame, scenario, seed))


def simulate_releases(frame: pd.DataFrame, scenario: Scenario, seed: int) -> Iterator[SimulatedRelease]:
    """Return an iterator over the releases, each with its events.

    Raises
    ------
    UsageError
        The table has too few persons or lacks a column, or the seed is negative.
    DataError
        The table is unusable: see `Scenario.check_table`.
    """
    if seed < 0:
        raise UsageError(f"the seed must be 0 or more, not {seed}")
    scenario.check_table(frame)
    rates, releases, initial = scenario.rates, scenario.releases, scenario.initial
    if initial is None:
        initial = largest_start(len(frame), rates, releases)
    check_reservoir(initial, len(frame), rates, releases)
    population = Population(frame, scenario, seed)
    return _play(population, plan(initial, rates, releases))


def _play(population: Population, steps: Sequence[Step]) -> Iterator[SimulatedRelease]:
    for step in steps:
        events = population.advance(step)
        yield SimulatedRelease(step, population.table(step.release), events)
