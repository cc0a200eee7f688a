"""JSON from files that nobody vouches for: whatever cannot be read has a reason that can be said."""

import json
from collections.abc import Callable
from typing import Any

NO_JSON = "not a readable JSON file in UTF-8"
TOO_DEEP = "nested too deeply to be read"
TOO_LONG = "a whole number has too many digits to be read"


class UnreadableError(ValueError):
    """A text cannot be read as JSON (or TOML); the error's text says why, as the end of a sentence."""


def parse_json(
    content: bytes | str,
    *,
    pairs: Callable[[list[tuple[str, Any]]], Any] | None = None,
    constants: bool = True,
) -> Any:
    """Return the value of a JSON text; bytes are UTF-8.

    Parameters
    ----------
    content
        The text.
    pairs
        Makes an object of its members.
    constants
        Whether NaN and Infinity, which are Python's and not JSON's, are read.

    Raises
    ------
    UnreadableError
        It is no JSON, nested too deeply, or holds a number that cannot be read.
    """
    try:
        return json.loads(
            content, object_pairs_hook=pairs, parse_int=_whole, parse_constant=None if constants else _refuse
        )
    except RecursionError:
        raise UnreadableError(TOO_DEEP) from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise UnreadableError(NO_JSON) from None


def _refuse(name: str) -> float:
    raise UnreadableError("a number is not finite")


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python refuses thousands of digits
        raise UnreadableError(TOO_LONG) from None
