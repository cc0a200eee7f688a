"""Who was ever published, under which signatures, and when."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from minv.compiled import IntArray
from minv.errors import DataError
from minv.numerals import ObjectArray
from minv.series.columns import Column, read_parquet, to_table

Signature = tuple[str | None, ...]  # sorted by code points, None (a missing value) first

_COLUMNS = ("id", "signature", "first", "last")


@dataclass(frozen=True, eq=False)
class History:
    """One row for each person and signature, in the order of ids, then of first releases.

    Attributes
    ----------
    ids
        (r,) persons.
    codes
        (r,) positions in `signatures`.
    signatures
        The different signatures.
    first, last
        (r,) first and last release in which the person was published under the signature.
    """

    ids: ObjectArray
    codes: IntArray
    signatures: tuple[Signature, ...]
    first: IntArray
    last: IntArray

    @classmethod
    def empty(cls) -> "History":
        """Return the history before the first release."""
        none = np.zeros(0, np.int64)
        return cls(np.zeros(0, object), none, (), none, none)

    def rows_by_id(self) -> dict[str, list[int]]:
        """Return the rows of each person, oldest signature first."""
        rows: dict[str, list[int]] = {}
        for row, person in enumerate(self.ids.tolist()):
            rows.setdefault(person, []).append(row)
        return rows

    def after(self, release: int, published: Mapping[str, Signature]) -> "History":
        """Return the history after a release in which these persons appeared under these signatures."""
        code_of = {signature: code for code, signature in enumerate(self.signatures)}
        for signature in published.values():
            code_of.setdefault(signature, len(code_of))
        spans = {
            (person, code): (first, last)
            for person, code, first, last in zip(
                self.ids.tolist(), self.codes.tolist(), self.first.tolist(), self.last.tolist(), strict=True
            )
        }
        for person, signature in published.items():
            key = (person, code_of[signature])
            spans[key] = (spans[key][0] if key in spans else release, release)
        rows = sorted((person, first, code, last) for (person, code), (first, last) in spans.items())
        return History(
            ids=np.array([row[0] for row in rows], dtype=object),
            codes=np.array([row[2] for row in rows], dtype=np.int64),
            signatures=tuple(code_of),
            first=np.array([row[1] for row in rows], dtype=np.int64),
            last=np.array([row[3] for row in rows], dtype=np.int64),
        )

    def to_table(self) -> pa.Table:
        """Return the content of the history file."""
        texts = np.array([signature_text(signature) for signature in self.signatures], dtype=object)
        columns: dict[str, Column] = {
            "id": self.ids,
            "signature": texts[self.codes],
            "first": self.first,
            "last": self.last,
        }
        return to_table(columns, nullable=False)

    @classmethod
    def read(cls, path: Path) -> "History":
        """Read a history file.

        Raises
        ------
        DataError
            The file is missing or damaged.
        """
        table = read_parquet(path, _COLUMNS)
        encoded = table.column("signature").combine_chunks().dictionary_encode()
        try:
            signatures = tuple(tuple(json.loads(text)) for text in map(str, encoded.dictionary.to_pylist()))
        except (ValueError, TypeError):
            raise DataError(
                f"{path}: a signature is not a JSON array; restore the file from a backup"
            ) from None
        return cls(
            ids=table.column("id").to_numpy(),
            codes=encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64),
            signatures=signatures,
            first=table.column("first").to_numpy(),
            last=table.column("last").to_numpy(),
        )


def signature_text(signature: Sequence[str | None]) -> str:
    """Return the JSON array of a signature."""
    return json.dumps(list(signature), ensure_ascii=False, separators=(",", ":"))


def sorted_signature(values: Iterable[str | None]) -> Signature:
    """Return values as a signature: sorted by code points, a missing value first."""
    return tuple(sorted(values, key=lambda value: (value is not None, value or "")))
