"""One partition of a table, without a series: the researcher's command."""

import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from minv.encoding import encode
from minv.errors import LimitError, UsageError
from minv.publish.certificate import document
from minv.publish.engine import Budget
from minv.publish.feasibility import check_table
from minv.publish.partition import partition, renumbered
from minv.publish.result import Partition
from minv.series.durable import PRIVATE_FILE, replace_file
from minv.tables.microdata import Microdata
from minv.tables.missing import MissingRules
from minv.tables.roles import Roles
from minv.tables.source import Source
from minv.tables.validation import read_microdata

_PROVING = ("paper", "optimise")  # the methods that prove a bound


@dataclass(frozen=True, slots=True)
class Route:
    """Options of the methods that work on subsets, as the paper describes them.

    Attributes
    ----------
    subsets
        Number of subsets, each a union of clusters of the start.
    start
        Method that makes the start.
    swap_first
        Whether two-swap improves the start before it is divided.
    certified
        Whether the bound is to be certified, which not every method can.
    """

    subsets: int = 1
    start: str = "tau"
    swap_first: bool = True
    certified: bool = False


@dataclass(frozen=True, eq=False)
class TablePartition:
    """A partition of the rows of a table that have no missing value to drop.

    Attributes
    ----------
    microdata
        The rows, in the order of the input.
    partition
        Its labels follow that order.
    """

    microdata: Microdata
    partition: Partition


def partition_table(
    source: Source,
    roles: Roles,
    m: int,
    *,
    missing: MissingRules | None = None,
    max_class_size: int | None = None,
    budget: Budget | None = None,
    route: Route | None = None,
) -> TablePartition:
    """Read a table and partition its rows into m-unique classes.

    The engine sees the rows sorted by content, so that their order in the table plays no part.

    Raises
    ------
    DataError
        The table cannot be used.
    InfeasibleError
        No m-unique partition exists.
    LimitError, CancelledError
        Stopped before any partition was found.
    UsageError
        A certificate is wanted of a method that proves no bound.
    """
    started = time.monotonic()
    budget = budget or Budget()
    route = route or Route()
    if route.certified and budget.method not in _PROVING:
        raise UsageError(
            f"the method {budget.method!r} proves no bound, so there is nothing to certify; choose optimise"
        )
    microdata = read_microdata(source, roles, missing)
    check_table(microdata, m, max_class_size)
    points = encode(microdata.attributes)
    order = np.lexsort((*points.T[::-1], microdata.colours))
    limit = None if budget.time_limit is None else max(0.0, budget.time_limit - (time.monotonic() - started))
    found = partition(
        points[order],
        microdata.colours[order],
        m,
        method=budget.method,
        max_class_size=max_class_size,
        subsets=route.subsets,
        start=route.start,
        swap_first=route.swap_first,
        pricing=budget.pricing,
        time_limit=limit,
        gap=budget.gap,
        effort=budget.effort,
        workers=budget.workers,
        seed=budget.seed,
        solver=budget.solver,
        solver_log=budget.solver_log,
        progress=budget.progress,
        cancel=budget.cancel,
    )
    labels = np.empty(len(order), np.int64)
    labels[order] = found.labels
    certificate = None if found.certificate is None else found.certificate.reordered(order)
    return TablePartition(microdata, replace(found, labels=renumbered(labels), certificate=certificate))


def write_certificate(path: Path, found: TablePartition) -> None:
    """Write the proof of the bound; only its owner may read it.

    Raises
    ------
    LimitError
        The limits were reached before a bound was proved.
    OSError
        The file cannot be written; what was there is unchanged.
    """
    certificate = found.partition.certificate
    if certificate is None:
        raise LimitError("no bound was proved, so there is nothing to certify; allow more time or effort")
    text = document(certificate, found.microdata, found.partition.sst)
    replace_file(path, text.encode(), PRIVATE_FILE)
