"""Good series, each broken in one way: exactly the rules that it breaks report it, with the right witness."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from minv_verifiers import Status, verify

DOMAIN = ["ache", "cold", "flu", "gout", "mumps", "rash"]
INVARIANCE = {"m-invariance", "tau-safety"}

Builder = ModuleType


@dataclass
class Fault:
    """A way of breaking a series.

    `make` writes the broken series; `rules` are those that must report it; `witness` are attributes of the first
    witness of the first rule.
    """

    name: str
    make: Callable[[Builder, Path], Any]
    rules: list[str]
    witness: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    public_only: bool = False


FAULTS: list[Fault] = []


def fault(
    *rules: str, warnings: tuple[str, ...] = (), public_only: bool = False, **witness: Any
) -> Callable[..., Any]:
    """Register a fault; the function's name tells what it does."""

    def register(make: Callable[[Builder, Path], Any]) -> Callable[[Builder, Path], Any]:
        FAULTS.append(Fault(make.__name__, make, list(rules), witness, warnings, public_only))
        return make

    return register


def good(b: Builder, root: Path, releases: int = 3, **options: Any) -> Path:
    """The good series, cut after so many releases."""
    return b.build(root, b.good_plans()[:releases], **{"domain": DOMAIN, **options})


def edit_json(path: Path, change: Callable[[Any], Any]) -> None:
    """Change a private JSON file in place."""
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def edit_manifest(b: Builder, root: Path, change: Callable[[Any], Any]) -> None:
    """Change the manifest in place."""
    manifest = b.read_manifest(root)
    change(manifest)
    b.write_manifest(root, manifest)


def edit_public(b: Builder, root: Path, number: int, change: Callable[[dict[str, list[Any]]], Any]) -> None:
    """Change a public release in place, checksum included."""
    columns = b.read_release(root, number)
    change(columns)
    b.replace_release(root, number, columns)


