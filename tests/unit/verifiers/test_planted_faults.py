"""Good series, each broken in one way: exactly the rules that it breaks report it, with the right witness."""

from pathlib import Path
from types import ModuleType

import pytest
from planted_faults import DOMAIN, FAULTS, Fault, disjoint_plans

from minv_verifiers import Status, verify


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.name)
def test_exactly_the_broken_rules_report_it(case: Fault, builder: ModuleType, tmp_path: Path) -> None:
    """Each planted fault is caught by the rules it breaks, by no other, with the right witness."""
    root = tmp_path / "series"
    case.make(builder, root)
    report = verify(root, public_only=case.public_only)
    assert set(report.violated) == set(case.rules)
    assert {outcome.rule for outcome in report.having(Status.WARNING)} == set(case.warnings)
    assert report.exit_code == (1 if case.rules else 0)
    if case.rules:
        first = report.outcome(case.rules[0]).witnesses[0]
        assert {key: getattr(first, key) for key in case.witness} == case.witness


def test_the_good_series_passes_every_rule(good_series: Path) -> None:
    """Nothing is reported about the series that the faults are planted into."""
    report = verify(good_series)
    assert report.violated == ()
    assert report.having(Status.WARNING) == ()
    unclaimed = {"published-loss", "loss-as-claimed"}
    assert {outcome.rule for outcome in report.having(Status.NOT_CHECKABLE)} == unclaimed
    assert report.mode == "custodian"


def test_disjoint_signatures_are_accepted_where_declared(builder: ModuleType, tmp_path: Path) -> None:
    """An update out of the signature under a disjoint one, and the return of the old value, are fine."""
    report = verify(
        builder.build(tmp_path / "series", disjoint_plans(builder), on_update="disjoint", domain=DOMAIN)
    )
    assert report.violated == ()
    assert report.outcome("equal-or-disjoint").status is Status.PASSED


def test_every_rule_of_a_series_has_three_planted_faults() -> None:
    """The corpus breaks each rule in at least three ways."""
    from minv_verifiers.rules import RULES

    elsewhere = {
        "k-anonymity",
        "distinct-l-diversity",
        "entropy-l-diversity",
        "suppressed-rows",
        "columns-without-role",
        "loss-as-claimed",
        "intervals-declared",
        "intervals-smallest",
    }
    counts = {name: 0 for name in RULES if name not in elsewhere}
    for case in FAULTS:
        for name in (*case.rules, *case.warnings):
            counts[name] += 1
    assert {name: count for name, count in counts.items() if count < 3} == {}
