"""Releases after the first, all clusters together: against the staged algorithms and before the judge."""

from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd
import pytest
from edition_oracle import fewest_by_program

import minv_datasets
from minv.publish.engine import Budget, Policy
from minv.publish.series import Series
from minv.publish.solving import solve
from minv.tables.opening import open_table
from minv_datasets.simulation.dynamicity import Dynamicity
from minv_verifiers import verify

pytestmark = pytest.mark.usefixtures("real_engine")


@pytest.fixture(autouse=True)
def known_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the key of every series, which seeds its releases."""
    monkeypatch.setattr("minv.series.folder.secrets.token_bytes", lambda size: b"k" * size)


class Custodian:
    """Who is remembered under which signature, read from the private files alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._signatures: dict[str, frozenset[str]] = {}

    def outside(self, table: pd.DataFrame) -> set[str]:
        """Return the persons whose value is none of their remembered signature."""
        pairs = zip(table["person"].astype(str).tolist(), table["occupation"].tolist(), strict=True)
        return {p for p, value in pairs if value not in self._signatures.get(p, {value})}

    def read(self, number: int) -> set[str]:
        """Remember who is in a release, and return who was suppressed."""
        rows = pd.read_parquet(self._folder / f"private/release-{number:04d}.parquet")
        published = rows[rows["status"] == "published"]
        values = published.groupby("class")["occupation"].agg(frozenset)
        real = published[~published["counterfeit"]]
        for person, label in zip(real["id"].tolist(), real["class"].tolist(), strict=True):
            self._signatures.setdefault(person, values[label])
        return set(rows.loc[rows["status"] == "suppressed", "id"])


def assert_better_than_staged(
    folder: Path, level: Dynamicity, people: int, releases: int, *, worst: float = 0.03, **budget: Any
) -> int:
    """No loss above two-swap's after staging, fewest counterfeits, the certified gap small; the judge agrees.

    The gap is at most 3 % in the median release and at most `worst` in every one.

    Returns how many persons were suppressed: exactly those whose value left their signature.
    """
    frame = minv_datasets.load_adult().astype(str)
    frame = frame[~(frame == "?").any(axis=1)].head(2 * people)
    scenario = minv_datasets.Scenario(
        id_column="person",
        sensitive="occupation",
        releases=releases,
        rates=level.rates,
        initial=people,
        updatable=["age"] if level is Dynamicity.FULLY_DYNAMIC else [],
    )
    series = Series.create(
        folder,
        id="person",
        quasi_identifiers=["age", "sex:nominal", "education-num"],
        sensitive="occupation",
        m=4,
    )
    changing = minv_datasets.simulate_releases(minv_datasets.with_ids(frame, "person"), scenario, 3)
    custodian = Custodian(folder)
    left, gaps = 0, []
    for number, simulated in enumerate(changing, start=1):
        if number == 1:
            series.publish(simulated.table, method="two-swap")
            custodian.read(number)
            continue
        plan = series.plan(open_table(simulated.table))
        staged = [solve(plan, Policy(), Budget(method=method, effort=1)) for method in ("tau", "two-swap")]
        release = series.publish(simulated.table, **budget)
        found = release.partition
        assert release.counterfeits == fewest_by_program(plan.instance)
        assert release.counterfeits <= len(staged[0].counterfeits)
        assert found.il <= min(one.partition.il for one in staged) + 1e-9
        assert found.gap is not None
        assert found.gap <= worst
        assert found.certified_bound_il is not None
        assert (1 - worst) * found.il <= found.certified_bound_il <= found.il * (1 + 1e-9)
        gaps.append(1 - found.certified_bound_il / found.il)
        outside = custodian.outside(simulated.table)
        assert custodian.read(number) == outside
        assert release.figures["suppressed"] == len(outside)
        left += len(outside)
    assert median(gaps) <= 0.03
    report = verify(folder)
    assert report.mode == "custodian"
    assert report.claims.model == "tau-safe"
    assert report.violated == ()
    assert report.unjudged == ()
    return left


@pytest.mark.parametrize("level", Dynamicity)
def test_every_level_of_dynamicity(tmp_path: Path, level: Dynamicity) -> None:
    """Two later releases of 150 people."""
    assert_better_than_staged(tmp_path / "series", level, 150, 3, effort=3)


@pytest.mark.parametrize(
    ("level", "releases"),
    [(Dynamicity.INCREMENTAL, 2), (Dynamicity.EXTERNAL_DYNAMIC, 2), (Dynamicity.FULLY_DYNAMIC, 4)],
)
def test_every_level_of_dynamicity_at_scale(tmp_path: Path, level: Dynamicity, releases: int) -> None:
    """1,500 people, by little effort; values leave their signatures where the level has updates."""
    left = assert_better_than_staged(tmp_path / "series", level, 1500, releases, effort=3, gap=0.02)
    assert (left > 0) == (level is Dynamicity.FULLY_DYNAMIC)


@pytest.mark.slow
@pytest.mark.parametrize("level", Dynamicity)
def test_many_releases_of_every_level_of_dynamicity(tmp_path: Path, level: Dynamicity) -> None:
    """Five later releases of 1,500 people, 2,400 in the end where nobody leaves."""
    assert_better_than_staged(tmp_path / "series", level, 1500, 6, worst=0.1, time_limit=30)


def test_the_same_effort_gives_the_same_release(tmp_path: Path) -> None:
    """Whatever the number of workers; the key is that of the first series."""
    frame = minv_datasets.with_ids(minv_datasets.ipums_like(160, seed=4), "person")
    content = []
    for workers in (1, 2):
        series = Series.create(
            tmp_path / str(workers), id="person", quasi_identifiers=["age"], sensitive="occupation", m=3
        )
        series.publish(frame[:120], method="two-swap", workers=workers, seed=4)
        series.publish(frame[40:], effort=1, workers=workers, seed=4)
        content.append((series.path / "private/release-0002.parquet").read_bytes())
    assert content[0] == content[1]