def edit_private(b: Builder, root: Path, number: int, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    """Change a private release in place."""
    rows = b.read_private(root, number)
    change(rows)
    b.replace_private(root, number, rows)


def set_cell(
    column: str, old: str, new: str, *, whole_class: bool = True
) -> Callable[[dict[str, list[Any]]], None]:
    """Replace a cell on its rows, or on the last of them alone."""

    def change(columns: dict[str, list[Any]]) -> None:
        places = [place for place, text in enumerate(columns[column]) if text == old]
        assert places
        for place in places if whole_class else places[-1:]:
            columns[column][place] = new

    return change


# m-unique -----------------------------------------------------------------------------------------------------


@fault("m-unique", release=1, size=1)
def a_class_of_one(b, root):
    plan = b.good_plans()[0]
    plan.rows = plan.rows[1:]
    b.build(root, [plan], domain=DOMAIN)


@fault("m-unique", release=1, size=1, rows=(1, 2))
def two_tuples_of_one_class_share_a_value(b, root):
    plan = b.good_plans()[0]
    plan.rows[3].sensitive = "flu"
    b.build(root, [plan], domain=DOMAIN)


@fault("m-unique", "counts-recorded", release=1)
def the_manifest_claims_a_larger_m(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["minv"].update(m=3))


@fault("m-unique", release=1)
def a_counterfeit_repeats_a_value_of_its_class(b, root):
    plan = b.good_plans()[0]
    plan.counterfeits = [("a", "flu")]
    b.build(root, [plan], domain=DOMAIN)


# m-invariance, tau-safety, no-return -----------------------------------------------------------------------------


@fault("m-invariance", "tau-safety", release=None)
def two_people_change_classes(b, root):
    plans = b.good_plans()
    rows = {row.person: row for row in plans[1].rows}
    rows["1"].group, rows["3"].group = "b", "a"
    b.build(root, plans, domain=DOMAIN)


@fault("m-invariance", "tau-safety")
def a_counterfeit_is_forgotten(b, root):
    plans = b.good_plans()
    plans[1].counterfeits.remove(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("m-invariance", "tau-safety")
def a_needless_counterfeit_widens_a_class(b, root):
    plans = b.good_plans()
    plans[2].counterfeits.append(("b", "rash"))
    b.build(root, plans, domain=DOMAIN)


@fault("tau-safety", size=1)
def a_person_returns_under_another_signature(b, root):
    plans = b.good_plans()
    rows = {row.person: row for row in plans[2].rows}
    rows["2"].group = "e"
    plans[2].rows.append(b.Row("10", ("26", "f"), "rash", "e"))
    plans[2].counterfeits.append(("a", "gout"))
    b.build(root, plans, domain=DOMAIN)


@fault("tau-safety", size=1)
def a_person_returns_to_a_larger_class(b, root):
    plans = b.good_plans()
    plans[2].rows = [row for row in plans[2].rows if row.person != "1"]
    plans[2].counterfeits += [("a", "flu"), ("a", "rash")]
    b.build(root, plans, domain=DOMAIN)


@fault("tau-safety")
def a_person_returns_to_a_smaller_class(b, root):
    plans = b.good_plans()
    plans[0].counterfeits = [("d", "cold")]
    plans[0].rows += [b.Row("11", ("70", "m"), "flu", "d"), b.Row("12", ("71", "m"), "gout", "d")]
    plans[2].rows += [b.Row("11", ("70", "m"), "flu", "e"), b.Row("12", ("71", "m"), "gout", "e")]
    b.build(root, plans, domain=DOMAIN)


@fault("no-return", size=1)
def a_person_returns_in_an_m_invariant_series(b, root):
    good(b, root, model="m-invariant")


@fault("no-return")
def two_people_return_in_an_m_invariant_series(b, root):
    plans = b.good_plans()
    plans[0].rows += [b.Row("11", ("70", "m"), "flu", "e"), b.Row("12", ("71", "m"), "gout", "e")]
    plans[2].rows += [b.Row("11", ("70", "m"), "flu", "e"), b.Row("12", ("71", "m"), "gout", "e")]
    plans[2].rows = [row for row in plans[2].rows if row.person != "2"]
    plans[2].counterfeits.append(("a", "gout"))
    b.build(root, plans, domain=DOMAIN, model="m-invariant")


@fault("no-return", size=1)
def a_person_returns_twice_in_an_m_invariant_series(b, root):
    plans = [b.good_plans()[0] for _ in range(5)]
    for plan in (plans[1], plans[3], plans[4]):
        plan.rows = plan.rows[2:]
    b.build(root, plans, domain=DOMAIN, model="m-invariant")


# disjoint signatures -----------------------------------------------------------------------------------------------


def disjoint_plans(b, third="x"):
    """Person 1 has an update out of {flu, gout}: a new signature without these."""
    first = b.Plan([b.Row("1", ("20", "m"), "flu", "a"), b.Row("2", ("24", "f"), "gout", "a")])
    second = b.Plan(
        [
            b.Row("1", ("20", "m"), "cold", "b"),
            b.Row("3", ("21", "m"), "ache", "b"),
            b.Row("2", ("24", "f"), "gout", "a"),
        ],
        [("a", "flu")],
    )
    last = b.Plan(
        [
            b.Row("1", ("20", "m"), "flu", "a"),
            b.Row("2", ("24", "f"), "gout", "a"),
            b.Row("3", ("21", "m"), "ache", "b"),
        ],
        [("b", "cold")],
    )
    return [first, second, last]


@fault("equal-or-disjoint", size=1)
def a_new_signature_overlaps_the_old_one(b, root):
    plans = disjoint_plans(b)
    plans[1].counterfeits.append(("b", "gout"))
    plans[2].counterfeits.append(("b", "gout"))
    plans[2].rows = [row for row in plans[2].rows if row.person != "1"]
    plans[2].counterfeits.append(("a", "flu"))
    b.build(root, plans, domain=DOMAIN, on_update="disjoint")


@fault("equal-or-disjoint")
def a_value_returns_to_a_part_of_its_signature(b, root):
    plans = disjoint_plans(b)
    plans[2].rows[0].group = "c"
    plans[2].rows.append(b.Row("4", ("22", "m"), "rash", "c"))
    plans[2].counterfeits.append(("a", "flu"))
    b.build(root, plans, domain=DOMAIN, on_update="disjoint")


@fault("equal-or-disjoint")
def a_third_signature_overlaps_the_second(b, root):
    plans = disjoint_plans(b)
    plans[2].rows[0].sensitive, plans[2].rows[0].group = "mumps", "c"
    plans[2].counterfeits += [("a", "flu"), ("c", "cold")]
    b.build(root, plans, domain=DOMAIN, on_update="disjoint")


# suppression -----------------------------------------------------------------------------------------------------


@fault("suppressed-justified", release=2)
def someone_is_suppressed_though_the_value_fits(b, root):
    plans = b.good_plans()
    plans[1].rows[5].sensitive = "gout"
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-justified", release=2)
def a_newcomer_is_suppressed(b, root):
    plans = b.good_plans()
    plans[1].rows.append(b.Row("10", ("30", "f"), "mumps", None, "suppressed"))
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-justified", release=3)
def someone_stays_suppressed_though_the_value_is_back(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group, row.status = None, "suppressed"
    plans[2].counterfeits.append(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-resume", "m-invariance", "tau-safety", release=3)
def someone_resumes_under_another_signature(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group = "d"
    row.sensitive = "ache"
    plans[2].counterfeits.append(("c", "ache"))
    for person in ("8", "9"):
        plans[1].rows = [row for row in plans[1].rows if row.person != person]
    b.build(root, plans, domain=[*DOMAIN, "x"])


@fault("suppressed-resume", "m-invariance", "tau-safety", release=3)
def someone_resumes_with_the_new_value(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group, row.sensitive = "a", "flu"
    plans[2].rows = [row for row in plans[2].rows if row.person != "1"]
    plans[2].counterfeits.append(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-resume", "m-invariance", "tau-safety", release=4)
def someone_resumes_wrongly_after_two_suppressions(b, root):
    plans = [*b.good_plans(), b.good_plans()[2]]
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group, row.sensitive, row.status = None, "mumps", "suppressed"
    plans[2].counterfeits.append(("c", "ache"))
    late = next(row for row in plans[3].rows if row.person == "7")
    late.group = "e"
    plans[3].rows.append(b.Row("10", ("50", "f"), "mumps", "e"))
    plans[3].counterfeits.append(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("absence-uninformative", release=2, size=1)
def an_absence_leaves_one_value(b, root):
    plans = b.good_plans()
    for plan in plans[1:]:
        next(row for row in plan.rows if row.person == "8").sensitive = "ache"
    b.build(root, plans, domain=["ache", "cold", "flu", "gout"])


@fault("absence-uninformative", "m-unique", "counts-recorded", release=2, size=1)
def an_absence_leaves_fewer_than_a_larger_m(b, root):
    good(b, root, domain=["ache", "cold", "flu", "gout", "rash"])
    edit_manifest(b, root, lambda manifest: manifest["minv"].update(m=3))


@fault("absence-uninformative", release=3, size=1)
def a_second_absence_after_a_wider_signature_leaves_too_little(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "9")
    row.group, row.sensitive, row.status = None, "mumps", "suppressed"
    plans[2].counterfeits.append(("d", "flu"))
    for plan in plans[1:]:
        plan.counterfeits += [("d", "cold"), ("d", "gout"), ("d", "ache")]
    b.build(root, plans, domain=["ache", "cold", "flu", "gout", "mumps", "rash"])


# shape -----------------------------------------------------------------------------------------------------


def twin(b):
    """Two classes with one signature."""
    return b.Plan(
        [
            b.Row("1", ("20", "m"), "flu", "a"),
            b.Row("2", ("24", "f"), "gout", "a"),
            b.Row("3", ("40", "m"), "flu", "b"),
            b.Row("4", ("44", "f"), "gout", "b"),
            b.Row("5", ("50", "m"), "flu", "c"),
            b.Row("6", ("54", "f"), "gout", "c"),
        ]
    )


@fault("ids-unique", release=1, rows=(1, 3))
def one_id_in_two_classes(b, root):
    plan = twin(b)
    plan.rows[2].person = "1"
    b.build(root, [plan], domain=DOMAIN)


@fault("ids-unique", release=1, rows=(1, 2))
def one_id_twice_in_a_class(b, root):
    plan = twin(b)
    plan.rows[1].person = "1"
    b.build(root, [plan], domain=DOMAIN)


@fault("ids-unique", release=2, size=2)
def one_id_three_times_in_a_later_release(b, root):
    plans = [twin(b), twin(b)]
    plans[1].rows[2].person = plans[1].rows[4].person = "1"
    b.build(root, plans, domain=DOMAIN)


@fault("quasi-identifiers-equal", release=1, column="age", size=1)
def one_row_of_a_class_has_a_wider_interval(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "[20, 24]", "[20, 25]", whole_class=False))


@fault("quasi-identifiers-equal", release=1, column="sex", size=1)
def one_row_of_a_class_has_a_wider_set(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("sex", "{f,m}", "{f,m,x}", whole_class=False))


@fault("quasi-identifiers-equal", release=2, column="age", size=1)
def one_row_of_a_later_class_admits_missing_values(b, root):
    good(b, root)
    edit_public(b, root, 2, set_cell("age", "[31, 32]", "[31, 32] or \\N", whole_class=False))


@fault("counterfeit-counts", release=1, class_id="99")
def counterfeits_of_an_unknown_class(b, root):
    good(b, root)
    edit_manifest(
        b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"99": 1})
    )


@fault("counterfeit-counts", "manifest-schema", release=1, class_id="1")
def a_count_of_zero(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"1": 0}))


@fault("counterfeit-counts", "manifest-schema", "counterfeit-flags", release=1, class_id="1")
def a_negative_count(b, root):
    good(b, root)
    edit_manifest(
        b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"1": -1})
    )


@fault("real-tuple", release=1, class_id="1", public_only=True)
def as_many_counterfeits_as_tuples(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"1": 2}))


