"""The simulator on small tables: columns, types, order, ageing, links, events, refusals."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from minv_datasets import (
    DataError,
    Dynamicity,
    Rates,
    Scenario,
    UsageError,
    complete_rows,
    ipums_like,
    load_adult,
    sample,
    simulate,
    simulate_releases,
    with_ids,
)

ROLES = {"id_column": "id", "sensitive": "occupation"}
BUSY = Rates(insert=0.1, delete=0.1, reinsert=0.05, update_qi=0.2, update_sensitive=0.1)


@pytest.fixture(scope="module")
def persons():
    return with_ids(ipums_like(400, seed=1))


def run(frame, seed=1, **parameters):
    return list(simulate_releases(frame, Scenario(**(ROLES | parameters)), seed))


def test_tables_look_like_the_source(persons):
    """Same columns, types and order of rows; numbered from 0."""
    for table in simulate(persons, **ROLES, releases=4, seed=1, preset="fully-dynamic"):
        assert table.dtypes.equals(persons.dtypes)
        assert list(table.columns) == list(persons.columns)
        assert table.index.equals(pd.RangeIndex(len(table)))
        assert table["id"].is_monotonic_increasing


def test_the_source_is_not_changed_and_its_index_does_not_matter(persons):
    """A shuffled, repeated, named or multi-level index gives the same releases."""
    expected = [r.table for r in run(persons, releases=3, rates=BUSY, initial=200)]
    numbers = np.random.default_rng(0).permutation(len(persons)) // 2
    for index in (
        pd.Index(numbers, name="occupation"),
        pd.MultiIndex.from_arrays([numbers, numbers], names=["id", "age"]),
    ):
        frame = persons.set_axis(index)
        before = frame.copy()
        tables = [r.table for r in run(frame, releases=3, rates=BUSY, initial=200)]
        pd.testing.assert_frame_equal(frame, before)
        for one, other in zip(expected, tables, strict=True):
            pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("backend", ["numpy_nullable", "pyarrow"])
def test_types_of_other_backends_are_kept(persons, backend):
    """Nullable and Arrow columns, ageing included."""
    frame = persons.convert_dtypes(dtype_backend=backend)
    parameters = {"releases": 4, "rates": BUSY, "initial": 200, "ageing": {"age": 1}}
    tables = [r.table for r in run(frame, **parameters)]
    expected = [r.table for r in run(persons, **parameters)]
    for one, other in zip(tables, expected, strict=True):
        assert one.dtypes.equals(frame.dtypes)
        assert one.astype(persons.dtypes).equals(other)


def test_odd_columns_pass_through():
    """Missing values, categories, dates, decimals, numbers as column names."""
    frame = pd.DataFrame(
        {
            "id": [f"{i:03d}" for i in range(40)],
            "occupation": pd.Categorical(["a", "b", None, "c"] * 10),
            0: [None, 1.5] * 20,
            "when": pd.to_datetime(["2020-01-01", "2021-01-01"] * 20),
            "money": [Decimal("1.10"), Decimal("2.20")] * 20,
        }
    )
    for table in simulate(frame, **ROLES, releases=5, seed=3, preset="fully-dynamic", update_qi=0.5):
        assert table.dtypes.equals(frame.dtypes)
        assert table["id"].isin(frame["id"]).all()
        assert set(table[0].dropna()) <= {1.5}


def test_seeds():
    """The same seed gives the same releases, another one others."""
    frame = with_ids(ipums_like(200, seed=1))

    def tables(seed):
        return pd.concat(
            simulate(frame, **ROLES, releases=4, seed=seed, preset="fully-dynamic"), keys=range(4)
        )

    pd.testing.assert_frame_equal(tables(5), tables(5))
    assert not tables(5).equals(tables(6))


def test_the_default_start_leaves_just_enough_persons(persons):
    """Everybody, or nearly, has appeared at the end."""
    releases = run(persons, releases=6, rates=Rates(insert=0.1))
    appeared = pd.concat(r.table["id"] for r in releases).nunique()
    assert len(persons) - 2 <= appeared <= len(persons)


class TestAgeing:
    """Columns that grow."""

    def test_a_year_every_release(self, persons):
        """Everybody who stays is as many years older as releases have passed, up to the oldest age."""
        tables = [r.table.set_index("id") for r in run(persons, releases=5, initial=300, ageing={"age": 1})]
        oldest = persons["age"].max()
        for passed, table in enumerate(tables):
            grown = np.minimum(tables[0]["age"] + passed, oldest)
            assert (table["age"] == grown).all()
            assert table.drop(columns="age").equals(tables[0].drop(columns="age"))

    def test_a_year_every_fourth_release(self, persons):
        """Within any four releases everybody has one birthday, and a quarter or so has it in each."""
        tables = [
            r.table.set_index("id")["age"] for r in run(persons, releases=9, initial=400, ageing={"age": 4})
        ]
        young = tables[0][tables[0] < persons["age"].max() - 3].index
        for earlier, later in zip(tables, tables[4:], strict=False):
            assert (later[young] - earlier[young] == 1).all()
        having = (tables[1][young] - tables[0][young]).mean()
        assert 0.15 < having < 0.35

    def test_persons_age_while_away(self):
        """Who returns is older by the releases missed; who arrives later arrives with the age of the table."""
        frame = with_ids(pd.DataFrame({"age": [20] * 99 + [90], "occupation": ["a", "b"] * 50}))
        releases = run(
            frame,
            releases=8,
            initial=60,
            rates=Rates(insert=0.05, delete=0.1, reinsert=0.1),
            ageing={"age": 1},
        )
        arrived = {}
        returned = 0
        for release in releases:
            table = release.table[release.table["id"] != 100]
            for person, age in zip(table["id"], table["age"], strict=True):
                arrived.setdefault(person, release.step.release)
                assert age == 20 + release.step.release - arrived[person]
            returned += release.step.reinserted
        assert returned > 5
        assert len(set(arrived.values())) > 3


class TestUpdates:
    """What updates touch."""

    def test_only_updatable_columns_change(self, persons):
        tables = [
            r.table.set_index("id")
            for r in run(persons, releases=4, rates=Rates(update_qi=0.5), initial=400, updatable=["educ"])
        ]
        assert tables[-1].drop(columns="educ").equals(tables[0].drop(columns="educ"))
        assert (tables[1]["educ"] != tables[0]["educ"]).sum() == 200

    def test_linked_columns_stay_consistent(self):
        """A level of education and its number still correspond after many updates."""
        adult = with_ids(sample(complete_rows(load_adult()), 500, seed=1))
        pairs = set(zip(adult["education"], adult["education-num"], strict=True))
        group = ["education", "education-num"]
        for linked, consistent in (([group], True), ([], False)):
            table = run(adult, releases=4, rates=Rates(update_qi=1.0), updatable=group, linked=linked)[
                -1
            ].table
            assert (set(zip(table["education"], table["education-num"], strict=True)) <= pairs) == consistent

    def test_constant_columns_are_not_chosen(self, persons):
        """Every update changes something."""
        frame = persons.assign(constant=1)
        first, second = (
            r.table.drop(columns=["id"])
            for r in run(frame, releases=2, initial=400, rates=Rates(update_qi=1.0))
        )
        assert ((first != second).sum(axis="columns") == 1).all()


class TestEvents:
    """The log says what happened to whom, so that the tables can be derived from it."""

    def test_the_log_explains_every_change(self, persons):
        releases = run(persons, releases=8, initial=200, rates=BUSY)
        present: set[int] = set()
        before = None
        for release in releases:
            by_event = {event: set(part["id"]) for event, part in release.events.groupby("event")}
            assert (release.events["release"] == release.step.release).all()
            assert not release.events.duplicated(["id", "event"]).any()
            came = by_event.get("insert", set()) | by_event.get("reinsert", set())
            present = (present - by_event.get("delete", set())) | came
            table = release.table.set_index("id")
            assert set(table.index) == present
            if before is not None:
                common = table.index.intersection(before.index)
                changed = table.loc[common] != before.loc[common]
                qi, sensitive = changed.drop(columns="occupation"), changed["occupation"]
                assert set(common[qi.any(axis="columns")]) == by_event.get("update-qi", set())
                assert set(common[sensitive]) == by_event.get("update-sensitive", set())
                for person, columns in release.events.query("event == 'update-qi'")[
                    ["id", "columns"]
                ].to_numpy():
                    assert changed.columns[changed.loc[person]].drop(
                        "occupation", errors="ignore"
                    ).tolist() == [columns]
            before = table

    def test_an_uneventful_release_has_an_empty_log(self, persons):
        quiet = run(persons, releases=2, initial=10)[1].events
        assert quiet.empty
        assert list(quiet.columns) == ["release", "id", "event", "columns"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"releases": 0}, "releases must be 1 or more"),
        ({"initial": 0}, "1 row or more"),
        ({"initial": 401}, "cannot have 401 rows, the table has 400"),
        ({"sensitive": "id"}, "both the id and the sensitive"),
        ({"sensitive": "job"}, "no column job"),
        ({"updatable": ["educ", "height"]}, "no column height"),
        ({"updatable": ["id"]}, "cannot be among the updated"),
        ({"ageing": {"occupation": 1}}, "cannot be among the ageing"),
        ({"ageing": {"age": 0}}, "every 1 or more releases"),
        ({"ageing": {"age": 1}, "updatable": ["age"]}, "both grow and be updated"),
        ({"linked": [["sex", "age"], ["age", "educ"]]}, "linked only once"),
        ({"linked": [["sex", "occupation"]]}, "only updatable columns"),
        ({"linked": [["sex", "age"]], "updatable": ["sex"]}, "only updatable columns"),
        ({"linked": [["sex", "height"]]}, "no column height"),
        ({"initial": 390, "rates": Rates(insert=0.1)}, "start with at most"),
        ({"seed": -1}, "seed"),
    ],
)
def test_contradictory_parameters(persons, parameters, message):
    """Refused before anything is made, exit code 2."""
    with pytest.raises(UsageError, match=message) as caught:
        run(persons, **({"releases": 3} | parameters))
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("change", "parameters", "message"),
    [
        (lambda f: f.iloc[:0], {}, "no rows"),
        (lambda f: f.assign(id=1), {}, "400 of 400 rows share their id"),
        (lambda f: f.assign(id=f["id"].where(f["id"] > 3).astype("Int64")), {}, "3 of 400 ids are missing"),
        (lambda f: f.set_axis(["id", "sex", "sex", "educ", "occupation"], axis="columns"), {}, "same name"),
        (lambda f: f.astype({"age": "str"}), {"ageing": {"age": 1}}, "not numeric"),
        (lambda f: f.assign(occupation="x"), {"rates": Rates(update_sensitive=0.1)}, "single value"),
        (lambda f: f.assign(educ=1), {"rates": Rates(update_qi=0.1), "updatable": ["educ"]}, "no quasi-id"),
        (lambda f: f[["id", "occupation"]], {"rates": Rates(update_qi=0.1)}, "no quasi-identifier"),
    ],
)
def test_unusable_tables(persons, change, parameters, message):
    """Refused before anything is made, exit code 3."""
    with pytest.raises(DataError, match=message) as caught:
        run(change(persons), releases=3, **parameters)
    assert caught.value.exit_code == 3


def test_the_preset_forbids_what_it_excludes(persons):
    with pytest.raises(UsageError, match="external-dynamic tables have no reinsert and no ageing"):
        simulate(
            persons,
            **ROLES,
            releases=3,
            seed=1,
            preset=Dynamicity.EXTERNAL_DYNAMIC,
            reinsert=0.1,
            ageing={"age": 1},
        )


def test_with_ids():
    frame = pd.DataFrame({"x": [5, 6]}, index=[9, 9])
    numbered = with_ids(frame)
    assert numbered["id"].tolist() == [1, 2]
    assert list(numbered.columns) == ["id", "x"]
    assert list(frame.columns) == ["x"]
    with pytest.raises(UsageError, match="already"):
        with_ids(numbered)
