"""Release files: spelling, order, columns, and what Parquet files hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from planted_faults.planting import (
    DOMAIN,
    Builder,
    change_value,
    edit_manifest,
    edit_private,
    edit_public,
    fault,
    good,
    set_cell,
    twin,
)


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