@fault("real-tuple", release=2, class_id="2", public_only=True)
def more_counterfeits_than_tuples(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"]["counterfeits"].update({"2": 9}))


@fault("real-tuple", "counterfeit-flags", "history-recorded", "loss-recomputed", "counts-recorded", release=1)
def a_class_of_counterfeits_alone(b, root):
    good(b, root, releases=1)

    def change(rows):
        for row in rows:
            if row["class"] == 1:
                row.update(id=None, counterfeit=True, age=None, sex=None)

    edit_private(b, root, 1, change)


@fault("counterfeit-flags", release=2, size=1)
def a_counterfeit_is_not_declared(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"].update(counterfeits={"2": 1}))


@fault("counterfeit-flags", release=3, size=1)
def a_counterfeit_is_declared_that_is_none(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][2]["minv"].update(counterfeits={"2": 1}))


@fault("counterfeit-flags", release=2, size=1)
def one_counterfeit_too_many_is_declared(b, root):
    good(b, root)

    def change(manifest):
        declared = manifest["resources"][1]["minv"]["counterfeits"]
        largest = max(declared)
        declared[largest] = 2

    edit_manifest(b, root, change)


@fault("counterfeit-flags", release=2, size=1)
def a_counterfeit_is_declared_for_another_class(b, root):
    good(b, root)

    def change(manifest):
        declared = manifest["resources"][1]["minv"]["counterfeits"]
        free = next(number for number in "1234" if number not in declared)
        declared[free] = declared.pop(min(declared))

    edit_manifest(b, root, change)


# against the truth ------------------------------------------------------------------------------------------------


def extra_private(person: str, value: str, **changes: Any) -> Callable[[list[dict[str, Any]]], None]:
    """Append a private row like the first one."""
    return lambda rows: rows.append({**rows[0], "id": person, "disease": value, **changes})


@fault("nobody-lost", release=1)
def a_tuple_is_recorded_but_not_published(b, root):
    good(b, root)
    edit_private(b, root, 1, extra_private("99", "rash"))


@fault("nobody-lost", release=3)
def a_tuple_is_recorded_in_an_unknown_class(b, root):
    good(b, root)
    edit_private(b, root, 3, extra_private("99", "rash", **{"class": 77}))


@fault("nobody-lost", release=1, size=1)
def someone_published_is_also_recorded_as_deleted(b, root):
    good(b, root)
    edit_private(b, root, 1, extra_private("1", "flu", **{"class": None, "status": "deleted"}))


@fault("nobody-lost", release=2, size=1)
def a_tuple_is_recorded_twice(b, root):
    good(b, root)
    edit_private(b, root, 2, lambda rows: rows.append(dict(rows[1])))


@fault("nobody-invented", "history-recorded", release=1, class_id="2", rows=(5,))
def a_row_of_nobody_in_a_class(b, root):
    good(b, root, releases=1)

    def change(columns):
        for name in columns:
            columns[name].insert(4, columns[name][3])
        columns["disease"][4] = "rash"

    edit_public(b, root, 1, change)


@fault("nobody-invented", "counts-recorded", release=1, class_id="4", rows=(8, 9), size=2)
def a_class_of_nobody(b, root):
    good(b, root, releases=1)

    def change(columns):
        columns["class"] += [4, 4]
        columns["age"] += ["[77, 78]"] * 2
        columns["sex"] += ["m"] * 2
        columns["disease"] += ["flu", "gout"]

    edit_public(b, root, 1, change)


@fault("nobody-invented", "history-recorded", "loss-recomputed", "cells-tight", release=1)
def a_tuple_vanishes_from_the_private_part(b, root):
    good(b, root, releases=1)
    edit_private(b, root, 1, lambda rows: rows.pop(0))


@fault("sensitive-truthful", "history-recorded", release=1, rows=(3,))
def a_value_is_changed_on_publication(b, root):
    good(b, root, releases=1)
    edit_public(b, root, 1, change_value(2, "ache"))


def change_value(place: int, value: str) -> Callable[[dict[str, list[Any]]], None]:
    """Publish another sensitive value on one row."""
    return lambda columns: columns["disease"].__setitem__(place, value)


@fault("sensitive-truthful", "history-recorded", release=1, rows=(2,))
def a_value_outside_the_domain_is_published(b, root):
    good(b, root, releases=1)
    edit_public(b, root, 1, change_value(1, "zzz"))


@fault("sensitive-truthful", "m-invariance", "tau-safety", "history-recorded", release=2)
def a_counterfeit_has_another_value_than_recorded(b, root):
    good(b, root)

    def change(columns):
        place = columns["disease"].index("gout")
        columns["disease"][place] = "mumps"

    edit_public(b, root, 2, change)


@fault("cells-contain-truth", release=1, column="age")
def an_interval_excludes_its_greatest_value(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "[20, 24]", "[20, 23]"))


