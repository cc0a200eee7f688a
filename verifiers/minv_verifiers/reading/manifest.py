"""The manifest of a series: parsed, and compared with its schema."""

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema

from minv_verifiers.errors import InputError
from minv_verifiers.model import QuasiIdentifier
from minv_verifiers.reading.json_text import UnreadableError, parse_json

_NEEDED = ["m", "quasi_identifiers", "sensitive", "other"]  # without these the releases cannot be looked at


def read_manifest(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the manifest and its bytes.

    Raises
    ------
    InputError
        It is missing or no JSON object.
    """
    try:
        content = path.read_bytes()
        manifest = parse_json(content)
    except OSError as error:
        raise InputError(f"{path}: no manifest; is this the folder of a series?") from error
    except UnreadableError as error:
        raise InputError(f"{path}: {error}") from error
    if not isinstance(manifest, dict):
        raise InputError(f"{path}: the manifest is not a JSON object")
    return manifest, content


def manifest_errors(manifest: dict[str, Any], content: bytes) -> list[str]:
    """Where the manifest departs from the format; places and rules, never values."""
    schema = _schema()
    errors = [
        f"at {error.json_path}: {_what(error)}"
        for error in sorted(
            jsonschema.Draft202012Validator(schema).iter_errors(manifest), key=lambda e: e.json_path
        )
    ]
    if errors:
        return errors
    return [*_numbering(manifest), *_roles(manifest), *_key_order(content)]


def _schema() -> dict[str, Any]:
    text = resources.files("minv_verifiers.reading").joinpath("manifest.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def _what(error: Any) -> str:
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"the member {missing[0]} is missing"
    if error.validator == "additionalProperties":
        allowed = error.schema.get("properties", {})
        return f"the member {sorted(set(error.instance) - set(allowed))[0]} does not belong there"
    return f"breaks the schema's rule {error.validator}"


def _numbering(manifest: dict[str, Any]) -> list[str]:
    errors = []
    for number, resource in enumerate(manifest["resources"], start=1):
        name = f"release-{number:04d}"
        suffix = resource["format"]
        expected = (number, name, f"{name}.{suffix}")
        if (resource["minv"]["release"], resource["name"], resource["path"]) != expected:
            errors.append(
                f"at $.resources[{number - 1}]: not release {number} with the name and path of its number"
            )
        fields = [field["name"] for field in resource["schema"]["fields"]]
        if fields != expected_columns(manifest):
            errors.append(f"at $.resources[{number - 1}].schema: not the columns of the roles")
    return errors


def _roles(manifest: dict[str, Any]) -> list[str]:
    columns = expected_columns(manifest)
    return ["at $.minv: two roles name the same column"] if len(set(columns)) < len(columns) else []


def _key_order(content: bytes) -> list[str]:
    unsorted = []

    def check(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if names != sorted(set(names)):
            unsorted.append(names)
        return dict(pairs)

    json.loads(content, object_pairs_hook=check)
    return [f"{len(unsorted)} objects have unsorted or repeated keys"] if unsorted else []


def roles_are_usable(manifest: Mapping[str, Any]) -> bool:
    """Whether m and the roles can be read, whatever else is wrong with the manifest."""
    schema = _schema()
    roles = {**schema["properties"]["minv"], "additionalProperties": True, "required": _NEEDED}
    return jsonschema.Draft202012Validator(roles).is_valid(manifest.get("minv"))


def expected_columns(manifest: dict[str, Any]) -> list[str]:
    """Return the columns of a release file, in order."""
    roles = manifest["minv"]
    names = [column["name"] for column in roles["quasi_identifiers"]]
    return ["class", *names, roles["sensitive"]["name"], *roles["other"]]


def quasi_identifiers_of(manifest: dict[str, Any]) -> tuple[QuasiIdentifier, ...]:
    """Return the quasi-identifiers with their scales."""
    return tuple(
        QuasiIdentifier(column["name"], column["kind"], tuple(column.get("levels", ())))
        for column in manifest["minv"]["quasi_identifiers"]
    )
