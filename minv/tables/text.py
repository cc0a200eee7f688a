"""The one text of every value (docs/format.md, section 1), whatever the table stored it as."""

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from minv.numerals import ObjectArray, number_text
from minv.tables.arrow import ArrowArray, compute


def decimal_text(value: Decimal) -> str:
    """Return all digits of a decimal number, without trailing zeros or an exponent."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def arrow_texts(values: ArrowArray) -> ObjectArray:
    """Return the text of each value of a flat Arrow array, None where it is null.

    Only distinct values are converted, so a column of a million rows and few values costs little.
    """
    encoded = values.dictionary_encode()
    distinct = encoded.dictionary
    texts = np.empty(len(distinct) + 1, dtype=object)
    texts[:-1] = _distinct_texts(distinct)
    codes = compute.fill_null(encoded.indices, len(distinct)).to_numpy(zero_copy_only=False)
    chosen: ObjectArray = texts[codes]
    return chosen


def _distinct_texts(values: ArrowArray) -> list[str]:
    kind = values.type
    if pa.types.is_floating(kind):
        # A 32-bit float is read by its own shortest text: 0.1, not 0.10000000149011612.
        return [number_text(float(str(value))) for value in values.to_numpy(zero_copy_only=False)]
    if pa.types.is_decimal(kind):
        return [decimal_text(value) for value in values.to_pylist()]
    texts: Any = compute.cast(values, pa.string())
    if pa.types.is_timestamp(kind):
        texts = compute.replace_substring_regex(texts, r"\.0+(Z?)$", r"\1")
        texts = compute.replace_substring_regex(texts, r" 00:00:00Z?$", "")
    listed: list[str] = texts.to_pylist()
    return listed