@fault("cells-contain-truth", release=1, column="sex")
def a_set_lacks_a_value(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("sex", "{f,m}", "m"))


@fault("cells-contain-truth", "cells-tight", release=1, column="age", size=1)
def a_single_value_is_another(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "31", "32"))


@fault("cells-tight", release=1, column="age")
def an_interval_is_wider_than_its_values(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "[20, 24]", "[20, 25]"))


@fault("cells-tight", release=1, column="age")
def an_interval_starts_below_its_values(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "[47, 60]", "[46, 60]"))


@fault("cells-tight", release=1, column="sex")
def a_set_holds_a_value_that_nobody_has(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("sex", "{f,m}", "{f,m,x}"))


@fault("cells-tight", release=1, column="age")
def an_interval_admits_missing_values_that_nobody_has(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "[20, 24]", "[20, 24] or \\N"))


# quality ---------------------------------------------------------------------------------------------------------


def wrong_quality(number: int, key: str, value: Any) -> Callable[[Builder, Path], None]:
    """A series with one recorded figure replaced."""

    def make(b, root):
        good(b, root)
        edit_json(
            root / "private" / f"quality-{number:04d}.json", lambda quality: quality.update({key: value})
        )

    make.__name__ = f"{key}_recorded_as_{value}"
    return make


