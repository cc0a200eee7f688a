"""Inputs that would make a series look safer than it is."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from minv_verifiers import InputError, Status, UsageError, testing, verify
from minv_verifiers.api import attack
from minv_verifiers.attacks import attacker
from minv_verifiers.attacks.attacker import Knowledge
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.spelling import plain_spelling

ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": "disease", "person": "id", "m": 2}


def release(ids: list[Any], values: str, **columns: Any) -> pd.DataFrame:
    """One class, a letter of `values` a row."""
    return pd.DataFrame({"id": ids, "age": "20-30", "disease": list(values), **columns})


@pytest.mark.parametrize("others", [["a ", "b"], ["\u200ba", "b"], ["\uff41", "b"]])
def test_ids_with_blanks_or_in_another_unicode_form_are_refused(others: list[str]) -> None:
    """`a` and `a ` would pass for two people, whose signatures nobody compares."""
    with pytest.raises(InputError, match="1 id is the same as another id in a different spelling"):
        verify([release(["a", "b"], "xy"), release(others, "xz")], **ROLES)


def test_long_ids_are_told_apart() -> None:
    """Ids of 17 digits that are one float are two people."""
    assert verify(release(["12345678901234567", "12345678901234568"], "xy"), **ROLES).passed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("7", "007"),
        ("7", "7.0"),
        ("7", "+7"),
        ("-7", "-07.00"),
        ("0", "-0"),
        ("1.5", "01.50"),
        ("120", "1.2e2"),
        ("A b", " A  b"),
        ("a", "a\u00ad"),
    ],
)
def test_spellings_of_one_value(one: str, other: str) -> None:
    """Zeros, signs, exponents, blanks and invisible characters make no other value."""
    assert plain_spelling(one) == plain_spelling(other)


@pytest.mark.parametrize(
    ("one", "other"), [("7", "70"), ("7", "-7"), ("1.5", "15"), ("1e400", "1e401"), ("a", "A"), ("7a", "07a")]
)
def test_spellings_of_two_values(one: str, other: str) -> None:
    """What a reader tells apart stays apart."""
    assert plain_spelling(one) != plain_spelling(other)


def test_ids_that_differ_in_case_are_named() -> None:
    """They may be two people; the reader is told."""
    report = verify([release(["a", "b"], "xy"), release(["A", "b"], "xy")], **ROLES)
    assert (
        "column id: 1 id differs from another only in case; such ids are taken for other people"
        in report.notes
    )


def test_a_series_without_a_common_id_is_named() -> None:
    """Where nobody is published twice, m-invariance holds of nobody."""
    apart = [release([1, 2], "xy"), release([3, 4], "xz")]
    text = "column id: no id occurs in two releases, so no signature was compared with another"
    assert text in verify(apart, **ROLES).notes
    assert text not in verify([apart[0], release([2, 3], "xy")], **ROLES).notes
    assert text not in verify(apart[0], **ROLES).notes


def test_counterfeits_with_ids_are_named() -> None:
    """A row marked as a counterfeit is nobody's, whatever its id."""
    report = verify(release([1, 2], "xy", fake=[True, False]), counterfeit="fake", **ROLES)
    assert "column id: 1 row marked as a counterfeit has an id; it is not followed" in report.notes


def test_rows_without_a_link_leave_invariance_open() -> None:
    """A link file that knows half of the people establishes nothing about the others."""
    bare = [release([1, 2], "xy").drop(columns="id"), release([1, 2], "xz").drop(columns="id")]
    nobody = pd.DataFrame({"id": ["9"], "row": [1]})
    report = verify(bare, links=[nobody.head(0), nobody.head(0)], **ROLES)
    assert (report.verdict, report.exit_code) == ("not checkable", 3)
    assert {one.rule for one in report.unjudged} == {"m-invariance", "tau-safety"}
    assert "2 rows of release 1 have no id" in report.outcome("tau-safety").reason
    some = verify(bare, links=[nobody, nobody], **ROLES)
    assert some.outcome("tau-safety").status is Status.VIOLATED
    assert "1 row of release 1" in some.outcome("tau-safety").reason


def test_rows_without_a_link_may_be_declared_counterfeits() -> None:
    """Marked or counted, they need no person, as far as the count goes."""
    bare = release([1, 2], "xy", group=1).drop(columns="id")
    links = [pd.DataFrame({"id": ["9"], "row": [1]})] * 2
    options = {**ROLES, "links": links, "class_id": "group"}
    counted = [pd.DataFrame({"group": [1], "count": [1]})] * 2
    assert verify([bare, bare], counterfeit_counts=counted, **options).passed
    marked = bare.assign(fake=[False, True])
    assert verify([marked, marked], counterfeit="fake", **options).passed
    elsewhere = [pd.DataFrame({"group": [2], "count": [1]})] * 2
    report = verify([bare, bare], counterfeit_counts=elsewhere, **options)
    assert report.outcome("tau-safety").status is Status.NOT_CHECKABLE


@pytest.mark.parametrize("model", ["m-invariant", "equal-or-disjoint"])
def test_every_model_over_releases_needs_everybody(model: Any) -> None:
    """No rule over releases passes while a row may be anybody's."""
    bare = release([1, 2], "xy").drop(columns="id")
    links = [pd.DataFrame({"id": ["9"], "row": [1]})] * 2
    report = verify([bare, bare], links=links, model=model, **ROLES)
    assert report.verdict == "not checkable"
    assert {one.rule for one in report.unjudged} == set(report.claimed) - {"m-unique"}


