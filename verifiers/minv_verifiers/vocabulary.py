"""Texts behind integer codes, shared by all releases of a series."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import SupportsInt

import numpy as np
import pyarrow as pa

from minv_verifiers.arrays import IntArray
from minv_verifiers.text import Texts, distinct, missing, texts_of

MISSING = "\\N"  # how a missing value is shown (docs/format.md, section 1)
_LIKE_MISSING = re.compile(r"\\+N")


def name_of(value: str | None) -> str:
    r"""Return a name that no other value has: its text, but ``\N`` for a missing one.

    Hence ``\\N`` for the text ``\N``, and so on.
    """
    if value is None:
        return MISSING
    return f"\\{value}" if _LIKE_MISSING.fullmatch(value) else value


class Vocabulary:
    """The distinct texts of one kind of value; code i stands for text i.

    Parameters
    ----------
    texts
        Distinct texts; null stands for a missing value.
    """

    def __init__(self, texts: Texts) -> None:
        self.array = texts

    def __len__(self) -> int:
        return len(self.array)

    @cached_property
    def all(self) -> list[str | None]:
        """Every text in the order of codes; None for a missing value."""
        return list(self.array.to_pylist())

    def text(self, code: SupportsInt) -> str:
        r"""Return the text of one code; a missing value is shown as ``\N``."""
        value = self.array[int(code)].as_py()
        return MISSING if value is None else str(value)

    def name(self, code: SupportsInt) -> str:
        """Return the name of one code, by which no two values are confused."""
        return name_of(self.array[int(code)].as_py())

    def names(self, codes: IntArray) -> tuple[str, ...]:
        """Return the names of several codes, sorted by code point of the values (a missing value first)."""
        return tuple(map(name_of, sorted((self.all[code] for code in codes), key=_missing_first)))

    def codes_by_name(self) -> dict[str, int]:
        """Return the code of each name, in the order of codes."""
        return {name_of(value): code for code, value in enumerate(self.all)}


def _missing_first(value: str | None) -> tuple[bool, str]:
    return (value is not None, value or "")


def encode(columns: Sequence[Texts]) -> tuple[list[IntArray], Vocabulary]:
    """Code several columns by one vocabulary, a missing value being a value of its own.

    Returns
    -------
    list of array
        The codes of each column.
    Vocabulary
        The texts, in order of first appearance.
    """
    together: Texts = pa.concat_arrays(columns) if columns else texts_of([])
    codes, texts = distinct(together)
    ends = np.cumsum([len(column) for column in columns])
    return list(np.split(codes, ends[:-1])) if columns else [], Vocabulary(texts)


def missing_code(vocabulary: Vocabulary | None) -> int:
    """Return the code of the missing value, or -1 where none is missing."""
    if vocabulary is None or not vocabulary.array.null_count:
        return -1
    return vocabulary.all.index(None)


def encode_persons(columns: Sequence[Texts]) -> tuple[list[IntArray], Vocabulary]:
    """Code ids like `encode`, but a missing id is -1: nobody."""
    coded, vocabulary = encode(columns)
    return [
        np.where(missing(column), -1, codes) for codes, column in zip(coded, columns, strict=True)
    ], vocabulary
