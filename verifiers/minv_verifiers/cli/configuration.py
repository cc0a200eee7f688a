"""Roles and options from `minv-verify.toml`; the command line has the last word."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minv_verifiers.api import Options
from minv_verifiers.errors import InputError, UsageError
from minv_verifiers.reading.tables import TextFormat

DEFAULT = Path("minv-verify.toml")

_TEXT, _NUMBER, _TEXTS = (str,), (int, float), (list,)
_KEYS: dict[str, tuple[type, ...]] = {
    "qi": _TEXTS,
    "sensitive": _TEXT,
    "id": _TEXT,
    "class": _TEXT,
    "counterfeit": _TEXT,
    "count": _TEXT,
    "m": (int,),
    "model": _TEXT,
    "l": (int,),
    "entropy-l": _NUMBER,
    "encoding": _TEXT,
    "delimiter": _TEXT,
    "missing-codes": _TEXTS,
    "missing-is-value": (bool,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """What was said on the command line; None or empty where nothing was."""

    given: Mapping[str, Any]
    tables: Sequence[Path] = ()
    links: Sequence[Path] = ()
    sensitive_tables: Sequence[Path] = ()
    counterfeit_counts: Sequence[Path] = ()
    claimed_il: Sequence[float] = ()
    claimed_ncp: Sequence[float] = ()
    public_only: bool = False


def options(line: CommandLine, config: Path | None, *, series: bool) -> Options:
    """Merge the configuration file and the command line.

    Parameters
    ----------
    line
        The command line, keys as in the file.
    config
        The file; by default `minv-verify.toml` in the working folder, where it exists.
    series
        Whether the input is a series folder, for which a default file says nothing.

    Raises
    ------
    UsageError, InputError
        The file cannot be read, or holds something else than roles and options.
    """
    stated = {} if series and config is None else _read(config)
    said = {**stated, **{key: value for key, value in line.given.items() if value not in (None, [])}}
    return Options(
        quasi_identifiers=said.get("qi", ()),
        sensitive=said.get("sensitive"),
        person=said.get("id"),
        class_id=said.get("class"),
        counterfeit=said.get("counterfeit"),
        count=said.get("count"),
        missing_is_value=said.get("missing-is-value", False),
        m=said.get("m"),
        model=said.get("model"),
        l_distinct=said.get("l"),
        l_entropy=said.get("entropy-l"),
        claimed_il=line.claimed_il,
        claimed_ncp=line.claimed_ncp,
        tables=line.tables,
        links=line.links,
        sensitive_tables=line.sensitive_tables,
        counterfeit_counts=line.counterfeit_counts,
        text_format=TextFormat(
            encoding=said.get("encoding", "utf-8"),
            delimiter=said.get("delimiter", ",").replace("\\t", "\t"),
            missing_codes=tuple(said.get("missing-codes", ())),
        ),
        public_only=line.public_only,
    )


def _read(config: Path | None) -> dict[str, Any]:
    path = config or DEFAULT
    if not path.is_file():
        if config is not None:
            raise UsageError(f"{config}: no such file")
        return {}
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not TOML in UTF-8") from error
    for key, value in content.items():
        if key not in _KEYS:
            raise InputError(f"{path}: unknown key {key}; known are {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]) or isinstance(value, bool) != (_KEYS[key] == (bool,)):
            raise InputError(f"{path}: {key} has the wrong type")
    return content