def test_people_of_a_pair_need_ids() -> None:
    """In the first table of an anatomy-style pair every row is a person."""
    people = pd.DataFrame({"id": ["1", None], "age": 20, "group": 1})
    values = pd.DataFrame({"group": 1, "disease": ["x", "y"]})
    with pytest.raises(InputError, match="column id: 1 row has no id"):
        verify(people, sensitive_tables=[values], class_id="group", **ROLES)


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        ({"ward": ["n", "s", "s"]}, (2, 3)),
        ({"weight": [1, 1, 2]}, (3,)),
        ({"note": [None, None, "x"]}, (3,)),
    ],
)
def test_columns_without_a_role_are_warned_of(columns: dict[str, Any], rows: tuple[int, ...]) -> None:
    """A ward beside the quasi-identifiers ties rows to people; one that is constant in each class does not."""
    report = verify(release([1, 2, 3], "xyz", **columns), **ROLES)
    outcome = report.outcome("columns-without-role")
    assert outcome.status is Status.WARNING
    assert [(one.column, one.rows, one.size) for one in outcome.witnesses] == [
        (next(iter(columns)), rows, len(rows))
    ]
    constant = verify(release([1, 2, 3], "xyz", ward="n"), **ROLES)
    assert constant.outcome("columns-without-role").status is Status.PASSED


def test_what_has_no_quasi_identifier_is_not_passed() -> None:
    """With a class column alone no rule on cells is evaluated."""
    frame = release([1, 2], "xy", group=1)
    original = frame[["id", "disease"]]
    report = verify(
        frame, class_id="group", sensitive="disease", person="id", m=2, tables=[original], model="m-unique"
    )
    for rule in ("quasi-identifiers-equal", "class-cells-distinct", "suppressed-rows", "cells-contain-truth"):
        assert report.outcome(rule).reason == "no quasi-identifier was named (--qi)"


def test_suppressed_sensitive_values_and_empty_releases_are_named() -> None:
    """A star protects nobody, a release without rows breaks nothing: both are said."""
    report = verify(release([1, 2], "x*"), **ROLES)
    assert report.violated == ("m-unique",)
    assert any("1 sensitive value is missing, empty or suppressed" in note for note in report.notes)
    assert any("no rows" in note for note in verify(release([], ""), **ROLES).notes)


@pytest.mark.parametrize(
    "option", [{"l_distinct": 3}, {"sensitive": "disease"}, {"links": ["x.csv"]}, {"m": 3}]
)
def test_a_claim_about_a_series_is_not_dropped(good_series: Path, option: dict[str, Any]) -> None:
    """What is asked of a series folder and would not be looked at is refused."""
    with pytest.raises(UsageError, match="states its own roles and claims: leave out"):
        verify(good_series, **option)


def test_a_series_folder_is_asserted(good_series: Path) -> None:
    """The assertions take a folder, as the guide shows; without its private part tau-safety is no success."""
    assert testing.assert_tau_safe(good_series).claims.model == "tau-safe"
    testing.assert_m_unique(str(good_series))
    with pytest.raises(AssertionError, match="no-return"):
        testing.assert_m_invariant(good_series)
    with pytest.raises(AssertionError, match="not checkable tau-safety"):
        testing.assert_tau_safe(good_series, public_only=True)


def test_a_finding_before_a_missing_file_counts(builder: Any, tmp_path: Path) -> None:
    """What release 1 breaks is reported although the private file of release 3 is gone."""
    root = builder.build(tmp_path / "series", builder.good_plans())
    rows = builder.read_private(root, 1)
    rows[0]["sensitive" if "sensitive" in rows[0] else "disease"] = "mumps"
    builder.replace_private(root, 1, rows)
    (root / "private" / "release-0003.parquet").unlink()
    outcome = verify(root).outcome("sensitive-truthful")
    assert outcome.status is Status.VIOLATED
    assert outcome.reason == "the private file of release 3 cannot be read"


def test_an_attack_on_some_of_the_people_is_no_success() -> None:
    """Nothing is inferred about people whom the attack does not know to be there."""
    bare = release([1, 2], "xy").drop(columns="id")
    some, everybody = ([pd.DataFrame({"id": ["9", "8"][:n], "row": [1, 2][:n]})] * 2 for n in (1, 2))
    report = attack([bare, bare], links=some, **ROLES)
    assert report.exit_code == 3
    assert "1 row of release 1 has no id" in report.not_run[0]
    assert attack([bare, bare], links=everybody, **ROLES).exit_code == 0


def test_a_level_of_the_guarantee_that_did_not_run_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    """Level 2 alone does not stand for levels 0 and 1."""

    def too_many(*_: Any) -> Any:
        raise NotCheckable("too many worlds")

    monkeypatch.setitem(attacker._RUN, 1, too_many)
    frames = [release([1, 2], "xy")] * 2
    assert attack(frames, Knowledge(levels=(1, 2)), **ROLES).exit_code == 3
    assert attack(frames, Knowledge(levels=(0, 2)), **ROLES).exit_code == 0
