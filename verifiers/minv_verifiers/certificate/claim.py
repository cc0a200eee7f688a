"""A certificate as its file states it (docs/certificate.md)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np

from minv_verifiers.arrays import FloatArray, IntArray
from minv_verifiers.certificate.problem import Cut
from minv_verifiers.errors import InputError
from minv_verifiers.model import QuasiIdentifier
from minv_verifiers.reading.json_text import TOO_DEEP, UnreadableError, parse_json


@dataclass(frozen=True, eq=False)
class Remembered:
    """What a release after the first has to keep to, as its certificate states it.

    Attributes
    ----------
    signatures
        The values of each; None is a missing one.
    required
        (n,) index of the signature that each row requires, or -1.
    counterfeits
        Most counterfeits.
    price
        What each of them pays in a reduced cost.
    """

    signatures: tuple[tuple[str | None, ...], ...]
    required: IntArray
    counterfeits: int
    price: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Claim:
    """What a certificate claims.

    Attributes
    ----------
    rows, checksum
        Of the table.
    quasi_identifiers, weights, hierarchies, sensitive
        The roles; weights and the ancestors of each value (nearest first) by column.
    m, max_size
        Least and largest size of a class.
    types
        (n,) type of each row.
    duals
        (r,) dual of each type.
    cuts
        Their rows are types.
    slack
        How far below 0 a reduced cost may be.
    bound_sse, bound_il
        The bound.
    left_out
        Rows of the table that take no part.
    remembered
        Of a release after the first.
    """

    rows: int
    checksum: str
    quasi_identifiers: tuple[QuasiIdentifier, ...]
    weights: Mapping[str, float]
    hierarchies: Mapping[str, Mapping[str, list[str]]]
    sensitive: str
    m: int
    max_size: int
    types: IntArray
    duals: FloatArray
    cuts: tuple[Cut, ...]
    slack: float
    bound_sse: float
    bound_il: float
    left_out: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    remembered: Remembered | None = None


def read_claim(path: Path) -> Claim:
    """Read a certificate.

    Raises
    ------
    InputError
        It is missing, no JSON that can be read, or does not follow its schema.
    """
    try:
        content = parse_json(path.read_bytes(), constants=False)
    except OSError as error:
        raise InputError(f"{path}: no such file") from error
    except UnreadableError as error:
        raise InputError(f"{path}: {error}") from error
    try:
        fault = _fault(content)
    except RecursionError:  # what could just be read can still be too deep to be looked at
        raise InputError(f"{path}: {TOO_DEEP}") from None
    if fault:
        raise InputError(f"{path}: {fault}")
    return _claim(content)


def _fault(content: Any) -> str:
    """Where and how a certificate departs from its schema; empty where it follows it."""
    schema = json.loads(
        resources.files("minv_verifiers.certificate").joinpath("certificate.schema.json").read_text("utf-8")
    )
    rules = {
        error.json_path: error.validator
        for error in jsonschema.Draft202012Validator(schema).iter_errors(content)
    }
    if not rules:
        return ""
    place = min(rules)
    what = "the number is too large" if rules[place] == "maximum" else "not as a certificate of format 1 says"
    return f"at {place}: {what}"


def _claim(content: Mapping[str, Any]) -> Claim:
    columns = content["quasi_identifiers"]
    return Claim(
        rows=int(content["table"]["rows"]),  # 3.0 is a whole number too
        checksum=content["table"]["checksum"],
        quasi_identifiers=tuple(
            QuasiIdentifier(column["name"], column["kind"], tuple(column.get("levels", ())))
            for column in columns
        ),
        weights={column["name"]: float(column["weight"]) for column in columns if "weight" in column},
        hierarchies={
            column["name"]: {value: path[1:] for value, path in column["tree"].items()}
            for column in columns
            if "tree" in column
        },
        sensitive=content["sensitive"],
        m=int(content["m"]),
        max_size=int(content["max_size"]),
        types=np.array(content["types"], dtype=np.int64),
        duals=np.array(content["duals"], dtype=np.float64),
        cuts=tuple(_cut(cut) for cut in content["cuts"]),
        slack=float(content["slack"]),
        bound_sse=float(content["bound_sse"]),
        bound_il=float(content["bound_il"]),
        left_out=np.array(content.get("left_out", []), dtype=np.int64),
        remembered=_remembered(content["remembered"]) if "remembered" in content else None,
    )


def _cut(content: Mapping[str, Any]) -> Cut:
    return Cut(
        tuple(map(int, content["types"])),
        tuple(map(int, content["numerators"])),
        int(content["denominator"]),
        float(content["penalty"]),
    )


def _remembered(content: Mapping[str, Any]) -> Remembered:
    return Remembered(
        signatures=tuple(tuple(signature) for signature in content["signatures"]),
        required=np.array(content["required"], dtype=np.int64),
        counterfeits=int(content["counterfeits"]),
        price=float(content["price"]),
    )
