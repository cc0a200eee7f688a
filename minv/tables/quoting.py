"""Raw values beside an error, for those who may see them (`--show-values`)."""

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from minv.errors import MinvError

_Error = TypeVar("_Error", bound=MinvError)
_QUOTED = 3


def quoting(error: _Error, values: Iterable[object]) -> _Error:
    """Return the error with some of the different values as a note; its text stays free of them."""
    quoted = [repr(value) for value in islice(dict.fromkeys(values), _QUOTED)]
    if quoted:
        error.add_note("for instance " + ", ".join(quoted))
    return error
