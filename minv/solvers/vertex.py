"""A vertex of a covering relaxation by HiGHS: few values of a vertex are fractional, unlike those of a centre."""

import numpy as np

from minv.compiled import FloatArray, IntArray
from minv.solvers.entries import merged_entries
from minv.solvers.highs import covering_model, run, silent_highs, status_of
from minv.solvers.log import SolverLog
from minv.solvers.protocol import SolveStatus


def highs_vertex(
    starts: IntArray,
    rows: IntArray,
    costs: FloatArray,
    rhs: IntArray,
    prices: FloatArray,
    *,
    time_limit: float,
    log: SolverLog | None = None,
) -> FloatArray | None:
    """Cover every row exactly, or less often at a price; values need not be whole.

    Parameters
    ----------
    starts, rows, costs
        Columns in compressed form; one that lists a row k times covers it k times.
    rhs, prices
        (r,) how often each row is to be covered, and what each time less costs.
    time_limit
        Wall seconds.
    log
        Receives what HiGHS says; None for silence.

    Returns
    -------
    The value of each column, or None where the solver did not come to an end.
    """
    height, number = len(rhs), len(costs)
    starts, rows, values = merged_entries(starts, rows)
    highs = silent_highs(time_limit)
    covered = rhs.astype(np.float64)
    highs.passModel(
        covering_model(
            np.append(starts, starts[-1] + 1 + np.arange(height)),
            np.append(rows, np.arange(height)),
            np.append(values, np.ones(height)),
            np.append(costs, prices),
            covered,
            covered,
        )
    )
    run(highs, "vertex of the master LP", log)
    if status_of(highs) is not SolveStatus.OPTIMAL:
        return None
    return np.asarray(highs.getSolution().col_value)[:number]
