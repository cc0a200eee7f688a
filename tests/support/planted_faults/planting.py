"""How a good series is broken: what a fault is, and changes of its files."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

DOMAIN = ["ache", "cold", "flu", "gout", "mumps", "rash"]

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


def change_value(place: int, value: str) -> Callable[[dict[str, list[Any]]], None]:
    """Publish another sensitive value on one row."""
    return lambda columns: columns["disease"].__setitem__(place, value)
