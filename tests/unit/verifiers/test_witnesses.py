"""What the rules say beside the verdict: sizes, places, and that each says so where it cannot judge."""

import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from minv_verifiers import Status, verify
from minv_verifiers.api import read
from minv_verifiers.dossier import Dossier
from minv_verifiers.rules import RULES

ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": "disease", "person": "id", "m": 2}
DOMAIN = ["ache", "cold", "flu", "gout", "mumps", "rash"]


def release(ids: list[Any], values: str, **columns: Any) -> pd.DataFrame:
    """One class, a letter of `values` a row."""
    return pd.DataFrame({"id": ids, "age": "20-30", "disease": list(values), **columns})


def only(report: Any, rule: str) -> Any:
    """The one witness of a rule."""
    (witness,) = report.outcome(rule).witnesses
    return witness


# The shape of witnesses -----------------------------------------------------------------------------------------


def test_sizes_of_shape_rules() -> None:
    """Sizes count what is too much, and the first class stands for those with equal cells."""
    frame = pd.DataFrame(
        {"group": [1, 1, 2, 2, 3, 3], "age": "20", "disease": ["flu", "Flu", "FLU", "flu", "flu", "Flu"]}
    )
    report = verify(frame, class_id="group", quasi_identifiers=["age"], sensitive="disease", m=2)
    equal = only(report, "class-cells-distinct")
    assert (equal.size, equal.class_id, equal.message) == (2, "1", "3 classes have equal quasi-identifiers")
    assert only(report, "near-synonyms").size == 2


def test_sizes_of_losses_and_entropy() -> None:
    """By how much a claimed loss and the entropy of a class are off."""
    frame = pd.DataFrame({"id": range(4), "age": ["20-24"] * 2 + ["40-60"] * 2, "disease": list("xyxy")})
    original = frame.assign(age=[20, 24, 40, 60])
    il = verify(frame, tables=[original], **ROLES).measures[0].il
    assert il is not None
    found = only(verify(frame, tables=[original], claimed_il=[il + 2], **ROLES), "loss-as-claimed")
    assert found.size == pytest.approx(2)
    entropy = only(
        verify(release([1, 2, 3, 4], "xxyy"), **{**ROLES, "model": "k-anonymous"}, l_entropy=4),
        "entropy-l-diversity",
    )
    assert entropy.size == pytest.approx(math.log(2))


def test_a_recorded_loss_is_off_by_its_size(builder: ModuleType, tmp_path: Path) -> None:
    """The size of a wrong record is the difference."""
    root = builder.build(tmp_path / "series", builder.good_plans()[:1], domain=DOMAIN)
    path = root / "private" / "quality-0001.json"
    text = path.read_text()
    quality = pd.read_json(pa.BufferReader(text.encode()), typ="series")
    path.write_text(text.replace(repr(float(quality["il"])), repr(float(quality["il"]) + 3)))
    assert only(verify(root), "loss-recomputed").size == pytest.approx(3)


def test_a_declared_counterfeit_explains_one_row() -> None:
    """Two rows without an original and one counterfeit declared: one too many."""
    frame = release(["1", "x", "y"], "abc", group=1)
    original = pd.DataFrame({"id": ["1"], "age": [20], "disease": ["a"]})
    declared = pd.DataFrame({"group": [1], "count": [1]})
    report = verify(frame, class_id="group", tables=[original], counterfeit_counts=[declared], **ROLES)
    assert only(report, "nobody-invented").size == 1


@pytest.mark.parametrize(("releases", "more"), [(10, False), (11, True)])
def test_long_careers_are_cut_after_ten_places(releases: int, more: bool) -> None:
    """Ten releases are listed, an eleventh is indicated."""
    first = release([1, 2], "xy")
    report = verify([first] * (releases - 1) + [release([1, 2], "xz")], **ROLES)
    message = report.outcome("tau-safety").witnesses[0].message
    assert "release 10 row 1" in message
    assert "release 11" not in message
    assert message.endswith(", ...)") is more


# Not checkable ------------------------------------------------------------------------------------------------------


def test_rules_on_values_need_the_sensitive_column() -> None:
    """Without a sensitive column a k-anonymous release is judged, its values are not."""
    frame = release([1, 2], "xy")
    options = {**ROLES, "sensitive": None, "model": "k-anonymous", "l_distinct": 2, "l_entropy": 2.0}
    report = verify(frame, tables=[frame.assign(age=[20, 30])], **options)
    for rule in ("distinct-l-diversity", "entropy-l-diversity", "sensitive-truthful", "near-synonyms"):
        assert report.outcome(rule).reason == "no sensitive column was named (--sensitive)"
    assert report.verdict == "not checkable"


