"""From columns to a partition: the restricted master as an integer program."""

from dataclasses import replace

import numpy as np

from minv.colgen.covering import columns_of, covering_of
from minv.colgen.pool import take
from minv.compiled import FloatArray, IntArray
from minv.instance import Instance
from minv.pricing.protocol import Columns, joined
from minv.pricing.reduced_costs import reduced_costs
from minv.solvers.protocol import IntegerSolution, SetPartitionSolver


def labels_of_columns(columns: Columns, chosen: IntArray, row_of_point: IntArray) -> IntArray:
    """Return the cluster of each point when the chosen columns cover every row exactly.

    Points of one row are interchangeable; they are dealt to its columns in order. Members beyond the rows are
    counterfeits.
    """
    lengths = np.diff(columns.starts)[chosen]
    offsets = np.cumsum(lengths) - lengths
    entries = np.repeat(columns.starts[:-1][chosen] - offsets, lengths) + np.arange(lengths.sum())
    rows = columns.members[entries]
    clusters = np.repeat(np.arange(len(chosen)), lengths)
    real = rows <= row_of_point.max(initial=-1)
    rows, clusters = rows[real], clusters[real]
    labels = np.empty(len(row_of_point), np.int64)
    labels[np.argsort(row_of_point, kind="stable")] = clusters[np.argsort(rows, kind="stable")]
    return labels


def room_for_columns(solver: SetPartitionSolver, labels: IntArray) -> int:
    """Return how many columns the solver takes beside the clusters of a partition."""
    return max(0, solver.most_columns - len(np.unique(labels)))


def most_promising(columns: Columns, duals: FloatArray, most: int) -> Columns:
    """Return the columns of least reduced cost under the given duals, `most` at most, in their old order."""
    if columns.number <= most:
        return columns
    order = np.argsort(reduced_costs(columns, duals), kind="stable")
    return take(columns, np.sort(order[:most]))


def choose_partition(
    solver: SetPartitionSolver,
    instance: Instance,
    columns: Columns,
    labels: IntArray,
    *,
    time_limit: float,
    relative_gap: float = 0.0,
    seed: int = 0,
    node_limit: int | None = None,
) -> tuple[IntArray, IntegerSolution]:
    """Return the best partition by the given columns and the clusters of `labels`, which is the start.

    The labels are the given ones where the solver finds nothing better. The solver sees all costs in units of the
    start's mean cost, as its tolerances are absolute.
    """
    rows = instance.rows
    known = columns_of(instance, labels)
    covering = covering_of(instance)
    everything = joined([columns, known])
    unit = float(known.costs.mean()) or 1.0
    solution = solver.solve(
        everything.starts,
        everything.members,
        everything.costs / unit,
        covering.multiplicity,
        start=columns.number + np.arange(known.number),
        time_limit=time_limit,
        relative_gap=relative_gap,
        seed=seed,
        node_limit=node_limit,
    )
    solution = replace(solution, objective=solution.objective * unit, bound=solution.bound * unit)
    if not len(solution.chosen) or solution.objective >= known.costs.sum():
        return labels, solution
    return labels_of_columns(everything, solution.chosen, rows.row_of_point), solution
