"""The pricing problem as integer programs for CPLEX: one a size, as the paper has it, and one for all sizes.

Let y_i tell whether row i is in the cluster, and D_ij be squared distances. The SSE of a cluster of n rows is the sum
of D over its pairs, divided by n: so n times its reduced cost is a quadratic form in y.

CPLEX has to replace the products of variables by linear constraints. Left to itself, or asked for a global optimum,
it may factor the form, whose rank is low, and has then called wrong solutions optimal; so it does with a form
that has the sums of coordinates as variables.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from minv.compiled import BoolArray, FloatArray, IntArray
from minv.solvers.cplex_engine import CplexOptions, check_size, new_model, solve, to_array
from minv.solvers.protocol import SolveStatus
from minv.stopping import Stop

_LINEARISE = 1
_RELATIVE_GAP, _ABSOLUTE_GAP = 1e-9, 1e-7  # optimal values are near 0
_CHOSEN = 0.5


class PricingAnswer(NamedTuple):
    """What a program found.

    Attributes
    ----------
    members
        Rows of the best cluster found; empty if none was.
    bound
        CPLEX's lower bound on what was minimised; +inf where no cluster is feasible.
    proved
        Whether the search was complete.
    """

    members: IntArray
    bound: float
    proved: bool


class SizeMiqp:
    """The cluster of least reduced cost among those of a given size, by a quadratic program.

    Parameters
    ----------
    points
        (r, d) coordinates of the master rows.
    colours
        (r,) their colours.
    options
        Of CPLEX.
    anchors
        (r,) rows of which a cluster has at least one; None for no such condition.

    Raises
    ------
    UsageError
        CPLEX is not installed, or there are more rows than the Community Edition can solve.
    """

    def __init__(
        self,
        points: FloatArray,
        colours: IntArray,
        options: CplexOptions | None = None,
        anchors: BoolArray | None = None,
    ) -> None:
        self._rows = len(points)
        distances, self._scale = _scaled_distances(points)
        self._program = _quadratic_program(colours, options)
        self._program.require_one(anchors)
        _set_pair_costs(self._program, distances)

    def minimise(self, duals: FloatArray, size: int, stop: Stop) -> PricingAnswer:
        """Minimise the reduced cost, sum over pairs of D / size - sum of duals."""
        _set_sizes(self._program, size, size)
        self._program.set_row_costs(-size / self._scale * duals)
        return self._program.solve(self._rows, self._scale / size, stop)


class AllSizesMiqp:
    """The cluster with the least product of size and reduced cost, by one quadratic program for all sizes.

    The product has the sign of the reduced cost, and no fraction: with y_i^2 = y_i it is the sum over pairs of
    (D_ij - lambda_i - lambda_j) y_i y_j, less the sum of lambda_i y_i.

    Parameters
    ----------
    points, colours, options
        As for `SizeMiqp`.
    smallest, largest
        Least and largest number of members.

    Raises
    ------
    UsageError
        As for `SizeMiqp`.
    """

    def __init__(
        self,
        points: FloatArray,
        colours: IntArray,
        smallest: int,
        largest: int,
        options: CplexOptions | None = None,
    ) -> None:
        self._rows = len(points)
        self._distances, self._scale = _scaled_distances(points)
        self._program = _quadratic_program(colours, options)
        _set_sizes(self._program, smallest, largest)

    def minimise(self, duals: FloatArray, stop: Stop) -> PricingAnswer:
        """Minimise the number of members times the reduced cost."""
        scaled = duals / self._scale
        costs = self._distances - np.add.outer(scaled, scaled)  # symmetric to the last bit
        np.fill_diagonal(costs, 0.0)
        _set_pair_costs(self._program, costs)
        self._program.set_row_costs(-scaled)
        return self._program.solve(self._rows, self._scale, stop)


class SizeMilp:
    """The cluster of least reduced cost among those of a given size, by the paper's linear program (11).

    A variable z_ij a pair of colours that differ tells whether both are in the cluster. In the objective the
    factor of a pair, counted once, is 1 / size: the paper prints half of that. The constraints z_ij <= y_i are
    summed over the rows j of one colour, which is stronger and fits more rows into the Community Edition.

    Parameters
    ----------
    points, colours, options, anchors
        As for `SizeMiqp`.

    Raises
    ------
    UsageError
        As for `SizeMiqp`; there is one variable a pair of rows.
    """

    def __init__(
        self,
        points: FloatArray,
        colours: IntArray,
        options: CplexOptions | None = None,
        anchors: BoolArray | None = None,
    ) -> None:
        rows = len(points)
        colours = _numbered(colours)
        distances, self._scale = _scaled_distances(points)
        first, second = np.nonzero(np.triu(colours[:, None] != colours[None, :]))
        held = np.zeros(
            (rows, colours.max(initial=-1) + 1), np.bool_
        )  # whether a row has pairs with a colour
        held[first, colours[second]] = held[second, colours[first]] = True
        sums = np.full(held.shape, -1)
        sums[held] = 1 + rows + np.arange(held.sum())
        self._rows = rows
        self._program = _Program("pricing MILP", rows + len(first), 1 + rows + int(held.sum()), options)
        engine = self._program.engine
        engine.linear_constraints.add(senses="E" * (1 + rows) + "L" * int(held.sum()))
        engine.variables.add(
            types="B" * rows,
            columns=[
                [[0, *sums[i, held[i]].tolist()], [1.0] + [-1.0] * int(held[i].sum())] for i in range(rows)
            ],
        )
        entries = np.column_stack(
            [1 + first, 1 + second, sums[first, colours[second]], sums[second, colours[first]]]
        )
        engine.variables.add(
            obj=distances[first, second].tolist(),
            types="B" * len(first),
            columns=[[column, [1.0] * 4] for column in entries.tolist()],
        )
        self._program.require_one(anchors)

    def minimise(self, duals: FloatArray, size: int, stop: Stop) -> PricingAnswer:
        """Minimise the reduced cost, sum over pairs of D / size - sum of duals."""
        engine = self._program.engine
        engine.linear_constraints.set_rhs(0, float(size))
        engine.linear_constraints.set_coefficients([(1 + i, i, 1.0 - size) for i in range(self._rows)])
        self._program.set_row_costs(-size / self._scale * duals)
        return self._program.solve(self._rows, self._scale / size, stop)


class _Program:
    """A program whose first variables tell which rows are in the cluster."""

    def __init__(self, task: str, variables: int, rows: int, options: CplexOptions | None) -> None:
        self.model = new_model(task, options)
        check_size(task, rows=rows, variables=variables)
        self.model.parameters.preprocessing.qtolin = _LINEARISE
        self.model.parameters.mip.tolerances.mipgap = _RELATIVE_GAP
        self.model.parameters.mip.tolerances.absmipgap = _ABSOLUTE_GAP
        self.engine: Any = self.model.get_cplex()

    def require_one(self, anchors: BoolArray | None) -> None:
        """Demand one of these rows at least; None demands nothing."""
        if anchors is not None:
            chosen = np.flatnonzero(anchors).tolist()
            self.engine.linear_constraints.add([[chosen, [1.0] * len(chosen)]], senses="G", rhs=[1.0])

    def set_row_costs(self, costs: FloatArray) -> None:
        """Set the linear costs of the rows."""
        self.engine.objective.set_linear(list(enumerate(costs.tolist())))

    def solve(self, rows: int, unit: float, stop: Stop) -> PricingAnswer:
        """Solve; `unit` is what one unit of the objective is worth."""
        status = solve(self.model, time_limit=stop.remaining(), stop=stop)
        if status is SolveStatus.INFEASIBLE:
            return PricingAnswer(np.zeros(0, np.int64), math.inf, True)
        members = np.zeros(0, np.int64)
        if status in (SolveStatus.OPTIMAL, SolveStatus.FEASIBLE):
            values = to_array(self.engine.solution.get_values(0, rows - 1))
            members = np.flatnonzero(values > _CHOSEN)
        bound = -math.inf
        if status is not SolveStatus.FAILED:
            bound = unit * self.engine.solution.MIP.get_best_objective()
        return PricingAnswer(members, bound, status is SolveStatus.OPTIMAL)


def _quadratic_program(colours: IntArray, options: CplexOptions | None) -> _Program:
    """Return a program with one variable a row, whose row 0 counts the members and others the colours."""
    colours = _numbered(colours)
    several = np.flatnonzero(np.bincount(colours) > 1)
    program = _Program("pricing MIQP", len(colours), 1 + len(several), options)
    program.engine.variables.add(types="B" * len(colours))
    chosen = [np.arange(len(colours)), *(np.flatnonzero(colours == colour) for colour in several)]
    program.engine.linear_constraints.add(
        lin_expr=[[rows.tolist(), [1.0] * len(rows)] for rows in chosen],
        senses="R" + "L" * len(several),
        rhs=[0.0] + [1.0] * len(several),
        range_values=[0.0] * len(chosen),
    )
    return program


def _set_sizes(program: _Program, smallest: int, largest: int) -> None:
    program.engine.linear_constraints.set_rhs(0, float(smallest))
    program.engine.linear_constraints.set_range_values(0, float(largest - smallest))


def _set_pair_costs(program: _Program, costs: FloatArray) -> None:
    """Set the costs of pairs; the engine halves the form, which counts every pair twice."""
    everything = list(range(len(costs)))
    if everything:  # the engine refuses a form of no variables
        program.engine.objective.set_quadratic([[everything, row] for row in costs.tolist()])


def _scaled_distances(points: FloatArray) -> tuple[FloatArray, float]:
    """Return squared distances in units of their mean, diagonal 0, and that mean."""
    distances = cdist(points, points, "sqeuclidean")
    mean = float(distances.mean()) if distances.any() else 1.0
    return distances / mean, mean


def _numbered(colours: IntArray) -> IntArray:
    numbers: IntArray = np.unique(colours, return_inverse=True)[1].reshape(-1)
    return numbers