for wrong in (("il", 1.0), ("sse", -1), ("sst", None)):
    fault("loss-recomputed", release=2)(wrong_quality(2, *wrong))
for wrong in (("classes", 9), ("counterfeits", 0), ("suppressed", 0), ("m", 7)):
    fault("counts-recorded", release=2)(wrong_quality(2, *wrong))


def published_il(factor: float) -> Callable[[Builder, Path], None]:
    """A series that publishes a wrong IL."""

    def make(b, root):
        good(b, root)
        quality = json.loads((root / "private" / "quality-0001.json").read_text())
        value = float(f"{quality['il'] * factor:.4g}")
        edit_manifest(b, root, lambda manifest: manifest["resources"][0]["minv"].update(il=value))

    make.__name__ = f"il_published_times_{factor}"
    return make


for wrong_factor in (1.0, 2.0, 0.5):  # 1.0: true, but in more than two digits
    fault("published-loss", release=1)(published_il(wrong_factor))


# the manifest and the public folder ----------------------------------------------------------------------------------


@fault("manifest-schema", file="datapackage.json")
def the_manifest_tells_the_seed(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["minv"].update(seed=1))


@fault("manifest-schema", file="datapackage.json")
def the_manifest_tells_a_title(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest.update(title="patients"))


@fault("manifest-schema", file="datapackage.json")
def the_manifest_lacks_its_software(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["minv"].pop("software"))


