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

    def signatures_of(self, persons: Iterable[str]) -> dict[str, tuple[Signature, ...]]:
        """Return the signatures of those persons who were ever published, oldest first."""
        listed = list(persons)
        return {
            person: tuple(self.signatures[code] for code in self.codes[start:end].tolist())
            for person, start, end in zip(listed, *self._places(listed), strict=True)
            if start < end
        }

    def after(self, release: int, published: Mapping[str, Signature]) -> "History":
        """Return the history after a release in which these persons appeared under these signatures."""
        code_of = {signature: code for code, signature in enumerate(self.signatures)}
        for signature in published.values():
            code_of.setdefault(signature, len(code_of))
        persons = sorted(published)
        last = self.last.copy()
        added: list[tuple[int, str, int]] = []  # where, who, under which signature
        for person, start, end in zip(persons, *self._places(persons), strict=True):
            code = code_of[published[person]]
            known = self.codes[start:end].tolist()
            if code in known:
                last[start + known.index(code)] = release
            else:
                added.append((end, person, code))
        places = [place for place, _, _ in added]
        return History(
            ids=np.insert(self.ids, places, np.array([person for _, person, _ in added], dtype=object)),
            codes=np.insert(self.codes, places, [code for _, _, code in added]),
            signatures=tuple(code_of),
            first=np.insert(self.first, places, release),
            last=np.insert(last, places, release),
        )

    def _places(self, persons: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return where the rows of each person begin and end; nobody else is looked at, however many there are."""
        wanted = np.array(persons, dtype=object)
        return (
            np.searchsorted(self.ids, wanted).tolist(),
            np.searchsorted(self.ids, wanted, side="right").tolist(),
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
        ids = table.column("id").to_numpy()
        try:
            signatures = tuple(tuple(json.loads(text)) for text in map(str, encoded.dictionary.to_pylist()))
            ordered = bool((ids[:-1] <= ids[1:]).all())
        except (ValueError, TypeError):
            raise DataError(
                f"{path}: a signature is not a JSON array or an id no text; restore the file from a backup"
            ) from None
        codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        history = cls(
            ids, codes, signatures, table.column("first").to_numpy(), table.column("last").to_numpy()
        )
        return history if ordered else history._sorted()

    def _sorted(self) -> "History":
        """Return the rows in their order; a history of another program may be in any."""
        rows = list(zip(self.ids.tolist(), self.first.tolist(), self.codes.tolist(), strict=True))
        order = np.array(sorted(range(len(rows)), key=rows.__getitem__), dtype=np.int64)
        return History(
            self.ids[order], self.codes[order], self.signatures, self.first[order], self.last[order]
        )


def signature_text(signature: Sequence[str | None]) -> str:
    """Return the JSON array of a signature."""
    return json.dumps(list(signature), ensure_ascii=False, separators=(",", ":"))


def sorted_signature(values: Iterable[str | None]) -> Signature:
    """Return values as a signature: sorted by code points, a missing value first."""
    return tuple(sorted(values, key=lambda value: (value is not None, value or "")))
