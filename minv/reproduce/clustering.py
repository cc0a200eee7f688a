"""The COAA paper's experiments: three published methods and ours on samples of Adult (Zhang et al. 2022, section 5)."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from types import MappingProxyType

import numpy as np

from minv.compiled import IntArray
from minv.errors import DataError
from minv.kanonymity import coaa, gaa_cp, kaca, minimise_certainty_penalty
from minv.loss import CertaintyPenalty, MixedRecords, QuasiIdentifier
from minv.loss.tables import penalised
from minv.stopping import Stop
from minv.tables.microdata import Microdata
from minv.tables.missing import MissingPolicy, MissingRules
from minv.tables.roles import Kind, Roles
from minv.tables.roles import QuasiIdentifier as Column
from minv.tables.source import Source
from minv.tables.validation import read_microdata
from minv.wording import counted

ATTRIBUTES = ("age", "sex", "education", "marital-status", "race", "workclass", "native-country", "income")
"""In the paper's order; its first |B| are the quasi-identifiers. Its ninth, occupation, is the sensitive one."""

WITHOUT_HIERARCHY = ("age", "income")  # numbers; two values
SENSITIVE = "occupation"
ROWS = 2000
SIZES = (500, 1000, 1500, 2000)
GROUP_SIZES = (4, 6, 8, 10)
DIMENSIONS = (3, 5, 7, 8)
SWEEP_K, SWEEP_DIMENSION = 6, 7  # of the figures whose abscissa is the number of records
OURS = "optimise"
_SHARE_OF_SLOWEST = 0.9

Method = Callable[[list[QuasiIdentifier], int, int], IntArray]
PUBLISHED: Mapping[str, Method] = MappingProxyType(
    {
        "coaa": lambda attributes, k, _: coaa(MixedRecords(attributes), k),
        "gaa-cp": lambda attributes, k, seed: gaa_cp(MixedRecords(attributes), k, seed),
        "kaca": kaca,
    }
)
METHODS = (*PUBLISHED, OURS)


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run.

    Attributes
    ----------
    rows, k, dimension
        Records of the sample, least class size, number of quasi-identifiers.
    loss
        NCP in total, as the paper has it: rows * dimension for a single class.
    seconds
        Wall seconds.
    """

    rows: int
    k: int
    dimension: int
    method: str
    seed: int
    loss: float
    seconds: float


def read_adult(table: Source, hierarchies: Mapping[str, Path]) -> Microdata:
    """Read the paper's attributes; rows with a missing value ("?" or an empty cell) are left out.

    Raises
    ------
    DataError
        A hierarchy is missing, or the table is not as it should be.
    """
    lacking = [name for name in ATTRIBUTES if name not in (*WITHOUT_HIERARCHY, *hierarchies)]
    if lacking:
        raise DataError(f"no hierarchy for {', '.join(lacking)}; put files COLUMN.csv into one folder")
    columns = tuple(
        Column(name) if name == "age" else Column(name, Kind.NOMINAL, _source(hierarchies, name))
        for name in ATTRIBUTES
    )
    rules = MissingRules(default=MissingPolicy.DROP, codes=frozenset({"?"}))
    microdata = read_microdata(table, Roles(columns, SENSITIVE), rules)
    if microdata.size < ROWS:
        raise DataError(f"{table.title}: {counted(microdata.size, 'complete row')}, but a sample has {ROWS}")
    return microdata


def _source(hierarchies: Mapping[str, Path], name: str) -> str | None:
    return None if name in WITHOUT_HIERARCHY else str(hierarchies[name])


def settings() -> list[tuple[int, int, int]]:
    """Return rows, k and number of quasi-identifiers of every run, each once."""
    grid = [(ROWS, k, dimension) for k, dimension in product(GROUP_SIZES, DIMENSIONS)]
    return grid + [(rows, SWEEP_K, SWEEP_DIMENSION) for rows in SIZES if rows != ROWS]


def measure(
    microdata: Microdata, seeds: Sequence[int], time_limit: float | None, report: Callable[[str], None]
) -> Iterator[Measurement]:
    """Yield all runs on the samples of the given seeds.

    Parameters
    ----------
    time_limit
        Wall seconds of ours; None for nine tenths of those that the slowest of the others has just taken,
        so that with what follows the search it takes no longer.
    report
        Told in one phrase what begins.
    """
    _load_kernels(microdata)
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(microdata.size)
        for rows, k, dimension in settings():
            report(f"seed {seed}: {rows} records, k = {k}, {counted(dimension, 'quasi-identifier')}")
            attributes = penalised(microdata.take(order[:rows]).attributes[:dimension])
            yield from _compare(attributes, rows, k, seed, time_limit)


def _compare(
    attributes: list[QuasiIdentifier], rows: int, k: int, seed: int, time_limit: float | None
) -> Iterator[Measurement]:
    records = MixedRecords(attributes)
    loss = CertaintyPenalty(records)
    slowest = 0.0
    for name in METHODS:
        if name == OURS:
            stop = Stop(time_limit=_SHARE_OF_SLOWEST * slowest if time_limit is None else time_limit)
            run = partial(minimise_certainty_penalty, records, k, seed=seed, stop=stop)
        else:
            run = partial(PUBLISHED[name], attributes, k, seed)
        started = time.perf_counter()
        labels = run()
        seconds = time.perf_counter() - started
        slowest = max(slowest, seconds)
        yield Measurement(rows, k, len(attributes), name, seed, loss.total(labels), seconds)


def _load_kernels(microdata: Microdata) -> None:
    """Run everything once, so that no time is that of the compiler."""
    attributes = penalised(microdata.take(np.arange(60)).attributes)
    for _ in _compare(attributes, 60, 3, 0, 0.1):
        pass