@fault("manifest-schema", file="datapackage.json")
def the_manifest_is_unsorted(b, root):
    good(b, root)
    manifest = b.read_manifest(root)
    path = root / "public" / "datapackage.json"
    path.write_text(json.dumps(dict(reversed(manifest.items()))))


@fault("manifest-schema", file="datapackage.json")
def a_release_is_numbered_wrongly(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"].update(release=3))


@fault("manifest-schema", file="datapackage.json")
def a_resource_tells_its_timings(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"].update(seconds=3))


@fault("checksums", release=1, file="release-0001.csv")
def a_file_is_changed_after_publication(b, root):
    good(b, root, release_format="csv")
    path = root / "public" / "release-0001.csv"
    path.write_bytes(path.read_bytes().replace(b'"1"', b'"1"').replace(b"\n", b"\r\n"))


@fault("checksums", release=2)
def a_checksum_is_changed(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1].update(hash="sha256:" + "0" * 64))


@fault("checksums", release=2)
def a_size_is_changed(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1].update(bytes=5))


@fault("releases-readable", "checksums", release=2)
def a_release_is_cut_short(b, root):
    good(b, root)
    path = root / "public" / "release-0002.parquet"
    path.write_bytes(path.read_bytes()[:-10])


@fault("releases-readable", "checksums", release=2)
def a_release_is_missing(b, root):
    good(b, root)
    (root / "public" / "release-0002.parquet").unlink()


@fault("releases-readable", release=1)
def a_release_has_a_nested_column(b, root):
    good(b, root)
    path = root / "public" / "release-0001.parquet"
    table = pq.read_table(path)
    place = table.column_names.index("sex")
    pq.write_table(table.set_column(place, "sex", pa.array([["x"]] * table.num_rows)), path)
    b.restamp(root, 1)


@fault("cells-canonical", release=1, column="age", size=2)
def an_interval_without_its_blank(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "[20, 24]", "[20,24]"))


@fault("cells-canonical", release=1, column="age", size=2)
def a_number_with_a_decimal_point(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "31", "31.0"))


@fault("cells-canonical", release=1, column="sex", size=2)
def a_set_that_is_not_sorted(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("sex", "{f,m}", "{m,f}"))


@fault("cells-canonical", "sensitive-truthful", "history-recorded", release=1, size=1)
def a_sensitive_cell_with_a_stray_backslash(b, root):
    good(b, root, releases=1)
    edit_public(b, root, 1, change_value(1, "gout\\x"))


def renumber(b: Builder, root: Path, mapping: Callable[[int], int]) -> None:
    """Give classes of release 1 other ids, in both parts."""

    def change_public(columns):
        columns["class"] = [mapping(number) for number in columns["class"]]
        order = sorted(range(len(columns["class"])), key=lambda place: columns["class"][place])
        for name in columns:
            columns[name] = [columns[name][place] for place in order]

    def change_private(rows):
        for row in rows:
            row["class"] = None if row["class"] is None else mapping(row["class"])

    edit_public(b, root, 1, change_public)
    edit_private(b, root, 1, change_private)


@fault("class-order", release=1, class_id="1")
def two_class_ids_are_swapped(b, root):
    good(b, root)
    renumber(b, root, lambda number: {1: 2, 2: 1}.get(number, number))


@fault("class-order", release=1)
def class_ids_start_at_zero(b, root):
    good(b, root)
    renumber(b, root, lambda number: number - 1)


