"""One canonical text for every value, whatever frame, file or dtype it came from (docs/format.md, section 1)."""

import datetime
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from minv_verifiers.arrays import BoolArray, IntArray
from minv_verifiers.errors import InputError

if TYPE_CHECKING:
    Texts: TypeAlias = pa.Array[Any]  # canonical texts; null is a missing value
else:
    Texts = pa.Array

_compute: Any = pyarrow.compute  # generated functions, of which no stub tells the types


def number_text(value: float) -> str:
    """Shortest decimal text that reads back as the same float; integral values below 2^53 without a point."""
    if math.isfinite(value) and value == int(value) and abs(value) < 2**53:
        return str(int(value))
    return repr(float(value))


def value_text(value: Any) -> str | None:
    """Canonical text of one Python value; None if it is missing."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return None if math.isnan(value) else number_text(float(value))
    if isinstance(value, pd.Interval):
        opening = "[" if value.closed in ("left", "both") else "("
        closing = "]" if value.closed in ("right", "both") else ")"
        return f"{opening}{value_text(value.left)}, {value_text(value.right)}{closing}"
    if isinstance(value, datetime.datetime):
        # A pandas timestamp keeps nanoseconds that its time of day leaves out.
        midnight = (
            value.time() == datetime.time() and value.tzinfo is None and not getattr(value, "nanosecond", 0)
        )
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    return str(value)


def canonical(column: Any, name: str) -> Texts:
    """Canonical texts of a column, in row order; a pandas index is ignored.

    Parameters
    ----------
    column
        A pandas Series of any dtype and backend, a pyarrow array, or any sequence.
    name
        The column's name, for the error message.

    Raises
    ------
    InputError
        The column is nested.
    """
    array = _arrow(column)
    if array is None:
        return texts_of(value_text(value) for value in _objects(column))
    return _from_arrow(array, name)


def _objects(column: Any) -> Iterable[Any]:
    return column.array if isinstance(column, pd.Series) else column


def _arrow(column: Any) -> Any:
    """Return the column as an Arrow array where that keeps every value apart; None for mixed objects."""
    if isinstance(column, pa.ChunkedArray):
        return column.combine_chunks()
    if isinstance(column, pa.Array):
        return column
    if isinstance(column, pd.Series):
        if isinstance(column.dtype, pd.CategoricalDtype):
            categories = canonical(pd.Series(column.cat.categories), str(column.name))
            return pick(categories, np.asarray(column.cat.codes, dtype=np.int64))
        if column.dtype == object or isinstance(column.dtype, (pd.IntervalDtype, pd.PeriodDtype)):
            return None
        values: Any = column.array
        return _flat(pa.array(values, from_pandas=True))
    if isinstance(column, np.ndarray) and column.dtype != object:
        return pa.array(column)
    return None


def _flat(array: Any) -> Any:
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _from_arrow(array: Any, name: str) -> Texts:
    kind = array.type
    if pa.types.is_dictionary(kind):
        decoded: Texts = _from_arrow(array.dictionary, name).take(array.indices)
        return decoded
    plain = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    if plain or pa.types.is_integer(kind):
        cast: Texts = _flat(_compute.cast(array, pa.string()))
        return cast
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise InputError(
            f"column {name}: values of type {kind} are not supported; store plain text or numbers"
        )
    # Few distinct values as a rule: the Python conversion runs once for each of them.
    encoded = _compute.dictionary_encode(array)
    return texts_of(value_text(value.as_py()) for value in encoded.dictionary).take(encoded.indices)


def texts_of(values: Iterable[str | None]) -> Texts:
    """Make a column of given texts."""
    return pa.array(list(values), type=pa.string())


def missing(texts: Texts) -> BoolArray:
    """Whether each text is missing."""
    return np.asarray(texts.is_null().to_numpy(zero_copy_only=False), dtype=np.bool_)


def among(texts: Texts, values: Iterable[str]) -> BoolArray:
    """Whether each text is one of `values`; a missing one is not."""
    found = _compute.is_in(texts, value_set=texts_of(values), skip_nulls=True)
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.bool_)


def contains(texts: Texts, part: str) -> bool:
    """Whether any text contains `part`."""
    return bool(_compute.any(_compute.match_substring(texts, part)).as_py())


def blank(texts: Texts, where: BoolArray) -> Texts:
    """Return the texts, those `where` says so missing."""
    result: Texts = _compute.if_else(pa.array(where), pa.scalar(None, pa.string()), texts)
    return result


def pick(texts: Texts, rows: IntArray) -> Texts:
    """Return the texts of some rows; missing for row -1."""
    indices: Any = pa.array(rows, mask=rows < 0)
    return texts.take(indices)


def translate(texts: Texts, convert: Callable[[str], str | None]) -> Texts:
    """Convert every text, each distinct one once; a missing one stays missing."""
    encoded = _compute.dictionary_encode(texts)
    return texts_of(convert(text) for text in encoded.dictionary.to_pylist()).take(encoded.indices)


def positions(texts: Texts, values: Texts) -> IntArray:
    """Return the place of each text in `values`, or -1."""
    found = _compute.fill_null(_compute.index_in(texts, value_set=values), -1)
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.int64)


def distinct(texts: Texts) -> tuple[IntArray, Texts]:
    """Return codes and distinct texts in order of first appearance, a missing text being one of them."""
    encoded = _compute.dictionary_encode(texts, null_encoding="encode")
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), dtype=np.int64), encoded.dictionary


def listed(texts: Texts) -> list[str]:
    """Return the texts as a list, a missing one being empty."""
    return [text or "" for text in texts.to_pylist()]
