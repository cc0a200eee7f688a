"""The custodian's files of a series (docs/format.md, section 3)."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema

from minv_verifiers.errors import InputError
from minv_verifiers.folder import PrivatePart
from minv_verifiers.model import DELETED, PUBLISHED, SUPPRESSED
from minv_verifiers.reading.json_text import UnreadableError, parse_json
from minv_verifiers.reading.tables import Table, read_table
from minv_verifiers.text import Texts, among, distinct, listed, missing
from minv_verifiers.wording import counted

_RELEASE_COLUMNS = ("id", "class", "counterfeit", "status")
_HISTORY_COLUMNS = ("id", "signature", "first", "last")


def read_private_part(root: Path, releases: int) -> tuple[PrivatePart, tuple[Table | None, ...]]:
    """Return the private files of a series with so many releases, and why those that are missing cannot be read."""
    problems: dict[str, str] = {}
    settings = _read_json(root / "settings.json", problems)
    if settings is not None and not _is_valid(settings, problems):
        settings = None
    tables = tuple(
        _read_release(root / f"release-{number:04d}.parquet", problems) for number in range(1, releases + 1)
    )
    history = _read_history(root / f"history-{releases:04d}.parquet", problems)
    qualities = tuple(
        _read_json(root / f"quality-{number:04d}.json", problems) for number in range(1, releases + 1)
    )
    _check_key(root / "key", problems)
    part = PrivatePart(root=root, settings=settings, history=history, qualities=qualities, problems=problems)
    return part, tables


def _read_json(path: Path, problems: dict[str, str]) -> dict[str, Any] | None:
    try:
        content = parse_json(path.read_bytes())
    except OSError:
        problems[path.name] = "the file is missing"
    except UnreadableError as error:
        problems[path.name] = str(error)
    else:
        if isinstance(content, dict):
            return content
        problems[path.name] = "the file is not a JSON object"
    return None


def _is_valid(settings: dict[str, Any], problems: dict[str, str]) -> bool:
    schema = json.loads(
        resources.files("minv_verifiers.reading").joinpath("settings.schema.json").read_text("utf-8")
    )
    places = sorted(
        error.json_path for error in jsonschema.Draft202012Validator(schema).iter_errors(settings)
    )
    if places:
        problems["settings.json"] = f"at {places[0]}: not as the format says"
    return not places


def _check_key(path: Path, problems: dict[str, str]) -> None:
    if not path.is_file():
        problems[path.name] = "the file is missing"
    elif path.stat().st_size != 32:
        problems[path.name] = "the key has not 32 bytes"


def _read_release(path: Path, problems: dict[str, str]) -> Table | None:
    table = _read_columns(path, _RELEASE_COLUMNS, problems)
    if table is not None and (problem := _inconsistency(table)):
        problems[path.name] = problem
        return None
    return table


def _read_columns(path: Path, needed: tuple[str, ...], problems: dict[str, str]) -> Table | None:
    if not path.is_file():
        problems[path.name] = "the file is missing"
        return None
    try:
        table = read_table(path)
        for name in needed:
            table.column(name)
    except InputError as error:
        problems[path.name] = str(error)
        return None
    return table


def _inconsistency(table: Table) -> str:
    """Return what is wrong with the columns that every private release file has; empty if nothing."""
    status, counterfeit = table.column("status"), table.column("counterfeit")
    published, made_up = among(status, [PUBLISHED]), among(counterfeit, ["true"])
    checks = {
        "status": among(status, [PUBLISHED, SUPPRESSED, DELETED]),
        "counterfeit": among(counterfeit, ["true", "false"]),
        "class": ~missing(table.column("class")) == published,
        "id": missing(table.column("id")) == made_up,
        "counterfeits' status": published | ~made_up,
    }
    for name, good in checks.items():
        wrong = int((~good).sum())
        if wrong:
            return f"{counted(wrong, 'row has', 'rows have')} an impossible {name}"
    return ""


def _read_history(path: Path, problems: dict[str, str]) -> dict[str, Texts] | None:
    table = _read_columns(path, _HISTORY_COLUMNS, problems)
    if table is None:
        return None
    columns = {name: table.column(name) for name in _HISTORY_COLUMNS}
    try:
        for text in listed(distinct(columns["signature"])[1]):
            if not isinstance(parse_json(text), list):
                raise ValueError
        for name in ("first", "last"):
            {int(text) for text in listed(distinct(columns[name])[1])}
    except (TypeError, ValueError):
        problems[path.name] = "a signature is not a JSON array, or a release not a number"
        return None
    return columns
