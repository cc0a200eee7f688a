"""TOML and JSON files about the generalisations of a column (docs/tables.md, the section on hierarchies)."""

import math
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from minv_verifiers.errors import InputError
from minv_verifiers.reading.json_text import TOO_DEEP, TOO_LONG, UnreadableError, parse_json
from minv_verifiers.text import number_text

SUFFIXES = frozenset({".toml", ".json"})
INTERVALS = "intervals"
ROOT = "*"


def is_document(path: Path) -> bool:
    """Whether the name of a file promises TOML or JSON."""
    return path.suffix.lower() in SUFFIXES


def read_document(path: Path) -> dict[str, Any]:
    """Return the outermost table of a file.

    Raises
    ------
    InputError
        The file cannot be read, is no TOML or JSON, or has one key twice.
    """
    kind = path.suffix[1:].upper()
    try:
        text = path.read_text("utf-8-sig")
        document = _parse_toml(text) if kind == "TOML" else parse_json(text, pairs=_distinct)
    except UnreadableError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, ValueError):
        raise InputError(f"{path}: not a readable {kind} file in UTF-8") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: the outermost value is no table (object)")
    return document


def declares_intervals(document: Mapping[str, Any]) -> bool:
    """Whether a document describes intervals of numbers by widths or bounds, instead of a tree of labels."""
    return set(document) == {INTERVALS} and isinstance(document[INTERVALS], dict)


def nested_paths(document: Mapping[str, Any], path: Path) -> Iterator[list[str]]:
    """Yield each value with the labels above it, the root last.

    Raises
    ------
    InputError
        The document is empty, a label has nothing below it, or a value that is neither a text nor a finite number.
    """
    if not document:
        raise InputError(f"{path}: the file is empty; it needs values with labels above them")
    top: Any = document if len(document) == 1 else {ROOT: document}
    # The labels from the root down to a part, and the part; the next one to look at stands last.
    pending: list[tuple[tuple[str, ...], Any]] = [((), top)]
    while pending:
        above, part = pending.pop()
        if isinstance(part, dict | list) and not part:
            raise InputError(f"{path}: a label has no values below it")
        if isinstance(part, dict):
            pending += [((*above, label), below) for label, below in reversed(part.items())]
        elif isinstance(part, list):
            pending += [(above, item) for item in reversed(part)]
        else:
            yield [_value(part, path), *reversed(above)]


def _value(part: Any, path: Path) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, int) and not isinstance(part, bool):
        return _digits(part, path)
    if isinstance(part, float) and math.isfinite(part):
        return number_text(part)
    raise InputError(f"{path}: a value is neither a text nor a finite number; write it as a text")


def _digits(part: int, path: Path) -> str:
    """Return all digits, as in the cells of a table."""
    try:
        return str(part)
    except ValueError:  # TOML reads longer numbers in base 16 than Python writes in base 10
        raise InputError(f"{path}: {TOO_LONG}") from None


def _parse_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise UnreadableError(TOO_DEEP) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # of a number: all else is said as above
        raise UnreadableError(TOO_LONG) from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise UnreadableError("a JSON object has the same key twice")
    return members
