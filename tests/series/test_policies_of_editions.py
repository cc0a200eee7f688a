"""Counterfeits for eligibility and deletions: as few as can be, and nothing that the judge objects to."""

from collections import Counter
from collections.abc import Callable

import pandas as pd
import pytest

from minv.errors import InfeasibleError
from minv.publish.engine import Policy
from minv.publish.series import Series
from minv_verifiers import verify

from .conftest import people

NewSeries = Callable[..., Series]

pytestmark = pytest.mark.usefixtures("real_engine")

QUICK = {"effort": 1, "workers": 1}
ELIGIBILITY = Policy("eligibility")


def crowded(others: int = 2) -> pd.DataFrame:
    """Return six persons with flu and a few with other illnesses."""
    table = people(6 + others)
    table["illness"] = ["flu"] * 6 + ["gout", "cold"][:others]
    return table


def statuses(series: Series, number: int) -> Counter[str]:
    return Counter(pd.read_parquet(series.path / f"private/release-{number:04d}.parquet")["status"])


def assert_verified(series: Series) -> None:
    report = verify(series.path)
    assert report.violated == ()
    assert report.unjudged == ()
    assert verify(series.path, public_only=True).violated == ()


def test_a_crowded_first_release_is_infeasible_by_default(new_series: NewSeries) -> None:
    with pytest.raises(InfeasibleError, match="occurs 6 times"):
        new_series().publish(crowded(), **QUICK)


@pytest.mark.parametrize("method", ["classic", "tau", "two-swap", "optimise"])
def test_counterfeits_for_eligibility(new_series: NewSeries, method: str) -> None:
    """Six classes need twelve rows: eight persons and four counterfeits."""
    series = new_series(domain=["flu", "gout", "cold", "HIV", "mumps"])
    release = series.publish(crowded(), policy=ELIGIBILITY, method=method, **QUICK)
    assert (release.counterfeits, release.partition.classes) == (4, 6)
    assert_verified(series)
    second = series.publish(crowded(), policy=Policy("balance"), method=method, **QUICK)
    assert second.counterfeits == 4
    assert_verified(series)


def test_no_counterfeits_where_none_are_needed(new_series: NewSeries) -> None:
    release = new_series().publish(people(40), policy=ELIGIBILITY, **QUICK)
    assert release.counterfeits == 0
    assert release.partition.lower_bound_il is not None


def test_a_domain_too_small_for_counterfeits(new_series: NewSeries) -> None:
    table = crowded().assign(illness="flu")
    with pytest.raises(InfeasibleError, match="need 2 different sensitive values, and the domain has 1"):
        new_series().publish(table, policy=ELIGIBILITY, **QUICK)


@pytest.mark.parametrize("counterfeits", ["balance", "forbid"])
def test_deletions_instead(new_series: NewSeries, counterfeits: str) -> None:
    """Two of the six with flu can be mixed; four are left out, are recorded, and are new when they come again."""
    series = new_series()
    with pytest.raises(InfeasibleError, match="3 deletions included"):
        series.publish(crowded(), policy=Policy(counterfeits, deletions=3), **QUICK)
    release = series.publish(crowded(), policy=Policy(counterfeits, deletions=5), **QUICK)
    assert statuses(series, 1) == {"published": 4, "deleted": 4}
    assert (release.figures["rows"], release.figures["deleted"], release.counterfeits) == (4, 4, 0)
    assert_verified(series)
    again = pd.concat([crowded(), people(20).iloc[8:]])
    again = again[again["illness"] != "HIV"]
    assert series.publish(again, policy=Policy(counterfeits, deletions=9), **QUICK).number == 2
    assert_verified(series)


def test_counterfeits_and_deletions_together_are_fewest(new_series: NewSeries) -> None:
    """One edition a person: to leave four out and to add four counterfeits cost the same; nobody is left out."""
    release = new_series().publish(crowded(), policy=Policy("eligibility", deletions=9), **QUICK)
    assert (release.counterfeits, release.figures["deleted"]) == (4, 0)


def test_a_release_of_deletions_alone_is_refused(new_series: NewSeries) -> None:
    table = crowded().assign(illness="flu")
    with pytest.raises(InfeasibleError, match="all 8 rows would have to be left out"):
        new_series().publish(table, policy=Policy(deletions=99), **QUICK)


