"""Samples of the paper's sizes, drawn from tables like the paper's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count as naturals
from itertools import islice
from types import MappingProxyType

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.encoding import encode
from minv.errors import DataError
from minv.tables.microdata import Microdata
from minv.tables.missing import MissingPolicy, MissingRules
from minv.tables.roles import Kind, QuasiIdentifier, Roles
from minv.tables.source import Source
from minv.tables.validation import read_microdata
from minv.wording import counted

PATIENCE = 1000  # seeds refused in a row before the search is given up


@dataclass(frozen=True, slots=True)
class Design:
    """How the paper samples one of its data sets (section 6).

    Attributes
    ----------
    sensitive
        Accepted names of the sensitive column.
    most_m
        A sample must be eligible for this m, so that all m are run on the same samples.
    """

    quasi_identifiers: tuple[QuasiIdentifier, ...]
    sensitive: tuple[str, ...]
    rows: int
    most_m: int = 7


DESIGNS: Mapping[str, Design] = MappingProxyType(
    {
        "adult": Design(
            (
                QuasiIdentifier("age"),
                QuasiIdentifier("sex", Kind.NOMINAL),
                QuasiIdentifier("education-num"),
            ),
            ("occupation",),
            1500,
        ),
        "ipums": Design(
            (QuasiIdentifier("sex"), QuasiIdentifier("age"), QuasiIdentifier("educ")),
            ("occupation", "occ"),
            1000,
        ),
    }
)
"""The data sets under the paper's names."""


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """One sample: (n, d) encoded coordinates, (n,) colours."""

    seed: int
    points: FloatArray
    colours: IntArray


def draw_samples(table: Source, design: Design, count: int) -> tuple[Sample, ...]:
    """Return the samples of the first `count` seeds 1, 2, ... that are eligible.

    A third of all samples of 1,500 rows of Adult has an occupation above n/7, so that no 7-unique partition
    exists. Rows with a missing value ("?" or an empty cell) are left out before drawing.

    Raises
    ------
    DataError
        Columns or rows are missing, or too few samples are eligible.
    """
    microdata = _read(table, design)
    return tuple(islice(_eligible(microdata, design), count))


def _read(table: Source, design: Design) -> Microdata:
    sensitive = next((name for name in design.sensitive if name in table.names), design.sensitive[0])
    missing = MissingRules(default=MissingPolicy.DROP, codes=frozenset({"?"}))
    microdata = read_microdata(table, Roles(design.quasi_identifiers, sensitive), missing)
    if microdata.size < design.rows:
        raise DataError(
            f"{table.title}: {counted(microdata.size, 'complete row')}, but a sample has {design.rows}"
        )
    return microdata


def _eligible(microdata: Microdata, design: Design) -> Iterator[Sample]:
    last = 0
    for seed in naturals(1):
        rows = np.random.default_rng(seed).permutation(microdata.size)[: design.rows]
        drawn = microdata.take(rows)
        if drawn.colour_counts.max() * design.most_m <= design.rows:
            colours = np.unique(drawn.colours, return_inverse=True)[1].astype(np.int64)
            yield Sample(seed, encode(drawn.attributes), colours)
            last = seed
        elif seed - last >= PATIENCE:
            raise DataError(f"none of {PATIENCE} samples of {design.rows} rows is {design.most_m}-eligible")
