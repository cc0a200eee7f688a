"""Compiled recording of the columns that a search finds."""

from minv.compiled import FloatArray, IntArray, kernel

# Positions in the state vector of a search.
OPEN, FOUND, LISTED, WORK = 0, 1, 2, 3


@kernel
def append_column(
    cluster: IntArray,
    size: int,
    counterfeits: int,
    forged: int,
    cost: float,
    state: IntArray,
    starts: IntArray,
    members: IntArray,
    costs: FloatArray,
) -> bool:
    """Append a column of the first `size` rows of a cluster and some counterfeits; False if there is no room for it.

    forged
        The row that stands for a counterfeit, listed once for each.
    """
    column, listed = state[FOUND], state[LISTED]
    if column == len(costs) or listed + size + counterfeits > len(members):
        return False
    for k in range(size):
        members[listed + k] = cluster[k]
    for k in range(counterfeits):
        members[listed + size + k] = forged
    state[LISTED] = listed + size + counterfeits
    costs[column] = cost
    starts[column + 1] = state[LISTED]
    state[FOUND] = column + 1
    return True


@kernel
def lower_duals(duals: FloatArray, reduced: float, cluster: IntArray, size: int) -> None:
    """Lower the duals of a cluster's rows by equal shares so that its reduced cost becomes 0."""
    for k in range(size):
        duals[cluster[k]] += reduced / size