def test_a_single_newcomer(new_series: NewSeries) -> None:
    """Nobody to share a new class with: the newcomer joins an old one, which a counterfeit completes."""
    series = new_series()
    series.publish(people(8), **QUICK)
    release = series.publish(people(9), **QUICK)
    assert release.counterfeits == 1
    assert_verified(series)


@pytest.mark.parametrize("method", ["classic", "tau", "two-swap", "optimise"])
def test_largest_class(new_series: NewSeries, method: str) -> None:
    series = new_series(m=3, max_class_size=3)
    release = series.publish(people(60), method=method, **QUICK)
    assert release.partition.classes == 20
    with pytest.raises(InfeasibleError):
        series.publish(people(64).iloc[60:], method=method, policy=Policy("forbid"), **QUICK)
    series.publish(people(90), method=method, **QUICK)
    sizes = pd.read_parquet(series.path / "public/release-0002.parquet").groupby("class").size()
    assert set(sizes) == {3}
    assert_verified(series)


def test_comparison_with_the_published_stages(new_series: NewSeries) -> None:
    """Ours is lexicographically never worse in counterfeits and loss; the flag changes nothing else."""
    series = new_series(m=3)
    table = people(120)
    series.publish(table.iloc[:80], compare_staged=True, **QUICK)
    for first in (20, 40):
        figures = series.publish(table.iloc[first : first + 80], compare_staged=True, **QUICK).figures
        ours = (figures["counterfeits"], figures["sse"])
        for theirs in figures["staged"].values():
            assert ours <= (theirs["counterfeits"], theirs["sse"])
    assert "staged" not in series.publish(table.iloc[40:], **QUICK).figures
    assert_verified(series)


def test_comparison_where_the_published_stages_have_no_answer(new_series: NewSeries) -> None:
    figures = new_series().publish(crowded(), policy=ELIGIBILITY, compare_staged=True, **QUICK).figures
    assert figures["staged"] == {"classic": None, "tau": None}


@pytest.mark.parametrize("counterfeits", ["balance", "eligibility"])
@pytest.mark.parametrize("method", ["tau", "two-swap", "optimise"])
def test_counterfeits_at_a_price(new_series: NewSeries, method: str, counterfeits: str) -> None:
    """Dear counterfeits are the fewest, cheap ones no fewer; either way the judge agrees."""
    everybody = people(90).assign(age=range(90))
    found = []
    for price in (None, 1e6, 0.5):
        series = new_series(m=3)
        series.publish(everybody.iloc[:50], **QUICK)
        policy = Policy(counterfeits, price)
        found.append(series.publish(everybody.iloc[10:], policy=policy, method=method, **QUICK).counterfeits)
        assert_verified(series)
    fewest, dear, cheap = found
    assert dear == fewest <= cheap


@pytest.mark.parametrize("policy", [Policy("eligibility", 0.5), Policy("balance", deletions=4)], ids=str)
def test_same_bytes_for_the_same_key(
    new_series: NewSeries, monkeypatch: pytest.MonkeyPatch, policy: Policy
) -> None:
    monkeypatch.setattr("minv.series.folder.secrets.token_bytes", lambda size: b"k" * size)
    contents = []
    for workers in (1, 2):
        series = new_series()
        for table in (crowded(), pd.concat([crowded().iloc[3:], people(30).iloc[8:]])):
            series.publish(table, policy=policy, effort=1, workers=workers)
        names = [path.relative_to(series.path) for path in series.path.rglob("release-*.parquet")]
        contents.append({name: (series.path / name).read_bytes() for name in names})
    assert len(contents[0]) == 4
    assert contents[0] == contents[1]


def test_classes_of_exactly_m(new_series: NewSeries) -> None:
    """Two of eleven persons wait for the second release, where they join old classes."""
    series = new_series(m=3, max_class_size=3)
    with pytest.raises(InfeasibleError, match="into classes of 3 to 3 members"):
        series.publish(people(11), **QUICK)
    first = series.publish(people(11), policy=Policy(deletions=2), **QUICK)
    assert (first.figures["rows"], first.figures["deleted"]) == (9, 2)
    second = series.publish(people(11), **QUICK)
    assert second.figures["rows"] == 11
    assert_verified(series)
