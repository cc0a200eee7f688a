r"""The text ``\N`` beside a missing value, which our format writes so: nothing takes the one for the other."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from minv_verifiers import Status, verify
from minv_verifiers.api import attack
from minv_verifiers.attacks.attacker import Knowledge
from minv_verifiers.vocabulary import name_of

SIGN = "\\N"
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": "disease", "person": "id", "m": 2}
CATEGORY = {"disease": "category"}


def test_names_are_different() -> None:
    values = [None, "N", *("\\" * count + "N" for count in range(1, 5)), "\\NN", "a\\N", "\\N\n"]
    assert len({name_of(value) for value in values}) == len(values)
    assert (name_of(None), name_of(SIGN), name_of("a\\N")) == ("\\N", "\\\\N", "a\\N")


def series(builder: ModuleType, root: Path, **options: Any) -> Path:
    """Classes of which one has a missing value where the other has the text."""
    plan = [
        builder.Row("1", ("20", "m"), None, "a"),
        builder.Row("2", ("24", "f"), "x", "a"),
        builder.Row("3", ("40", "m"), SIGN, "b"),
        builder.Row("4", ("44", "f"), "x", "b"),
        builder.Row("5", ("60", "f"), "\\\\N", "c"),
        builder.Row("6", ("64", "f"), "x", "c"),
    ]
    return builder.build(root, [builder.Plan(plan), builder.Plan(plan)], missing=CATEGORY, **options)


def test_a_true_series_is_called_true(builder: ModuleType, tmp_path: Path) -> None:
    folder = series(builder, tmp_path / "series")
    original = pd.DataFrame(
        {
            "person": list("123456"),
            "age": [20, 24, 40, 44, 60, 64],
            "sex": list("mfmfff"),
            "disease": [None, "x", SIGN, "x", "\\\\N", "x"],
        }
    )
    report = verify(folder, tables=[original, original])
    assert report.violated == ()
    for rule in ("m-unique", "tau-safety", "history-recorded", "sensitive-truthful", "cells-canonical"):
        assert report.outcome(rule).status is Status.PASSED, rule
    changed = original.assign(disease=[SIGN, "x", None, "x", "\\\\N", "x"])
    assert verify(folder, tables=[original, changed]).violated == ("sensitive-truthful",)


def test_the_history_tells_the_one_from_the_other(builder: ModuleType, tmp_path: Path) -> None:
    folder = series(builder, tmp_path / "series")
    path = folder / "private" / "history-0002.parquet"
    rows = pq.read_table(path).to_pylist()
    (row,) = (row for row in rows if row["id"] == "1")
    assert json.loads(row["signature"]) == [None, "x"]
    row["signature"] = json.dumps([SIGN, "x"])
    pq.write_table(pa.Table.from_pylist(rows), path)
    path.chmod(0o600)
    assert verify(folder).violated == ("history-recorded",)


def test_a_signature_changes_from_the_one_to_the_other(builder: ModuleType, tmp_path: Path) -> None:
    people = [("1", None), ("2", "x"), ("3", "y"), ("4", SIGN)]
    first, second = (
        builder.Plan(
            [
                builder.Row(person, ("20", "m"), value, group)
                for (person, value), group in zip(people, groups, strict=True)
            ],
            counterfeits,
        )
        for groups, counterfeits in (("aabb", []), ("abba", [("b", "y")]))
    )
    second.rows = [row for row in second.rows if row.person != "3"]
    folder = builder.build(tmp_path / "series", [first, second], missing=CATEGORY)
    assert {"m-invariance", "tau-safety"} <= set(verify(folder).violated)


@pytest.mark.parametrize("value", [None, SIGN])
def test_an_absence_leaves_the_other(builder: ModuleType, tmp_path: Path, value: str | None) -> None:
    """Of four values two were told; a missing value and the text are one each."""
    first = builder.Plan(
        [builder.Row("1", ("20", "m"), value, "a"), builder.Row("2", ("24", "f"), "x", "a")],
    )
    second = builder.Plan(
        [
            builder.Row("1", ("20", "m"), "y", None, "suppressed"),
            builder.Row("2", ("24", "f"), "x", "a"),
        ],
        [("a", value)],
    )
    folder = builder.build(
        tmp_path / "series", [first, second], missing=CATEGORY, domain=[None, SIGN, "x", "y"]
    )
    assert verify(folder).violated == ()
    found = attack(folder, Knowledge(levels=(2,))).level(2)
    assert found.worst == pytest.approx(1 / 2)
    narrow = builder.build(tmp_path / "narrow", [first, second], missing=CATEGORY, domain=[value, "x", "y"])
    assert verify(narrow).violated == ("absence-uninformative",)


def test_the_attack_knows_both_by_name() -> None:
    r"""Who knows that the text ``\N`` lasts says ``\\N``, as it is published."""
    releases = [
        pd.DataFrame({"id": range(4), "age": [1, 1, 2, 2], "disease": [SIGN, "x", None, "y"]}),
        pd.DataFrame({"id": range(4), "age": [1, 1, 2, 2], "disease": [SIGN, "z", None, "y"]}),
    ]
    worst = {
        value: attack(
            releases, Knowledge(levels=(4,), persistent=(value,)), missing_is_value=True, **ROLES
        ).level(4)
        for value in ("\\\\N", "\\N")
    }
    # Classes tell that one of 0 and 1 has the text twice; knowing that the missing value lasts says nothing of them.
    assert worst["\\\\N"].confidence[0] > worst["\\N"].confidence[0]
    assert worst["\\N"].confidence[2] > worst["\\\\N"].confidence[2]


def test_a_published_text_is_a_value_and_the_sign_is_none() -> None:
    r"""``\\N`` is the text in our format; a bare ``\N`` protects nobody, whoever wrote it."""
    frame = pd.DataFrame({"id": range(2), "age": 1, "disease": ["HIV", "\\\\N"]})
    assert verify(frame, **ROLES).passed
    assert verify(frame.assign(disease=["HIV", SIGN]), **ROLES).violated == ("m-unique",)


def test_a_level_of_that_text() -> None:
    """Beside missing values a column may have it as a level: a bare sign admits both, an escaped one the level."""
    truth = pd.DataFrame({"id": range(4), "grade": [SIGN, SIGN, None, None], "disease": list("abab")})
    roles = {**ROLES, "quasi_identifiers": [f"grade:ordinal={SIGN},mid,high"], "model": "k-anonymous"}
    for cells, rules in (
        (["\\\\N", "\\\\N", SIGN, SIGN], ()),
        ([SIGN] * 4, ()),
        (["\\\\N or \\N"] * 4, ()),
        (["[\\\\N, mid] or \\N"] * 4, ()),
        (["\\\\N"] * 4, ("cells-contain-truth",)),
        (["mid", "mid", SIGN, SIGN], ("cells-contain-truth",)),
    ):
        report = verify(truth.assign(grade=cells), tables=[truth], **roles)
        assert report.violated == rules, cells
    apart = truth.assign(grade=["\\\\N or \\N", "\\\\N", SIGN, SIGN])
    assert verify(apart, tables=[truth], **roles).violated == ("k-anonymity",)
