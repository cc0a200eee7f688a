"""One column of a table: which family its values belong to, which are missing, its texts or its numbers."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
import pyarrow as pa

from minv.compiled import BoolArray, FloatArray
from minv.errors import DataError
from minv.numerals import NUMERAL, ObjectArray
from minv.tables.arrow import ArrowArray, compute
from minv.tables.quoting import quoting
from minv.tables.text import arrow_texts
from minv.wording import counted, form

_LOOKS_MISSING = frozenset({"", "?", ".", "-", "na", "n/a", "nan", "null", "nil", "<na>", "#n/a", "\\n"})


class Family(StrEnum):
    """What kind of values a column holds, whatever its storage type."""

    NUMBER = "number"  # also a column of text that holds numerals only
    TEXT = "text"
    BOOLEAN = "boolean"
    DATE = "date"
    OTHER = "other"


@dataclass(frozen=True, eq=False)
class RawColumn:
    """The values of one column with the missing ones marked.

    Attributes
    ----------
    values
        A flat Arrow array without dictionary; what is missing is null.
    """

    name: str
    values: ArrowArray

    @cached_property
    def missing(self) -> BoolArray:
        """(n,) whether each value is missing."""
        mask: BoolArray = compute.is_null(self.values).to_numpy(zero_copy_only=False)
        return mask

    @cached_property
    def texts(self) -> ObjectArray:
        """(n,) canonical text of each value, None where it is missing."""
        return arrow_texts(self.values)

    @cached_property
    def family(self) -> Family:
        """The family of the values: text that is numerals only counts as numbers, no value at all as other."""
        if len(self.values) == self.values.null_count:
            return Family.OTHER
        stored = stored_family(self.values.type)
        return Family.NUMBER if stored is Family.TEXT and self._all_numerals() else stored

    def numbers(self) -> FloatArray:
        """(n,) values as 64-bit floats, NaN where missing.

        Raises
        ------
        DataError
            With the number of values that are not numbers or not finite.
        """
        stored = stored_family(self.values.type)
        if stored is Family.NUMBER:
            numbers = _typed_numbers(self.values)
        elif stored is Family.TEXT:
            numbers = self._parsed()
        else:
            raise DataError(
                f"column {self.name!r} holds {stored} values where numbers are expected; "
                f"declare it nominal (--qi {self.name}:nominal) or convert it"
            )
        infinite = int(np.isinf(numbers).sum())
        if infinite:
            raise DataError(
                f"column {self.name!r}: {infinite} of {counted(len(numbers), 'value')} "
                f"{form(infinite, 'is', 'are')} infinite; replace "
                f"{form(infinite, 'it', 'them')}"
            )
        return numbers

    def look_missing(self) -> int:
        """Count the texts that are usual signs of a missing value, such as `?` or `NA`."""
        if stored_family(self.values.type) is not Family.TEXT:
            return 0
        counts = compute.value_counts(self.values)
        return sum(
            entry["counts"]
            for entry in counts.to_pylist()
            if entry["values"] is not None and entry["values"].strip().casefold() in _LOOKS_MISSING
        )

    def _all_numerals(self) -> bool:
        return bool(compute.all(compute.match_substring_regex(self.values, NUMERAL)).as_py())

    def _parsed(self) -> FloatArray:
        numerals = compute.fill_null(compute.match_substring_regex(self.values, NUMERAL), fill_value=True)
        bad = len(numerals) - int(compute.sum(numerals).as_py() or 0)
        if bad:
            error = DataError(
                f"column {self.name!r}: {bad} of {counted(len(numerals), 'value')} "
                f"{form(bad, 'is no number', 'are not numbers')}; declare the column "
                f"nominal (--qi {self.name}:nominal), or declare the codes of missing values (--missing-code)"
            )
            raise quoting(error, self.values.filter(compute.invert(numerals)).to_pylist())
        plain = compute.replace_substring_regex(compute.utf8_trim_whitespace(self.values), r"^\+", "")
        return _floats(compute.cast(plain, pa.float64()))


def raw_column(name: str, values: ArrowArray, codes: frozenset[str]) -> RawColumn:
    """Return a column in its plain form: no dictionary, one chunk; NaN and declared codes are missing.

    Raises
    ------
    DataError
        Values of a type that is neither number, text, boolean nor date.
    """
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
        if isinstance(values, pa.ChunkedArray):
            values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], values.type)
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if pa.types.is_null(values.type):
        values = values.cast(pa.string())
    kind = values.type
    if stored_family(kind) is Family.OTHER:
        raise DataError(f"column {name!r} has the type {kind}; convert it to numbers or text")
    if pa.types.is_floating(kind):
        values = compute.if_else(compute.is_nan(values), pa.scalar(None, kind), values)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        values = values.cast(pa.string())
    column = RawColumn(name, values)
    if not codes:
        return column
    coded = np.isin(column.texts, np.array(sorted(codes), dtype=object)) & ~column.missing
    if not coded.any():
        return column
    return RawColumn(name, compute.if_else(pa.array(coded), pa.scalar(None, values.type), values))


def stored_family(kind: pa.DataType) -> Family:
    """Return the family of a storage type."""
    if pa.types.is_dictionary(kind):
        return stored_family(kind.value_type)
    if pa.types.is_boolean(kind):
        return Family.BOOLEAN
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Family.NUMBER
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return Family.TEXT
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return Family.DATE
    return Family.TEXT if pa.types.is_null(kind) else Family.OTHER


def _typed_numbers(values: ArrowArray) -> FloatArray:
    if pa.types.is_float32(values.type) or pa.types.is_float16(values.type):
        distinct, inverse = np.unique(_floats(values), return_inverse=True)
        narrow = distinct.astype(values.type.to_pandas_dtype())
        exact = np.array([float(str(value)) for value in narrow], dtype=np.float64)
        return exact[inverse]
    if pa.types.is_decimal(values.type):
        return np.array([np.nan if v is None else float(v) for v in values.to_pylist()], dtype=np.float64)
    return _floats(values)


def _floats(values: ArrowArray) -> FloatArray:
    floats: FloatArray = compute.fill_null(
        compute.cast(values, pa.float64(), safe=False), float("nan")
    ).to_numpy(zero_copy_only=False)
    return floats
