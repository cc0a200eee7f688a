"""Whatever the rates, the simulated releases keep their promises."""

from dataclasses import replace
from itertools import pairwise
from math import floor

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from minv_datasets import Dynamicity, Rates, Scenario, ipums_like, simulate_releases, with_ids
from minv_datasets.simulation.dynamicity import rates_at

PERSONS = with_ids(ipums_like(150, seed=2))
SHARES = st.floats(0, 1).map(lambda rate: round(rate, 3))


@st.composite
def scenarios(draw):
    """Any rates and roles that the 150 persons suffice for."""
    rates = Rates(
        insert=draw(st.floats(0, 0.4).map(lambda rate: round(rate, 3))),
        delete=draw(SHARES),
        reinsert=draw(SHARES),
        update_qi=draw(SHARES),
        update_sensitive=draw(SHARES),
    )
    return Scenario(
        id_column="id",
        sensitive="occupation",
        releases=draw(st.integers(1, 5)),
        rates=rates,
        ageing=draw(st.sampled_from([{}, {"age": 1}, {"age": 3}])),
        linked=draw(st.sampled_from([[], [["sex", "educ"]]])),
    )


def play(scenario, seed):
    return list(simulate_releases(PERSONS, scenario, seed))


@settings(max_examples=60)
@given(scenarios(), st.integers(0, 2**32))
def test_numbers_are_exactly_the_shares(scenario, seed):
    """Deletions and insertions add up to rate times rows, rounded down; rows balance; tables have those rows."""
    releases = play(scenario, seed)
    totals = dict.fromkeys(("insert", "delete"), 0)
    rows_before = 0
    for before, now in pairwise(releases):
        rows_before += before.step.rows
        counts = now.events["event"].value_counts()
        for name in totals:
            totals[name] += int(counts.get(name, 0))
            # rates have three decimals: integers make the expectation exact
            assert totals[name] == floor(round(1000 * getattr(scenario.rates, name)) * rows_before / 1000)
        step = now.step
        assert step.rows == before.step.rows - step.deleted + step.inserted + step.reinserted
    assert [len(r.table) for r in releases] == [r.step.rows for r in releases]


@settings(max_examples=60)
@given(scenarios(), st.integers(0, 2**32))
def test_ids_are_unique_and_lives_make_sense(scenario, seed):
    """Inserted once, deleted only when present, reinserted only after a deletion at an earlier release."""
    never, present, deleted = set(PERSONS["id"]), set(), {}
    for release in play(scenario, seed):
        number = release.step.release
        assert release.table["id"].is_unique
        happened = {event: set(part["id"]) for event, part in release.events.groupby("event")}
        inserted, gone, back = (happened.get(e, set()) for e in ("insert", "delete", "reinsert"))
        assert inserted <= never
        assert gone <= present
        assert all(deleted[person] < number for person in back)
        never -= inserted
        present = (present - gone) | inserted | back
        deleted = {p: n for p, n in deleted.items() if p not in back} | dict.fromkeys(gone, number)
        assert set(release.table["id"]) == present
        changed = happened.get("update-qi", set()) | happened.get("update-sensitive", set())
        assert changed <= present - inserted - back


@settings(max_examples=60)
@given(scenarios(), st.integers(0, 2**32))
def test_values_come_from_the_table(scenario, seed):
    """No value is made up, and nothing but ages and logged updates ever changes."""
    columns = ["sex", "educ", "occupation"]
    known = PERSONS.set_index("id")[columns]
    for release in play(scenario, seed):
        table = release.table.set_index("id")
        assert table["age"].between(PERSONS["age"].min(), PERSONS["age"].max()).all()
        updated = set(release.events.loc[release.events["event"].str.startswith("update"), "id"])
        for column in columns:
            assert table[column].isin(set(PERSONS[column])).all()
        unchanged = table.index.difference(list(updated))
        pd.testing.assert_frame_equal(table.loc[unchanged, columns], known.loc[unchanged], check_names=False)
        known.loc[table.index] = table[columns]


@settings(max_examples=30)
@given(scenarios(), st.integers(0, 2**32))
def test_a_seed_gives_the_same_releases(scenario, seed):
    """And a shorter series from the same start is the beginning of the longer one."""
    once = play(scenario, seed)
    shorter = replace(scenario, releases=max(1, scenario.releases - 1), initial=once[0].step.rows)
    for one, other in [*zip(once, play(scenario, seed), strict=True), *zip(once, play(shorter, seed))]:  # noqa: B905
        pd.testing.assert_frame_equal(one.table, other.table)
        pd.testing.assert_frame_equal(one.events, other.events)


@settings(max_examples=40)
@given(st.sampled_from(list(Dynamicity)), st.floats(0, 0.4), st.floats(0, 1), st.integers(0, 2**32))
def test_presets_forbid_what_they_must(level, insert, delete, seed):
    """Incremental: nobody leaves, nothing changes. External dynamic: nobody returns, nothing changes."""
    rates = rates_at(level, insert=insert, delete=None if level is Dynamicity.INCREMENTAL else delete)
    scenario = Scenario(id_column="id", sensitive="occupation", releases=4, rates=rates)
    source = PERSONS.set_index("id")
    seen: set[int] = set()
    gone: set[int] = set()
    for release in play(scenario, seed):
        present = set(release.table["id"])
        if level is Dynamicity.INCREMENTAL:
            assert seen <= present
        if level is not Dynamicity.FULLY_DYNAMIC:
            assert not gone & present
            table = release.table.set_index("id")
            pd.testing.assert_frame_equal(table, source.loc[table.index])
        gone |= seen - present
        seen |= present


def test_everyone_is_equally_likely_to_be_concerned():
    """Over 200 seeds each of 150 persons is in the first release, and deleted, about as often as any other."""
    scenario = Scenario(
        id_column="id", sensitive="occupation", releases=2, rates=Rates(delete=0.5), initial=50
    )
    present = pd.Series(0, index=PERSONS["id"])
    deleted = pd.Series(0, index=PERSONS["id"])
    for seed in range(200):
        first, second = play(scenario, seed)
        present[first.table["id"]] += 1
        deleted[second.events["id"]] += 1
    for hits, probability in ((present, 1 / 3), (deleted, 1 / 6)):
        deviation = (200 * probability * (1 - probability)) ** 0.5
        assert (hits - 200 * probability).abs().max() < 4.5 * deviation
