"""Tables 1 to 3 of the m-invariance paper (Tobar Nicolau, Castro and Gentile 2025, section 2), made by the engine."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from minv.publish.series import Series
from minv_verifiers import Knowledge, attack, verify

NewSeries = Callable[..., Series]

pytestmark = pytest.mark.usefixtures("real_engine")

AGES = {"1": 18, "2": 20, "3": 19, "4": 21}
VALUES = {"1": "HIV", "2": "Flu", "3": "Acne", "4": "Cough"}
TABLE_1 = {("[18, 20]", frozenset("12"))}
TABLE_2 = {("[18, 19]", frozenset("13")), ("[20, 21]", frozenset("24"))}
TABLE_3 = {("[18, 20]", frozenset("12")), ("[19, 21]", frozenset("34"))}


def people(names: str) -> pd.DataFrame:
    """Return tuples of the paper."""
    return pd.DataFrame([(name, AGES[name], VALUES[name]) for name in names], columns=["id", "age", "value"])


def classes(series: Series, number: int) -> set[tuple[str, frozenset[str]]]:
    """Return the interval of ages and the people of each class."""
    private = pd.read_parquet(series.path / f"private/release-{number:04d}.parquet")
    public = pd.read_parquet(series.path / f"public/release-{number:04d}.parquet")
    ages = public.drop_duplicates("class").set_index("class")["age"]
    return {(ages[label], frozenset(part["id"])) for label, part in private.groupby("class")}


@pytest.fixture(params=["classic", "random-bucket", "tau", "two-swap", "optimise"])
def method(request: pytest.FixtureRequest) -> str:
    """Give a method."""
    name: str = request.param
    return name


def begin(folder: Path) -> Series:
    return Series.create(folder, id="id", quasi_identifiers=["age"], sensitive="value", m=2)


def test_table_3_follows_table_1(tmp_path: Path, method: str) -> None:
    """Tuples 1 and 2 have one signature, which nobody else can share: Table 3 is the only answer."""
    series = begin(tmp_path / "series")
    series.publish(people("12"), method=method, effort=1, workers=1)
    assert classes(series, 1) == TABLE_1
    release = series.publish(people("1234"), method=method, effort=1, workers=1)
    assert classes(series, 2) == TABLE_3
    assert release.counterfeits == 0
    assert verify(series.path).violated == ()
    assert attack(series.path, Knowledge(levels=(0, 1))).breached == ()


def test_table_2_is_what_a_publisher_without_memory_makes(tmp_path: Path) -> None:
    """It loses less, and with Table 1 gives the value of tuple 1 away."""
    first, second = begin(tmp_path / "first"), begin(tmp_path / "second")
    first.publish(people("12"), effort=1, workers=1)
    second.publish(people("1234"), effort=1, workers=1)
    assert classes(second, 1) == TABLE_2
    files = [next((series.path / "private").glob("release-*.parquet")) for series in (first, second)]
    frames = [pd.read_parquet(path, columns=["id", "class", "age", "value"]) for path in files]
    roles = {"quasi_identifiers": ["age"], "sensitive": "value", "person": "id", "class_id": "class", "m": 2}
    assert "m-invariance" in verify(frames, model="m-invariant", **roles).violated
    assert attack(frames, Knowledge(levels=(0,)), **roles).level(0).worst == 1.0
