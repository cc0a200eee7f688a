"""The JSON documents of a series: written with sorted keys, read only if they obey their schema."""

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from minv.errors import DataError


def to_bytes(document: dict[str, Any]) -> bytes:
    """Return a document as UTF-8 text with sorted keys and a final line end."""
    return (json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


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
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    return parse_document(content, schema, str(path))


def parse_document(content: bytes, schema: str, title: str) -> dict[str, Any]:
    """Check the bytes of a document against a schema of this package.

    Raises
    ------
    DataError
        Naming the place of the first fault.
    """
    try:
        document = json.loads(content)
    except ValueError:
        raise DataError(f"{title}: not JSON; restore the file from a backup") from None
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