@pytest.mark.parametrize("rule", ["distinct-l-diversity", "entropy-l-diversity"])
def test_diversity_needs_its_parameter(rule: str) -> None:
    """Asked without a parameter the rule is not passed."""
    outcome = RULES[rule].check(Dossier(read(release([1, 2], "xy"), **ROLES)))
    assert outcome.status is Status.NOT_CHECKABLE


def test_a_lost_quality_leaves_its_rules_open(good_series: Path) -> None:
    """Without the record nothing can be compared with it."""
    (good_series / "private" / "quality-0002.json").unlink()
    report = verify(good_series)
    assert report.violated == ("private-readable",)
    for rule in ("loss-recomputed", "counts-recorded"):
        assert report.outcome(rule).reason == "the recorded quality of release 2 cannot be read"


def test_disjoint_series_resume_nothing(builder: ModuleType, tmp_path: Path) -> None:
    """Where updates go under disjoint signatures the rule on resuming does not apply."""
    root = builder.build(tmp_path / "series", builder.good_plans()[:2], domain=DOMAIN, on_update="disjoint")
    assert verify(root).outcome("suppressed-resume").status is Status.NOT_CHECKABLE


def test_a_manifest_without_roles_leaves_the_columns_open(builder: ModuleType, good_series: Path) -> None:
    """What the columns should be is in the manifest."""
    manifest = builder.read_manifest(good_series)
    del manifest["minv"]["sensitive"]
    builder.write_manifest(good_series, manifest)
    report = verify(good_series)
    assert "manifest-schema" in report.violated
    assert report.outcome("public-columns").status is Status.NOT_CHECKABLE


# Series folders -----------------------------------------------------------------------------------------------------


def test_the_first_person_may_be_the_suppressed_one(builder: ModuleType, tmp_path: Path) -> None:
    """Whoever comes first in the files is suppressed wrongly like anybody else."""
    plans = builder.good_plans()[:2]
    plans[1].rows[0].group, plans[1].rows[0].status = None, "suppressed"
    plans[1].counterfeits.append(("a", "flu"))
    row = builder.Row("2", ("24", "f"), "gout", "a")
    plans[1].rows.append(row)
    plans[1].counterfeits.remove(("a", "gout"))
    report = verify(builder.build(tmp_path / "series", plans, domain=DOMAIN))
    assert report.violated == ("suppressed-justified",)


def test_the_domain_is_that_of_the_time(builder: ModuleType, tmp_path: Path) -> None:
    """A value that first occurs after the suppression did not make the absence less telling."""
    plans = builder.good_plans()
    for plan in plans[1:]:  # until then nobody has a value beside those of the domain
        next(row for row in plan.rows if row.person == "8").sensitive = "ache"
    plans[2].rows += [
        builder.Row("10", ("70", "m"), "mumps", "e"),
        builder.Row("11", ("71", "m"), "scurvy", "e"),
    ]
    root = builder.build(tmp_path / "series", plans, domain=["ache", "cold", "flu", "gout"])
    found = only(verify(root), "absence-uninformative")
    assert (found.release, found.message) == (2, "a suppression leaves 1 possible value, fewer than m = 2")


@pytest.mark.parametrize(("kind", "mode"), [("folder", 0o701), ("file", 0o601), ("file", 0o700)])
def test_nobody_else_may_enter(good_series: Path, kind: str, mode: int) -> None:
    """The last bit of the mode counts too."""
    path = good_series / "private" / ("" if kind == "folder" else "key")
    path.chmod(mode)
    assert verify(good_series).violated == ("private-permissions",)


def test_a_row_of_the_history_is_named(builder: ModuleType, good_series: Path) -> None:
    """A person whom the files do not know is shown by id and row."""
    path = good_series / "private" / "history-0003.parquet"
    table = pq.read_table(path).to_pandas()
    extra = table.iloc[[0]].assign(id="nobody")
    pq.write_table(pa.Table.from_pandas(pd.concat([table, extra]), preserve_index=False), path)
    path.chmod(0o600)
    found = only(verify(good_series), "history-recorded")
    assert found.raw == {"row": len(table) + 1, "id": "nobody"}


def test_class_ids_that_are_none_are_told_once(builder: ModuleType, tmp_path: Path) -> None:
    """Ids beyond any number of classes, or out of order, give one finding and no guess at their order."""
    for number, ids in enumerate((["9", "8", "7"], ["9" * 19, "2", "1"], ["0", "2", "1"])):
        root = builder.build(
            tmp_path / str(number), builder.good_plans()[:1], domain=DOMAIN, release_format="csv"
        )
        path = root / "public" / "release-0001.csv"
        header, *lines = path.read_text().splitlines()
        changed = [ids[int(line[0]) - 1] + line[1:] for line in lines]
        path.write_text("\n".join([header, *changed]) + "\n")
        assert only(verify(root, public_only=True), "class-order").message == "the class ids are not 1..3"