@fault("class-order", release=1)
def class_ids_are_no_numbers(b, root):
    good(b, root, release_format="csv")
    path = root / "public" / "release-0001.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *("x" + line for line in lines[1:])]) + "\n")
    b.restamp(root, 1)
    private = root / "private" / "release-0001.parquet"
    table = pq.read_table(private)
    named = pa.array([f"x{number}" for number in table["class"].to_pylist()])
    pq.write_table(table.set_column(1, "class", named), private)
    private.chmod(0o600)


@fault("class-order", release=1)
def class_ids_have_a_gap(b, root):
    good(b, root)
    renumber(b, root, lambda number: 2 * number)


@fault("class-order", release=1, warnings=("class-cells-distinct",))
def equal_cells_are_not_ordered_by_values(b, root):
    plan = twin(b)
    for place, row in enumerate(plan.rows):
        row.values = ("20", "m")
        row.sensitive = "acdbef"[place] if place < 4 else "xy"[place - 4]
    b.build(root, [plan], domain=DOMAIN)
    renumber(b, root, lambda number: 4 - number)


@fault("row-order", release=1, rows=(1,))
def two_rows_of_a_class_are_swapped(b, root):
    good(b, root)

    def change(columns):
        columns["disease"][0], columns["disease"][1] = columns["disease"][1], columns["disease"][0]

    edit_public(b, root, 1, change)


@fault("row-order", release=2)
def rows_stand_in_reverse(b, root):
    good(b, root)
    edit_public(b, root, 2, lambda columns: [column.reverse() for column in columns.values()])


@fault("row-order", release=3)
def the_first_row_stands_last(b, root):
    good(b, root)
    edit_public(b, root, 3, lambda columns: [column.append(column.pop(0)) for column in columns.values()])


@fault("public-files", file="notes.txt")
def a_file_too_many(b, root):
    good(b, root)
    (root / "public" / "notes.txt").write_text("hello")


@fault("public-files", file="quality-0001.json")
def the_quality_is_public(b, root):
    good(b, root)
    (root / "public" / "quality-0001.json").write_bytes((root / "private" / "quality-0001.json").read_bytes())


@fault("public-files", file="release-0007.parquet")
def a_release_that_is_not_listed(b, root):
    good(b, root)
    (root / "public" / "release-0007.parquet").write_bytes(
        (root / "public" / "release-0001.parquet").read_bytes()
    )


@fault("public-columns", release=1, file="release-0001.parquet", size=1)
def the_ids_are_public(b, root):
    good(b, root)
    edit_public(b, root, 1, lambda columns: columns.update(id=[str(place) for place in range(7)]))


@fault("public-columns", release=2, size=1)
def the_counterfeits_are_marked(b, root):
    good(b, root)
    edit_public(b, root, 2, lambda columns: columns.update(counterfeit=["false"] * 9))


@fault("public-columns", release=3)
def the_columns_stand_in_another_order(b, root):
    good(b, root)

    def change(columns):
        columns["sex"] = columns.pop("sex")

    edit_public(b, root, 3, change)


def with_ward(wards: list[str]) -> Callable[[Builder, Path], None]:
    """A series with another column."""

    def make(b, root):
        good(b, root, releases=1)

        def change(manifest):
            manifest["minv"]["other"] = ["ward"]
            manifest["resources"][0]["schema"]["fields"].append({"name": "ward", "type": "string"})

        edit_manifest(b, root, change)
        edit_public(b, root, 1, lambda columns: columns.update(ward=wards))

    make.__name__ = "wards_" + "".join(wards)
    return make


for wards in ("AABBCCD", "ABBBCCC", "AABBCDE"):
    fault("other-columns-constant", release=1, column="ward")(with_ward(list(wards)))


def rewritten(
    name: str, change: Callable[[pa.Table], pa.Table], **options: Any
) -> Callable[[Builder, Path], None]:
    """Release 1 written by other means."""

    def make(b, root):
        good(b, root)
        path = root / "public" / "release-0001.parquet"
        plain = {"use_dictionary": False, "store_schema": False}
        pq.write_table(change(pq.read_table(path)), path, **{**plain, **options})
        b.restamp(root, 1)

    make.__name__ = name
    return make


