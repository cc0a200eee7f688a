"""The documents of a series read back as what was written, and nothing else is accepted."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minv.errors import DataError, UsageError
from minv.hierarchy.building import Path as TreePath
from minv.hierarchy.building import tree_from_paths
from minv.series.documents import parse_document, read_document, to_bytes
from minv.series.manifest import Entry, Manifest, plain_entry
from minv.series.settings import Model, OnUpdate, Settings
from minv.tables.columns import Family
from minv.tables.missing import parse_missing
from minv.tables.roles import Kind, QuasiIdentifier, Roles

TREE = tree_from_paths([TreePath(("cook", "craft", "*"), "1"), TreePath(("clerk", "*"), "2")], "the test")
SETTINGS = Settings(
    roles=Roles(
        (
            QuasiIdentifier("age", weight=2.5),
            QuasiIdentifier("grade", Kind.ORDINAL, levels=("low", "high")),
            QuasiIdentifier("job", Kind.NOMINAL, hierarchy=TREE),
        ),
        sensitive="illness",
        id="person",
        other=("year",),
    ),
    m=3,
    model=Model.M_INVARIANT,
    on_update=OnUpdate.DISJOINT,
    missing=parse_missing(["age=drop", "job=category"], ["age=-9", "?"], ["age", "job"]),
    domain=(None, "flu", "gout"),
    columns={"person": Family.NUMBER, "note": Family.OTHER},
    release_format="csv",
    max_class_size=4,
)
ENTRY = Entry(1, "csv", ("class", "age", "grade", "job", "illness", "year"), 10, "0" * 64, {3: 2}, 1.5)


def test_settings_read_back() -> None:
    public = json.loads(to_bytes(SETTINGS.public_part()))
    private = json.loads(to_bytes(SETTINGS.private_part()))
    back = Settings.from_parts(public, private)
    assert back.public_part() == SETTINGS.public_part()
    assert back.private_part() == SETTINGS.private_part()
    tree = back.roles.quasi_identifiers[2].hierarchy
    assert tree is not None
    assert set(tree.code_of_leaf) == {"cook", "clerk"}
    assert back.roles.quasi_identifiers[0].weight == 2.5
    assert back.missing.codes_of("age") == {"-9", "?"}


def test_settings_obey_their_schema() -> None:
    content = to_bytes(SETTINGS.private_part())
    assert parse_document(content, "settings", "the settings") == SETTINGS.private_part()


def test_public_part_tells_nothing_of_the_private_one() -> None:
    public = to_bytes(SETTINGS.public_part()).decode()
    for secret in ("person", "m-invariant", "disjoint", "craft", "2.5", "gout", "-9"):
        assert secret not in public


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"m": 1}, "at least 2"),
        ({"m": 3, "max_class_size": 6}, "m..2m-1 = 3..5"),
        ({"m": 3, "max_class_size": 2}, "m..2m-1 = 3..5"),
        ({"roles": Roles((QuasiIdentifier("age"),), "illness")}, "--id"),
        ({"roles": Roles((QuasiIdentifier("class"),), "illness", "person")}, "'class'"),
        ({"roles": Roles((QuasiIdentifier("age"),), "status", "person")}, "'status'"),
    ],
)
def test_settings_that_make_no_sense(change: dict[str, Any], part: str) -> None:
    plain = {"roles": Roles((QuasiIdentifier("age"),), "illness", "person"), "m": 2}
    with pytest.raises(UsageError, match=part):
        Settings(**{**plain, **change})


def test_manifest_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "datapackage.json"
    path.write_bytes(Manifest(SETTINGS.public_part(), (ENTRY,)).to_bytes("minv 1.2.3"))
    back = Manifest.read(path)
    assert back.entries == (ENTRY,)
    assert back.terms == {**SETTINGS.public_part(), "software": "minv 1.2.3"}


def faulty(**changes: Any) -> dict[str, Any]:
    document = json.loads(Manifest(SETTINGS.public_part(), (ENTRY,)).to_bytes("minv 1.2.3"))
    return {**document, **changes}


@pytest.mark.parametrize(
    "document",
    [
        faulty(resources=[]),
        faulty(title="more"),
        faulty(name="other"),
        faulty(minv={**faulty()["minv"], "seed": 1}),
        faulty(minv={**faulty()["minv"], "m": 1}),
        faulty(resources=[{**faulty()["resources"][0], "hash": "sha256:xyz"}]),
        faulty(resources=[{**faulty()["resources"][0], "path": "../secret.csv"}]),
        faulty(resources=[{**faulty()["resources"][0], "rows": 5}]),
        faulty(resources=[{**faulty()["resources"][0], "name": "release-0002"}]),
        faulty(resources=[{**faulty()["resources"][0], "minv": {"release": 2, "counterfeits": {}}}]),
        faulty(resources=[{**faulty()["resources"][0], "minv": {"release": 1, "counterfeits": {"1": 0}}}]),
        [],
        "text",
    ],
)
def test_manifest_with_anything_else_is_refused(tmp_path: Path, document: Any) -> None:
    path = tmp_path / "datapackage.json"
    path.write_text(json.dumps(document))
    with pytest.raises(DataError):
        Manifest.read(path)


FAULTS: list[dict[str, Any]] = [
    {"name": "release-0002"},
    {"path": "release-0001.txt"},
    {"format": "xlsx"},
    {"mediatype": "text/plain"},
    {"bytes": "12"},
    {"bytes": True},
    {"bytes": 0},
    {"hash": "sha256:xyz"},
    {"hash": "a" * 64},
    {"schema": {"fields": []}},
    {"schema": {"fields": [{"name": "", "type": "string"}] * 3}},
    {"schema": {"fields": [{"name": 5, "type": "string"}] * 3}},
    {"schema": {"fields": [{"name": "a", "type": "number"}] * 3}},
    {"rows": 5},
    {"minv": {"release": True, "counterfeits": {}}},
    {"minv": {"release": 1}},
    {"minv": {"release": 1, "counterfeits": {"1": 0}}},
    {"minv": {"release": 1, "counterfeits": {"01": 1}}},
    {"minv": {"release": 1, "counterfeits": {"1": True}}},
    {"minv": {"release": 1, "counterfeits": {"-1": 1}}},
    {"minv": {"release": 1, "counterfeits": {}, "il": 101}},
    {"minv": {"release": 1, "counterfeits": {}, "il": "3"}},
    {"minv": {"release": 1, "counterfeits": {}, "il": True}},
    {"minv": []},
]


def test_manifest_takes_one_line_a_release() -> None:
    """So that a release costs the manifest few bytes and little time."""
    entries = tuple(replace(ENTRY, number=number) for number in (1, 2, 3))
    text = Manifest(SETTINGS.public_part(), entries).to_bytes("minv 1.2.3").decode()
    lines = [line for line in text.splitlines() if '"hash"' in line]
    assert [json.loads(line.rstrip(","))["name"] for line in lines] == [f"release-000{n}" for n in (1, 2, 3)]


def test_manifest_of_another_program_is_read(tmp_path: Path) -> None:
    """Members in any order, and a loss where ours writes none."""
    entries = (replace(ENTRY, il=None), replace(ENTRY, number=2))
    document = json.loads(Manifest(SETTINGS.public_part(), entries).to_bytes("minv 1.2.3"))
    document["resources"][0]["minv"]["il"] = 3
    path = tmp_path / "datapackage.json"
    path.write_text(json.dumps(dict(reversed(document.items())), indent=1))
    assert Manifest.read(path).entries == (replace(ENTRY, il=3), entries[1])


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_in_an_earlier_release_is_found(tmp_path: Path, fault: dict[str, Any]) -> None:
    """Only the last release is always checked by the schema; what that refuses is refused in any."""
    entries = (ENTRY, replace(ENTRY, number=2))
    document = json.loads(Manifest(SETTINGS.public_part(), entries).to_bytes("minv 1.2.3"))
    path = tmp_path / "datapackage.json"
    path.write_text(json.dumps(document))
    assert Manifest.read(path).entries == entries
    assert tuple(map(plain_entry, document["resources"])) == entries
    document["resources"][0] |= fault
    assert plain_entry(document["resources"][0]) is None
    path.write_text(json.dumps(document))
    with pytest.raises(DataError):
        Manifest.read(path)


def test_document_that_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{")
    with pytest.raises(DataError, match="not JSON"):
        read_document(path, "settings")
    with pytest.raises(DataError, match="No such file"):
        read_document(tmp_path / "absent.json", "settings")


def test_newer_format_is_told_apart_from_damage() -> None:
    with pytest.raises(DataError, match="newer version"):
        parse_document(to_bytes({**SETTINGS.private_part(), "format": 2}), "settings", "settings.json")
