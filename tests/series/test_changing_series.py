"""Persons come, go, return and change; every release passes the independent judge."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from minv.errors import DataError, InfeasibleError
from minv.publish.series import Series
from minv_verifiers import verify

NewSeries = Callable[..., Series]


def table(**persons: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "person": list(persons),
            "age": [20 + 7 * (sum(map(ord, person)) % 9) for person in persons],
            "sex": ["fm"[ord(person[-1]) % 2] for person in persons],
            "illness": list(persons.values()),
        }
    )


def private(series: Series, number: int) -> pd.DataFrame:
    return pd.read_parquet(series.path / f"private/release-{number:04d}.parquet")


def signatures(series: Series, number: int) -> dict[str, set[str]]:
    frame = private(series, number)
    published = frame[frame["status"] == "published"]
    of_class = {label: set(group["illness"]) for label, group in published.groupby("class")}
    real = published[~published["counterfeit"]]
    return {row.id: of_class[row["class"]] for _, row in real.set_index(real["id"], drop=False).iterrows()}


def assert_verified(series: Series, model: str = "tau-safe") -> None:
    report = verify(series.path)
    assert report.mode == "custodian"
    assert report.violated == ()
    assert report.unjudged == ()
    assert report.claims.model == model
    assert verify(series.path, public_only=True).violated == ()


def test_the_papers_four_persons(new_series: NewSeries) -> None:
    """Two of four stay, two leave, two come: the stayers keep their signatures, with counterfeits."""
    series = new_series()
    series.publish(table(a="flu", b="gout", c="cold", d="HIV"))
    first = signatures(series, 1)
    stays, leaves = ("a", "b") if first["a"] != first["b"] else ("a", "c")
    values = {"a": "flu", "b": "gout", "c": "cold", "d": "HIV"}
    second = {stays: values[stays], leaves: values[leaves], "e": "flu", "f": "cold"}
    release = series.publish(table(**second))
    after = signatures(series, 2)
    assert after[stays] == first[stays]
    assert after[leaves] == first[leaves]
    assert release.counterfeits == 2
    assert_verified(series)


def test_person_who_returns_keeps_the_signature(new_series: NewSeries) -> None:
    series = new_series()
    everybody = {"a": "flu", "b": "gout", "c": "cold", "d": "HIV"}
    series.publish(table(**everybody))
    series.publish(table(c="cold", d="HIV"))
    series.publish(table(**everybody))
    assert signatures(series, 3) == signatures(series, 1)
    assert_verified(series)


def test_person_who_returns_with_another_value_of_the_signature(new_series: NewSeries) -> None:
    series = new_series()
    series.publish(table(a="flu", b="gout"))
    series.publish(table(e="cold", f="HIV"))
    series.publish(table(a="gout"))
    assert signatures(series, 3) == {"a": {"flu", "gout"}}
    assert_verified(series)


def test_person_who_returns_is_refused_under_m_invariance(new_series: NewSeries) -> None:
    series = new_series(model="m-invariant")
    everybody = {"a": "flu", "b": "gout", "c": "cold", "d": "HIV"}
    series.publish(table(**everybody))
    series.publish(table(c="cold", d="HIV"))
    with pytest.raises(DataError, match="2 persons return"):
        series.publish(table(**everybody))
    series.publish(table(c="cold", d="HIV", e="flu", f="gout"))
    assert_verified(series, "m-invariant")


def test_suppressed_person_is_recorded_and_resumes(new_series: NewSeries) -> None:
    series = new_series(domain=["flu", "gout", "cold", "HIV", "mumps"])
    series.publish(table(a="flu", b="gout"))
    release = series.publish(table(a="cold", b="gout"))
    assert release.figures["suppressed"] == 1
    frame = private(series, 2)
    suppressed = frame[frame["status"] == "suppressed"]
    assert suppressed["id"].tolist() == ["a"]
    assert suppressed["class"].isna().all()
    series.publish(table(a="flu", b="gout"))
    assert signatures(series, 3)["a"] == {"flu", "gout"}
    assert_verified(series)


def test_suppressed_person_is_not_one_who_returns(new_series: NewSeries) -> None:
    """Under m-invariance a suppressed person was there all the time."""
    series = new_series(model="m-invariant", domain=["flu", "gout", "cold", "HIV", "mumps"])
    series.publish(table(a="flu", b="gout"))
    series.publish(table(a="cold", b="gout"))
    series.publish(table(a="mumps", b="gout"))
    series.publish(table(a="flu", b="gout"))
    assert signatures(series, 4)["a"] == {"flu", "gout"}


def test_disjoint_signature_and_the_way_back(new_series: NewSeries) -> None:
    series = new_series(on_update="disjoint", domain=["flu", "gout", "cold", "HIV", "mumps"])
    series.publish(table(a="flu", b="gout"))
    series.publish(table(a="cold", b="gout", e="HIV"))
    assert signatures(series, 2)["a"] == {"cold", "HIV"}
    series.publish(table(a="flu", b="gout"))
    assert signatures(series, 3)["a"] == {"flu", "gout"}
    assert_verified(series, "equal-or-disjoint")


def test_update_that_gives_itself_away_is_infeasible(new_series: NewSeries) -> None:
    series = new_series(domain=["flu", "gout", "cold"])
    series.publish(table(a="flu", b="gout"))
    before = sorted(path.name for path in series.path.rglob("*"))
    with pytest.raises(InfeasibleError, match="fewer than m = 2"):
        series.publish(table(a="cold", b="gout"))
    assert sorted(path.name for path in series.path.rglob("*")) == before


def test_update_of_quasi_identifiers_has_no_effect_on_signatures(new_series: NewSeries) -> None:
    series = new_series()
    frame = table(a="flu", b="gout", c="cold", d="HIV")
    series.publish(frame)
    series.publish(frame.assign(age=frame["age"] + 40, sex="x"))
    assert signatures(series, 2) == signatures(series, 1)
    assert_verified(series)


def test_forbidden_counterfeits(new_series: NewSeries) -> None:
    from minv.publish.engine import Policy

    series = new_series()
    series.publish(table(a="flu", b="gout"))
    with pytest.raises(InfeasibleError):
        series.publish(table(a="flu"), policy=Policy("forbid"))
    assert series.publish(table(a="flu")).counterfeits == 1


def test_counterfeits_are_counted_by_class_only(new_series: NewSeries) -> None:
    series = new_series()
    series.publish(table(a="flu", b="gout"))
    series.publish(table(a="flu"))
    manifest = json.loads((series.path / "public/datapackage.json").read_text())
    assert manifest["resources"][1]["minv"] == {"release": 2, "counterfeits": {"1": 1}}
    published = pd.read_parquet(series.path / "public/release-0002.parquet")
    assert list(published.columns) == ["class", "age", "sex", "illness"]
    assert len(set(published["age"])) == 1


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda frame: frame.assign(more=1), "new: more"),
        (lambda frame: frame.rename(columns={"sex": "gender"}), "no column 'sex'"),
        (lambda frame: frame.assign(sex=True), "of another type: sex"),
        (lambda frame: frame.assign(person=pd.to_datetime("2020")), "'person'"),
    ],
)
def test_drift_of_the_schema(
    new_series: NewSeries, change: Callable[[pd.DataFrame], pd.DataFrame], part: str
) -> None:
    series = new_series()
    frame = table(a="flu", b="gout")
    series.publish(frame)
    with pytest.raises(DataError, match=part):
        series.publish(change(frame))
    assert len(series.releases) == 1


def test_drift_of_the_schema_can_be_accepted(new_series: NewSeries) -> None:
    series = new_series()
    frame = table(a="flu", b="gout")
    series.publish(frame)
    series.publish(frame.assign(more=1), accept_schema_change=True)
    assert_verified(series)


def test_whole_numbers_and_their_texts_are_the_same_persons(new_series: NewSeries) -> None:
    series = new_series()
    frame = table(a="flu", b="gout").assign(person=[7, 8])
    series.publish(frame)
    series.publish(frame.assign(person=["7", "8"]))
    assert signatures(series, 2) == signatures(series, 1)
    with pytest.raises(DataError, match="leading zeros"):
        series.publish(frame.assign(person=["007", "008"]))


DAMAGE: dict[str, Callable[[Path], object]] = {
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "changed": lambda path: path.write_bytes(path.read_bytes()[:-1] + b"x"),
    "missing": Path.unlink,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_series_whose_last_release_is_damaged_is_not_continued(
    new_series: NewSeries, table: pd.DataFrame, damage: str
) -> None:
    """The judge would fail it ever after; nothing is written."""
    series = new_series()
    series.publish(table)
    (release,) = series.path.glob("public/release-*")
    DAMAGE[damage](release)
    before = sorted(path.name for path in series.path.rglob("*"))
    with pytest.raises(DataError, match="restore"):
        series.publish(table)
    assert sorted(path.name for path in series.path.rglob("*")) == before
