"""The JSON documents of a series: written with sorted keys, read only if they obey their schema."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from minv.errors import DataError

_COMPACT = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def to_bytes(document: dict[str, Any]) -> bytes:
    """Return a document as UTF-8 text with sorted keys and a final line end."""
    return (json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def to_lines(document: Mapping[str, Any], lists: str) -> bytes:
    """Return a document as UTF-8 text with sorted keys, a line for each member, and one for each item of a list.

    Made for lists that only grow: unlike `to_bytes` it takes hardly any time for an item, nor blanks.

    Parameters
    ----------
    lists
        Name of the member that is the list.
    """
    members = [
        f"  {_COMPACT(name)}: {_lines(value) if name == lists else _COMPACT(value)}"
        for name, value in sorted(document.items())
    ]
    return ("{\n" + ",\n".join(members) + "\n}\n").encode()


def _lines(items: Iterable[Any]) -> str:
    lines = [f"    {_COMPACT(item)}" for item in items]
    return "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"


def read_document(path: Path, schema: str) -> dict[str, Any]:
    """Read a JSON document and check it against a schema of this package.

    Parameters
    ----------
    schema
        `datapackage` or `settings`.

    Raises
    ------
    DataError
        The file cannot be read, is not JSON, or breaks the schema.
    """
    return parse_document(read_bytes(path), schema, str(path))


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises
    ------
    DataError
        It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or 'it cannot be read'}") from None


def parse_document(content: bytes, schema: str, title: str) -> dict[str, Any]:
    """Check the bytes of a document against a schema of this package.

    Raises
    ------
    DataError
        Naming the place of the first fault.
    """
    return check_document(parse_json(content, title), schema, title)


def parse_json(content: bytes, title: str) -> Any:
    """Return what the bytes of a JSON document hold.

    Raises
    ------
    DataError
        It is not JSON.
    """
    try:
        return json.loads(content)
    except ValueError:
        raise DataError(f"{title}: not JSON; restore the file from a backup") from None


def check_document(document: Any, schema: str, title: str) -> dict[str, Any]:
    """Check a document against a schema of this package.

    Raises
    ------
    DataError
        Naming the place of the first fault.
    """
    if isinstance(document, dict) and document.get("format", 1) != 1:
        raise DataError(f"{title}: format {document['format']} needs a newer version of minv")
    fault = next(_validator(schema).iter_errors(document), None)
    if fault is not None:
        raise DataError(
            f"{title}: not a {schema} document of a series at {fault.json_path} ({fault.validator})"
        )
    checked: dict[str, Any] = document
    return checked


@cache
def _validator(schema: str) -> Draft202012Validator:
    text = resources.files("minv.series").joinpath(f"{schema}.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))
