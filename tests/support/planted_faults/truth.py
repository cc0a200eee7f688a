"""Public and private side against each other: tuples, values, cells, and recorded figures."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from planted_faults.planting import (
    DOMAIN,
    Builder,
    change_value,
    edit_json,
    edit_manifest,
    edit_private,
    edit_public,
    fault,
    good,
    set_cell,
)


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


@fault("sensitive-truthful", "history-recorded", release=1)
def a_backslash_is_escaped_twice(b, root):
    plan = b.good_plans()[0]
    plan.rows[0].sensitive = "a\\b"
    b.build(root, [plan], domain=DOMAIN)
    edit_public(b, root, 1, set_cell("disease", "a\\\\b", "a\\\\\\\\b"))


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
