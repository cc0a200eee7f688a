"""Hierarchies from files: `;`-separated lines, or nested TOML or JSON."""

import csv
import io
import json
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from minv.errors import DataError
from minv.hierarchy.building import Path, tree_from_paths
from minv.hierarchy.intervals import Intervals
from minv.hierarchy.tree import ROOT_LABEL, Hierarchy
from minv.numerals import number_text
from minv.wording import counted

_INTERVAL_KEYS = {"low", "high", "widths", "bounds"}


def read_hierarchy(path: FilePath, *, encoding: str = "utf-8-sig") -> Hierarchy | Intervals:
    """Read a hierarchy; the suffix tells the form.

    - `.toml`, `.json`: nested tables whose keys are inner nodes and whose lists hold leaves (texts or
      numbers, or further tables). A single outermost key is the root; several get the root `*`. Branches
      may differ in depth. A document whose only key is `intervals`, with `low`, `high` and `widths` or with
      `bounds` (a list for each level, the finest first; or one list), describes an interval tree instead.
    - any other: lines of labels separated by `;`, the value first, then ever more general labels, the root
      (`*`) last; no header; the same number of labels on each line.

    Raises
    ------
    DataError
        The file cannot be read or decoded, or is no tree (see `tree_from_paths`).
    """
    source = path.name
    text = _text(path, encoding)
    suffix = path.suffix.lower()
    if suffix not in {".toml", ".json"}:
        return tree_from_paths(_lines(text, source), source)
    document = _document(text, suffix, source)
    declared = document.get("intervals")
    if isinstance(declared, dict) and (len(document) == 1 or declared.keys() <= _INTERVAL_KEYS):
        if others := len(document) - 1:
            raise DataError(
                f"{source}: {counted(others, 'other key')} beside `intervals`, which must stand "
                "alone; move or remove the others"
            )
        return _intervals(declared, source)
    if not document:
        raise DataError(f"{source}: the hierarchy is empty; list its values")
    if len(document) > 1:
        document = {ROOT_LABEL: document}
    return tree_from_paths(_nested(document, (), source), source)


def _text(path: FilePath, encoding: str) -> str:
    try:
        return path.read_bytes().decode(encoding)  # not as text, which would rewrite line ends inside labels
    except OSError as error:
        raise DataError(f"{path}: cannot read the hierarchy: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path.name}: the hierarchy is not {encoding.removesuffix('-sig')} text") from None


def _lines(text: str, source: str) -> Iterator[Path]:
    if text.strip() and ";" not in text:
        raise DataError(f"{source}: no `;` in the whole hierarchy; separate the labels of a line by `;`")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";", strict=True)
    width = 0
    try:
        for labels in reader:
            if not labels:
                continue
            width = width or len(labels)
            if len(labels) != width:
                raise DataError(
                    f"{source}: line {reader.line_num} has {len(labels)} labels, the first has {width}; "
                    "give every value the same number of levels, repeating a label where it has fewer"
                )
            yield Path(labels, f"line {reader.line_num}")
    except csv.Error:
        raise DataError(f"{source}: line {reader.line_num} is not a line of `;`-separated labels") from None


def _document(text: str, suffix: str, source: str) -> dict[str, Any]:
    try:
        document = tomllib.loads(text) if suffix == ".toml" else json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise DataError(f"{source}: not JSON (line {error.lineno}, column {error.colno})") from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{source}: not TOML: {error}") from None
    except KeyError:
        raise DataError(
            f"{source}: a JSON object has the same key twice; every label must occur once"
        ) from None
    except RecursionError:
        raise DataError(f"{source}: the hierarchy is nested too deep") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise DataError(f"{source}: a number of the hierarchy is too long; write it as a text") from None
    if not isinstance(document, dict):
        raise DataError(f"{source}: the hierarchy must be a table (object) of labels")
    return document


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise KeyError
    return members


def _nested(node: Any, ancestors: tuple[str, ...], source: str) -> Iterator[Path]:
    """Yield a path a leaf; `ancestors` run from the root down."""
    if isinstance(node, dict):
        for label, below in node.items():
            if not below and isinstance(below, dict | list):
                raise DataError(f"{source}: an inner node has nothing below it; list its values")
            yield from _nested(below, (*ancestors, label), source)
    elif isinstance(node, list):
        for item in node:
            yield from _nested(item, ancestors, source)
    else:
        labels = [_scalar(node, source), *reversed(ancestors)]
        yield Path(labels, f"entry {' > '.join(ancestors)}")


def _scalar(value: Any, source: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # all digits, as nominal columns keep them
    if isinstance(value, float) and math.isfinite(value):
        return number_text(value)
    raise DataError(
        f"{source}: a value of the hierarchy is neither a text nor a finite number; write it as a text"
    )


def _intervals(figures: dict[str, Any], source: str) -> Intervals:
    try:
        if set(figures) == {"low", "high", "widths"}:
            low, high, *widths = _numbers([figures["low"], figures["high"], *_list(figures["widths"])])
            return Intervals.of_widths(low, high, widths)
        if set(figures) == {"bounds"}:
            levels = _list(figures["bounds"])
            if not any(isinstance(level, list) for level in levels):
                levels = [levels]
            return Intervals(tuple(map(_numbers, levels)))
    except DataError as error:
        raise DataError(f"{source}: {error}") from None
    except TypeError:
        pass
    if unknown := len(figures.keys() - _INTERVAL_KEYS):
        raise DataError(
            f"{source}: {counted(unknown, 'unknown key')} under `intervals`; it knows "
            "low, high, widths and bounds"
        )
    if "bounds" in figures and len(figures) > 1:
        raise DataError(f"{source}: `bounds` say all; remove `low`, `high` and `widths`, or give these alone")
    raise DataError(
        f"{source}: intervals need the numbers `low` and `high` and the list of numbers `widths`, or `bounds`: a list "
        "of ascending numbers for each level"
    )


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _numbers(values: Any) -> tuple[float, ...]:
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in _list(values)):
        raise TypeError
    try:
        return tuple(float(value) for value in values)
    except OverflowError:
        raise DataError("a number of the intervals is too large") from None
