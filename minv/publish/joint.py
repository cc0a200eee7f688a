"""All clusters of a later release together: a bound by column generation, then the best choice of its columns."""

from collections.abc import Iterator

import numpy as np

from minv.colgen.exact import open_generation
from minv.colgen.generation import ColumnGeneration
from minv.colgen.pool import reduced_costs, take
from minv.colgen.rounding import choose_partition
from minv.compiled import IntArray
from minv.pricing.protocol import Columns
from minv.publish.engines import default_solvers
from minv.publish.incumbent import Incumbent
from minv.stopping import Stop

_ITERATIONS_A_UNIT = 10
_NODES_A_UNIT = 200  # of the integer program
_PROGRAM_SHARE = 0.3  # of the time, kept for the integer program
_PUNCTUAL = 0.9  # of the time that is left: the integer program looks at the clock now and then only


def optimise_jointly(incumbent: Incumbent, stop: Stop, *, effort: int | None, seed: int) -> None:
    """Bound the loss of a release with required signatures and improve it, all signatures at once.

    Buckets meet only in the free points and in the number of counterfeits, so the linear relaxation of the whole is
    small and nearly integral: an integer program over its columns of least reduced cost often ends at the bound.

    Parameters
    ----------
    incumbent
        Of an instance that tells its number of counterfeits; receives bounds and labels.
    stop
        Looked at between iterations; limits pricing, linear and integer programs.
    effort
        None where time limits the run. Otherwise a unit is ten iterations of column generation and 200 nodes of
        an integer program.
    seed
        Of the integer program.
    """
    if incumbent.sse <= 1e-12 * incumbent.sst:
        incumbent.bounds.learn_value(incumbent.sse)
        return
    solvers = default_solvers()
    generation = open_generation(incumbent.instance, incumbent.labels, solvers)
    iterations = None if effort is None else _ITERATIONS_A_UNIT * effort
    incumbent.timed("linear relaxation", lambda: _bound(incumbent, generation, stop, iterations))
    nodes = None if effort is None else _NODES_A_UNIT * effort
    incumbent.timed("integer program", lambda: _round(incumbent, generation, stop, nodes, seed))


def _bound(incumbent: Incumbent, generation: ColumnGeneration, stop: Stop, iterations: int | None) -> None:
    seconds = (1 - _PROGRAM_SHARE) * stop.remaining()
    limit = Stop(time_limit=seconds if np.isfinite(seconds) else None, cancel=stop.cancel)
    while iterations is None or generation.iterations < iterations:
        more = generation.step(limit)
        incumbent.bounds.learn(generation.bound, root=True)
        incumbent.report("linear relaxation")
        if not more or (iterations is None and incumbent.gap <= stop.gap):
            return


def _round(
    incumbent: Incumbent, generation: ColumnGeneration, stop: Stop, nodes: int | None, seed: int
) -> None:
    for columns in _promising(generation):
        if stop.reached(incumbent.gap):
            return
        seconds = _PUNCTUAL * stop.remaining()
        labels, _ = choose_partition(
            default_solvers().integer,
            incumbent.instance,
            columns,
            incumbent.labels,
            time_limit=seconds,
            relative_gap=stop.gap / 2,
            seed=seed,
            node_limit=nodes,
        )
        incumbent.offer(labels, "integer program")


def _promising(generation: ColumnGeneration) -> Iterator[Columns]:
    """Yield the columns of the pool of least reduced cost."""
    pool = generation.master.pool.columns
    costs = reduced_costs(pool, generation.bound.duals)
    most = 2 * len(generation.bound.duals)
    yield take(pool, _least(costs, most))


def _least(values: np.ndarray, most: int) -> IntArray:
    """Return the places, ascending, of the least values."""
    return np.sort(np.argsort(values, kind="stable")[:most])
