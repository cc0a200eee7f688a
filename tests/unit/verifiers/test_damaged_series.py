"""Whatever happens to the files of a series: a report or one clear error, never a crash, never a pass by accident."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minv_verifiers import InputError, verify
from minv_verifiers.cli import main

JSON_VALUES = ("[]", "{}", "null", '"x"', "1", "[[]]", '{"minv": 1}', '{"minv": {"m": []}, "resources": [1]}')


def outcome(root: Path, *, public_only: bool = False) -> str:
    """The verdict, or the fact of an error; anything else fails the test."""
    try:
        return verify(root, public_only=public_only).verdict
    except InputError:
        return "refused"


def _cut(content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randrange(len(content))]


def _flip(content: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(content))
    return content[:place] + bytes([content[place] ^ (1 << dice.randrange(8))]) + content[place + 1 :]


def _noise(content: bytes, dice: random.Random) -> bytes:
    return dice.randbytes(len(content))


def _empty(content: bytes, dice: random.Random) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [_cut, _flip, _noise, _empty])
@pytest.mark.parametrize("file", ["public/datapackage.json", "public/release-0001", "private/*"])
def test_damaged_bytes(good_series: Path, file: str, damage: Callable[[bytes, random.Random], bytes]) -> None:
    """Cut, flipped, replaced and emptied files; damage in public files is never passed over."""
    dice = random.Random(f"{file}{damage.__name__}")
    files = sorted(path for path in good_series.glob(file + ("" if "*" in file or "." in file else ".*")))
    for _ in range(max(2, 12 // len(files))):
        for path in files:
            if path.name in ("lock", "key"):
                continue
            content = path.read_bytes()
            path.write_bytes(damage(content, dice))
            found = outcome(good_series)
            if "release-0001" in file or damage is not _flip:
                assert found in ("violated", "refused"), path.name
            path.write_bytes(content)
    assert outcome(good_series) == "passed"


@pytest.mark.parametrize("text", JSON_VALUES)
@pytest.mark.parametrize(
    "name", ["public/datapackage.json", "private/settings.json", "private/quality-0001.json"]
)
def test_json_of_another_shape(good_series: Path, name: str, text: str) -> None:
    """JSON documents that are something else than expected."""
    (good_series / name).write_text(text)
    assert outcome(good_series) in ("violated", "refused")


def _paths(value: object, prefix: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    if isinstance(value, dict):
        return [prefix, *(path for key, inner in value.items() for path in _paths(inner, (*prefix, key)))]
    if isinstance(value, list):
        return [prefix, *(path for key, inner in enumerate(value) for path in _paths(inner, (*prefix, key)))]
    return [prefix]


@pytest.mark.parametrize("name", ["public/datapackage.json", "private/settings.json"])
def test_every_member_replaced(good_series: Path, name: str) -> None:
    """Each member in turn becomes a number, a text, a list, an object, null; some reports, no crash."""
    path = good_series / name
    original = json.loads(path.read_text())
    for place in _paths(original):
        if not place:
            continue
        for value in (None, {}) if len(place) > 3 else (None, -1, "x", [], {}):
            content = json.loads(json.dumps(original))
            inner = content
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = value
            path.write_text(json.dumps(content, sort_keys=True))
            found = outcome(good_series, public_only=name.startswith("public"))
            harmless = (
                place[-1] == "counterfeits" and value == {}
            )  # fewer counterfeits: nothing public contradicts
            if name.startswith("public") and content != original and not harmless:
                assert found in ("violated", "refused"), (place, value)


@pytest.mark.parametrize("part", ["public", "private", "private/settings.json", "public/datapackage.json"])
def test_missing_parts(good_series: Path, part: str) -> None:
    """Without its private part a series is judged publicly; without anything else it is refused or violated."""
    path = good_series / part
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    found = outcome(good_series)
    assert found == ("passed" if part == "private" else found)
    assert found != "passed" or verify(good_series).mode == "public"


def test_the_public_part_alone_is_a_series(good_series: Path, tmp_path: Path) -> None:
    """Who was given the public folder can judge it."""
    shutil.copytree(good_series / "public", tmp_path / "given away")
    report = verify(tmp_path / "given away")
    assert report.verdict == "passed"
    assert report.mode == "public"


def test_left_overs_of_a_publication_are_ignored(good_series: Path) -> None:
    """Files of the next release and its staging folder are no violation."""
    public, private = good_series / "public", good_series / "private"
    shutil.copy(public / "release-0001.parquet", public / "release-0004.parquet")
    shutil.copy(private / "release-0001.parquet", private / "release-0004.parquet")
    (private / "staging-0004").mkdir(mode=0o700)
    assert outcome(good_series) == "passed"


def _without_m(manifest: dict[str, Any]) -> None:
    del manifest["minv"]["m"]


def _m_as_text(manifest: dict[str, Any]) -> None:
    manifest["minv"]["m"] = "3"


def _endless_m(manifest: dict[str, Any]) -> None:
    manifest["minv"]["m"] = float("inf")


def _without_roles(manifest: dict[str, Any]) -> None:
    del manifest["minv"]["quasi_identifiers"]


@pytest.mark.parametrize(
    ("damage", "stated"),
    [(None, True), (_without_roles, True), (_without_m, False), (_m_as_text, False), (_endless_m, False)],
)
def test_what_a_damaged_series_claims_is_what_its_manifest_states(
    good_series: Path, capsys: pytest.CaptureFixture[str], damage: Callable[..., None] | None, stated: bool
) -> None:
    """Nothing is judged by an m of nobody's."""
    path = good_series / "public" / "datapackage.json"
    manifest = json.loads(path.read_bytes())
    m = manifest["minv"]["m"]
    assert m > 1
    if damage is None:
        next((good_series / "public").glob("release-0001.*")).write_bytes(b"")
    else:
        damage(manifest)
        path.write_text(json.dumps(manifest))
    for words in ((str(good_series),), (str(good_series), "--json"), ("attack", str(good_series))):
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        streams = capsys.readouterr()
        assert ended.value.code in (1, 3)
        if "--json" in words:
            assert json.loads(streams.out)["m"] == (m if stated else 0)
        elif "attack" not in words:
            assert f"VIOLATED (tau-safe, m = {m if stated else 'not stated'};" in streams.err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "too many digits"),
        ("{", "not a readable JSON file"),
    ],
)
def test_documents_that_cannot_be_read_are_told_apart(
    good_series: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    """A manifest and settings that are no JSON, too deep or too long."""
    for place, code in (("private/settings.json", 1), ("public/datapackage.json", 3)):
        (good_series / place).write_text(text)
        with pytest.raises(SystemExit) as ended:
            main([str(good_series)])
        assert ended.value.code == code
        assert reason in capsys.readouterr().err


@pytest.mark.parametrize("key", ["sse", "sst", "il"])
def test_a_recorded_loss_beyond_all_numbers_is_a_false_one(good_series: Path, key: str) -> None:
    """A whole number of 401 digits is JSON, but no loss."""
    path = good_series / "private" / "quality-0001.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {key: 10**400}))
    assert verify(good_series).outcome("loss-recomputed").status == "violated"


def test_a_published_loss_beyond_all_numbers_is_a_false_one(good_series: Path) -> None:
    """In the manifest too."""
    path = good_series / "public" / "datapackage.json"
    manifest = json.loads(path.read_bytes())
    manifest["resources"][0]["minv"]["il"] = 10**400
    path.write_text(json.dumps(manifest))
    assert verify(good_series).outcome("published-loss").status == "violated"
