"""The table behind a certificate: its rows as texts, their checksum, and their coordinates."""

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from minv_verifiers.arrays import FloatArray, IntArray
from minv_verifiers.cells.column import ValueColumn
from minv_verifiers.cells.number import parse_number
from minv_verifiers.certificate.claim import Claim
from minv_verifiers.certificate.encoding import WeightedColumn, encode_rows
from minv_verifiers.errors import InputError
from minv_verifiers.model import QuasiIdentifier
from minv_verifiers.reading.scales import scale_of
from minv_verifiers.reading.tables import Table
from minv_verifiers.text import Texts, missing, number_text, pick, translate
from minv_verifiers.vocabulary import MISSING, encode
from minv_verifiers.wording import counted

Spelling = Callable[[str], str]


class CertifiedTable:
    """The rows of a table that take part, with the roles of a certificate.

    Parameters
    ----------
    table
        The whole table. Where it has more rows than the certificate, those with a missing value are left out.
    claim
        The certificate.

    Raises
    ------
    InputError
        A column is missing, or a value does not fit its column's kind.
    """

    def __init__(self, table: Table, claim: Claim) -> None:
        self._claim = claim
        self._table = _participating(table, claim)
        self._check_kinds()

    def __len__(self) -> int:
        return len(self._table)

    def matches(self) -> bool:
        """Whether the checksum is the stated one; number-like texts may be spelled as they stand or canonically."""
        return any(
            self._checksum(spelling) == self._claim.checksum for spelling in (_as_it_stands, _as_a_number)
        )

    def points(self) -> FloatArray:
        """Return the (n, d) coordinates of the rows.

        Raises
        ------
        InputError
            The numbers of the table are too large to have any.
        """
        columns = [
            WeightedColumn(
                column,
                self._values(column),
                self._claim.weights.get(column.name, 1.0),
                self._claim.hierarchies.get(column.name),
            )
            for column in self._claim.quasi_identifiers
        ]
        with np.errstate(over="ignore", invalid="ignore"):
            points = encode_rows(columns)
        if not np.isfinite(points).all():
            raise InputError(f"{self._table.name}: the numbers of a column are too large to be summed")
        return points

    def colours(self) -> IntArray:
        """Return the (n,) code of each row's sensitive value."""
        (codes,), _ = encode([self._table.column(self._claim.sensitive)])
        return codes

    def colours_of(self, values: Sequence[str | None]) -> list[int]:
        """Return the code of each sensitive value; -1 and below, all different, for those that no row has."""
        texts = self._table.column(self._claim.sensitive).to_pylist()
        codes = dict(zip(texts, self.colours().tolist(), strict=True))
        spelled = {None if text is None else _as_a_number(text): code for text, code in codes.items()}
        return [codes.get(value, spelled.get(value, -1 - place)) for place, value in enumerate(values)]

    def content(self) -> IntArray:
        """Return one integer a row, equal where all quasi-identifiers and the sensitive value are."""
        columns = [self._values(column).codes for column in self._claim.quasi_identifiers]
        stacked = np.column_stack([*columns, self.colours()])
        return np.unique(stacked, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)

    def _values(self, column: QuasiIdentifier) -> ValueColumn:
        (codes,), vocabulary = encode([self._spelled(column, _as_it_stands)])
        return ValueColumn(codes, vocabulary, scale_of(column))

    def _spelled(self, column: QuasiIdentifier, spelling: Spelling) -> Texts:
        texts = self._table.column(column.name)
        numeric = column.kind != "nominal" and not column.levels
        return translate(texts, _as_a_number if numeric else spelling)

    def _check_kinds(self) -> None:
        for column in self._claim.quasi_identifiers:
            values = self._values(column)
            if column.kind == "nominal":
                tree = self._claim.hierarchies.get(column.name)
                strange = [text for text in values.texts if tree and text is not None and text not in tree]
            else:
                strange = [
                    text
                    for text, number in zip(values.texts, values.numbers, strict=True)
                    if text is not None and not np.isfinite(number)
                ]
            if strange:
                raise InputError(
                    f"{self._table.name}: column {column.name}: "
                    f"{counted(len(strange), 'value does', 'different values do')} not fit a"
                    f" {column.kind} column of the certificate"
                )

    def _checksum(self, spelling: Spelling) -> str:
        columns = [self._spelled(column, spelling) for column in self._claim.quasi_identifiers]
        columns.append(translate(self._table.column(self._claim.sensitive), spelling))
        digest = hashlib.sha256()
        for row in zip(*(_escaped(column) for column in columns), strict=True):
            digest.update(("\x1f".join(row) + "\n").encode())
        return f"sha256:{digest.hexdigest()}"


def _escaped(texts: Texts) -> Sequence[str]:
    return [MISSING if text is None else text.replace("\\", "\\\\") for text in texts.to_pylist()]


def _as_it_stands(text: str) -> str:
    return text


def _as_a_number(text: str) -> str:
    number = parse_number(text)
    return text if number is None or abs(number) >= 2**53 else number_text(number)


def _participating(table: Table, claim: Claim) -> Table:
    names = [column.name for column in claim.quasi_identifiers] + [claim.sensitive]
    columns = {name: table.column(name) for name in names}
    rows = np.arange(len(Table(table.name, columns)))
    if len(rows) != claim.rows + len(claim.left_out):
        rows = rows[~np.logical_or.reduce([missing(column) for column in columns.values()])]
    rows = rows[~np.isin(np.arange(len(rows)), claim.left_out)].astype(np.int64)
    return Table(table.name, {name: pick(column, rows) for name, column in columns.items()})