def _with_other_column(builder: ModuleType, root: Path, wards: list[str]) -> None:
    columns = builder.read_release(root, 1)
    columns["ward"] = wards
    builder.replace_release(root, 1, columns)
    manifest = builder.read_manifest(root)
    manifest["minv"]["other"] = ["ward"]
    builder.write_manifest(root, manifest)


def test_other_columns_are_constant_in_each_class(builder: ModuleType, tmp_path: Path) -> None:
    """A column with one value a class breaks nothing; the witness names class and rows of one that varies."""
    for wards in (list("aabbccc"), list("abbbcbd")):
        root = builder.build(tmp_path / "".join(wards), builder.good_plans()[:1], domain=DOMAIN)
        _with_other_column(builder, root, wards)
        outcome = verify(root, public_only=True).outcome("other-columns-constant")
        told = [(one.class_id, one.rows) for one in outcome.witnesses]
        assert told == ([] if wards == list("aabbccc") else [("1", (2,)), ("3", (6, 7))])


def _rewrite(builder: ModuleType, root: Path, change: Any) -> Any:
    path = root / "public" / "release-0001.parquet"
    pq.write_table(change(pq.read_table(path)), path, use_dictionary=False, store_schema=False)
    builder.restamp(root, 1)
    return verify(root, public_only=True)


def test_nulls_in_a_release_are_counted(builder: ModuleType, good_series: Path) -> None:
    """A null is no spelling of a missing value."""

    def blank(table: pa.Table) -> pa.Table:
        values = table["disease"].to_pylist()
        return table.set_column(table.column_names.index("disease"), "disease", pa.array([None, *values[1:]]))

    report = _rewrite(builder, good_series, blank)
    messages = [one.message for one in report.outcome("parquet-plain").witnesses]
    assert messages == ["column disease has 1 nulls"]


def test_numbers_of_fields_are_no_metadata(builder: ModuleType, good_series: Path) -> None:
    """Readers add field ids by themselves; anything else is a finding."""

    def number(table: pa.Table) -> pa.Table:
        fields = [
            field.with_metadata({b"PARQUET:field_id": str(place).encode()})
            for place, field in enumerate(table.schema, start=1)
        ]
        return table.cast(pa.schema(fields))

    assert _rewrite(builder, good_series, number).outcome("parquet-plain").status is Status.PASSED


def test_a_published_loss_that_is_text(builder: ModuleType, good_series: Path) -> None:
    """It breaks the schema; the rule on its value has nothing to compare."""
    manifest = builder.read_manifest(good_series)
    manifest["resources"][0]["minv"]["il"] = "1.2"
    builder.write_manifest(good_series, manifest)
    report = verify(good_series)
    assert "manifest-schema" in report.violated
    assert report.outcome("published-loss").status is not Status.VIOLATED


def test_returns_are_counted_in_lifespans() -> None:
    """Three lifespans are two returns."""
    here, away = release([1, 2], "xy"), release([3, 4], "xy")
    report = verify([here, away, here, away, here], **{**ROLES, "model": "m-invariant"})
    sizes = {one.raw["id"]: one.size for one in report.outcome("no-return").witnesses}
    assert sizes == {"1": 2, "2": 2, "3": 1, "4": 1}


def test_signatures_of_many_sizes_are_told_apart() -> None:
    """Random classes: two have one signature exactly where their sets of values are equal."""
    rng = np.random.default_rng(1)
    frames = [
        pd.DataFrame({"age": rng.integers(0, 8, 30), "disease": rng.choice(list("abcd"), 30)})
        for _ in range(9)
    ]
    evidence = read(frames, quasi_identifiers=["age"], sensitive="disease", m=1)
    dossier = Dossier(evidence)
    seen: dict[int, tuple[str, ...]] = {}
    for frame, own, table in zip(frames, dossier.signatures.of_class, evidence.tables, strict=True):
        for row, values in enumerate(
            frame.groupby("age", sort=False)["disease"].agg(lambda one: sorted(set(one)))
        ):
            number = int(own[row])
            assert dossier.signature(number) == tuple(values) == seen.setdefault(number, tuple(values))
        assert len(own) == len(table.class_ids)
    assert len(set(seen.values())) == len(seen) == dossier.signatures.count
