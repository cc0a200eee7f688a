"""A sensitive value that is missing protects nobody, in the rules and in the attack, unless it is declared a value."""

import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv_verifiers import Status, verify
from minv_verifiers.api import attack
from minv_verifiers.attacks.attacker import LEVELS, Knowledge
from minv_verifiers.cli import main

ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": "disease", "person": "id", "m": 2}
NOTHING = [None, float("nan"), pd.NA, "", "  ", "*", "\\N"]


def frame_of(*classes: list[Any]) -> pd.DataFrame:
    """One class for each list of sensitive values."""
    rows = [(place, value) for place, values in enumerate(classes) for value in values]
    return pd.DataFrame(
        {
            "id": range(len(rows)),
            "age": [str(place) for place, _ in rows],
            "disease": pd.Series([value for _, value in rows], dtype=object),
        }
    )


@pytest.mark.parametrize("nothing", NOTHING, ids=repr)
def test_a_missing_value_is_no_second_value(nothing: Any) -> None:
    """HIV beside nothing is not 2-unique; declared a value it is."""
    frame = frame_of(["HIV", nothing], ["flu", "gout"])
    report = verify(frame, **ROLES, l_distinct=2, l_entropy=2)
    assert report.violated == ("m-unique", "distinct-l-diversity", "entropy-l-diversity")
    few, valueless = report.outcome("m-unique").witnesses
    assert (few.class_id, few.size, few.message) == (
        "1",
        1,
        "1 tuple with a sensitive value, fewer than m = 2",
    )
    assert (valueless.class_id, valueless.size, valueless.rows) == ("1", 1, (2,))
    assert [one.class_id for one in report.outcome("distinct-l-diversity").witnesses] == ["1"]
    assert (report.measures[0].distinct_l, report.measures[0].entropy_l) == (1, 1.0)
    assert verify(frame, **ROLES, missing_is_value=True, l_distinct=2, l_entropy=2).passed


def test_enough_other_values_do_not_make_up_for_it() -> None:
    """The missing value may repeat one of the others: the class is not known to be 2-unique, though 2-diverse."""
    report = verify(frame_of(["HIV", "flu", None]), **ROLES, l_distinct=2)
    assert report.violated == ("m-unique",)
    (only,) = report.outcome("m-unique").witnesses
    assert "tell it from the others" in only.message
    assert verify(frame_of(["HIV", "flu", None]), **ROLES, l_distinct=3).violated == (
        "m-unique",
        "distinct-l-diversity",
    )


def test_a_class_of_missing_values_has_one_value() -> None:
    """They may all be the same."""
    report = verify(frame_of([None, None], ["a", "b"]), **ROLES, l_distinct=1, l_entropy=1)
    assert report.violated == ("m-unique",)
    assert (report.measures[0].distinct_l, report.measures[0].entropy_l) == (1, 1.0)


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=5), min_size=1, max_size=3)
)
def test_diversities_are_the_least_over_all_completions(classes: list[list[str | None]]) -> None:
    """By brute force: whatever the missing values are, the class is at least so diverse, and may be no more."""
    import itertools

    measured = verify(frame_of(*classes), **ROLES).measures[0]
    distinct, entropy = [], []
    for values in classes:
        unknown = values.count(None)
        known = [value for value in values if value is not None]
        for filled in itertools.product("abcd", repeat=unknown):
            shares = np.unique([*known, *filled], return_counts=True)[1] / len(values)
            distinct.append(len(shares))
            entropy.append(math.exp(-(shares * np.log(shares)).sum()))
    assert measured.distinct_l == min(distinct)
    assert measured.entropy_l == pytest.approx(min(entropy))


@pytest.mark.parametrize("model", ["m-invariant", "tau-safe", "equal-or-disjoint"])
def test_signatures_with_a_missing_value_are_not_known_to_be_equal(model: Any) -> None:
    """The same person beside nothing in two releases: what is missing may have changed."""
    frame = frame_of(["HIV", "flu", None])
    report = verify([frame, frame], **ROLES, model=model)
    assert report.violated == ("m-unique",)
    for rule in set(report.claimed) - {"m-unique", "no-return"}:
        outcome = report.outcome(rule)
        assert outcome.status is Status.NOT_CHECKABLE
        assert "1 row of release 1 has no sensitive value" in outcome.reason
    assert verify([frame, frame], **ROLES, model=model, missing_is_value=True).passed


def test_the_attack_does_not_count_it() -> None:
    """No level runs, so that no confidence is understated, and that is no success; declared, all go by the values."""
    frame = frame_of(["HIV", None], ["flu", "gout"])
    report = attack([frame, frame], Knowledge(levels=tuple(LEVELS)), **ROLES)
    assert report.inferences == ()
    assert set(report.not_run) == set(LEVELS)
    assert report.exit_code == 3
    declared = attack([frame, frame], missing_is_value=True, **ROLES)
    assert declared.exit_code == 0
    assert declared.level(0).worst == pytest.approx(0.5)


def test_what_is_assumed_is_said() -> None:
    """The number of such values and what they count as stand before the rules."""
    frame = frame_of(["HIV", None], ["flu", "*"])
    assert any(
        "2 sensitive values are missing, empty or suppressed, which may hide any" in note
        for note in verify(frame, **ROLES).notes
    )
    declared = verify(frame, **ROLES, missing_is_value=True)
    assert any("2 sensitive values" in note and "like any other" in note for note in declared.notes)
    assert not any("sensitive values" in note for note in verify(frame_of(["a", "b"]), **ROLES).notes)


def test_k_anonymity_does_not_look_at_it() -> None:
    """k counts people, whatever their sensitive value is."""
    assert verify(frame_of([None, None]), **ROLES, model="k-anonymous").passed


@pytest.mark.parametrize("declare", ["option", "file", "not at all"])
def test_the_command_line(declare: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option and the key of the configuration file declare missing values a value."""
    monkeypatch.chdir(tmp_path)
    frame_of(["HIV", ""], ["flu", "gout"]).to_csv("table.csv", index=False)
    if declare == "file":
        Path("minv-verify.toml").write_text("missing-is-value = true\n")
    arguments = ["table.csv", "--qi", "age", "--sensitive", "disease", "--m", "2"]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, *(["--missing-is-value"] if declare == "option" else [])])
    assert (ended.value.code or 0) == (1 if declare == "not at all" else 0)


def test_an_undeclared_missing_value_in_a_series(builder: ModuleType, tmp_path: Path) -> None:
    """In a series the settings declare it; without that it protects nobody, and the public part says so."""
    plans = builder.good_plans()
    old = plans[0].rows[0].sensitive
    for plan in plans:
        for row in plan.rows:
            row.sensitive = None if row.sensitive == old else row.sensitive
        plan.counterfeits = [(group, None if value == old else value) for group, value in plan.counterfeits]
    declared = builder.build(tmp_path / "declared", plans, missing={"disease": "category"})
    assert verify(declared).violated == ()
    silent = builder.build(tmp_path / "silent", plans)
    report = verify(silent)
    assert report.violated == ("m-unique", "absence-uninformative")  # the domain has one value fewer
    assert {one.rule for one in report.unjudged} >= {"m-invariance", "tau-safety"}
    public = verify(silent, public_only=True)
    assert public.violated == ()
    assert any("sensitive values are missing" in note for note in public.notes)