for name, change, options in (
    ("dictionary_encoded", lambda table: table, {"use_dictionary": True}),
    ("the_schema_is_stored_as_metadata", lambda table: table, {"store_schema": True}),
    ("two_row_groups", lambda table: table, {"row_group_size": 4}),
    (
        "classes_are_text",
        lambda table: table.set_column(0, "class", table["class"].cast(pa.string())),
        {},
    ),
):
    fault("parquet-plain", release=1, file="release-0001.parquet")(rewritten(name, change, **options))


@fault("parquet-plain", release=1, file="release-0001.parquet")
def metadata_tell_the_source(b, root):
    good(b, root)
    path = root / "public" / "release-0001.parquet"
    table = pq.read_table(path)
    with pq.ParquetWriter(path, table.schema, use_dictionary=False, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({"source": "x"})
    b.restamp(root, 1)


# the private part -------------------------------------------------------------------------------------------------


@fault("private-readable", file="key")
def the_key_is_lost(b, root):
    good(b, root)
    (root / "private" / "key").unlink()


@fault("private-readable", file="settings.json")
def the_settings_name_an_unknown_model(b, root):
    good(b, root)
    edit_json(root / "private" / "settings.json", lambda settings: settings.update(model="safe"))


@fault("private-readable", file="history-0003.parquet")
def the_history_is_lost(b, root):
    good(b, root)
    (root / "private" / "history-0003.parquet").unlink()


@fault("private-readable", file="release-0002.parquet")
def a_private_row_has_an_impossible_status(b, root):
    good(b, root)
    edit_private(b, root, 2, lambda rows: rows[0].update(status="lost"))


@fault("private-permissions", file="private/key")
def everybody_may_read_the_key(b, root):
    good(b, root)
    (root / "private" / "key").chmod(0o644)


@fault("private-permissions", file="private")
def everybody_may_list_the_private_folder(b, root):
    good(b, root)
    (root / "private").chmod(0o755)


@fault("private-permissions", file="private/certificate-0001.json")
def a_certificate_is_readable_by_the_group(b, root):
    good(b, root)
    path = root / "private" / "certificate-0001.json"
    path.write_text("{}")
    path.chmod(0o640)


def edit_history(change: Callable[[list[dict[str, Any]]], Any], name: str) -> Callable[[Builder, Path], None]:
    """A series with a changed history."""

    def make(b, root):
        good(b, root)
        path = root / "private" / "history-0003.parquet"
        rows = pq.read_table(path).to_pylist()
        change(rows)
        pq.write_table(pa.Table.from_pylist(rows), path)
        path.chmod(0o600)

    make.__name__ = name
    return make


for name, change in (
    ("someone_is_forgotten", lambda rows: rows.pop()),
    ("a_last_release_is_wrong", lambda rows: rows[0].update(last=2)),
    ("a_first_release_is_wrong", lambda rows: rows[0].update(first=2)),
    ("a_signature_is_wrong", lambda rows: rows[0].update(signature='["flu", "rash"]')),
    ("a_stranger_is_remembered", lambda rows: rows.append({**rows[0], "id": "99"})),
):
    fault("history-recorded")(edit_history(change, name))


# warnings -----------------------------------------------------------------------------------------------------


@fault(warnings=("near-synonyms",))
def two_spellings_of_a_value(b, root):
    plan = twin(b)
    plan.rows[0].sensitive = "Flu "
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("near-synonyms",))
def two_unicode_forms_of_a_value(b, root):
    plan = twin(b)
    plan.rows[0].sensitive, plan.rows[2].sensitive = "caf\u00e9", "cafe\u0301"
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("near-synonyms",))
def two_cases_of_a_value(b, root):
    plan = twin(b)
    plan.rows[0].sensitive = "FLU"
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("class-cells-distinct",))
def two_classes_with_equal_cells(b, root):
    plan = twin(b)
    plan.rows[2].values, plan.rows[3].values = ("20", "m"), ("24", "f")
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("class-cells-distinct",))
def all_cells_are_equal(b, root):
    plan = twin(b)
    for row in plan.rows:
        row.values = ("20", "m")
    b.build(root, [plan], domain=DOMAIN)


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
