"""Diving from a relaxation and repairing what it leaves, by hand."""

import numpy as np
import pytest

from minv.colgen.diving import Descent, dive, repair
from minv.pricing.protocol import Columns
from minv.solvers.entries import merged_entries
from minv.solvers.highs import HighsSetPartition
from minv.solvers.vertex import highs_vertex
from minv.stopping import CancelToken, Stop

NONE = np.zeros(0, np.int64)


def columns_of(clusters: list[list[int]], costs: list[float]) -> Columns:
    starts = np.concatenate([[0], np.cumsum([len(cluster) for cluster in clusters])]).astype(np.int64)
    return Columns(starts, np.concatenate([np.array(c, np.int64) for c in clusters]), np.array(costs))


def covered(columns: Columns, chosen: np.ndarray, rows: int) -> list[int]:
    parts = [columns.members[columns.starts[c] : columns.starts[c + 1]] for c in chosen]
    return np.bincount(np.concatenate([NONE, *parts]), minlength=rows).tolist()


def test_a_whole_relaxation_is_taken_as_it_is() -> None:
    """Two pairs are cheaper than any other cover; one of them is used twice, as its rows occur twice."""
    columns = columns_of([[0, 1], [2, 3], [0, 2], [1, 3]], [1.0, 1.0, 3.0, 3.0])
    rhs = np.array([2, 2, 1, 1])
    descent = dive(columns, rhs, NONE, highs_vertex, 1.0, Stop())
    assert descent is not None
    assert sorted(descent.chosen.tolist()) == [0, 0, 1]
    assert not descent.left.any()


def test_a_row_that_stays_uncovered_is_repaired_by_giving_up_its_neighbours() -> None:
    """On an odd cycle any dive leaves one row; one cluster of three covers it with the others, dearly."""
    columns = columns_of([[0, 1], [1, 2], [0, 2], [0, 1, 2]], [1.0, 1.0, 1.0, 5.0])
    rhs = np.ones(3, np.int64)
    descent = dive(columns_of([[0, 1], [1, 2], [0, 2]], [1.0] * 3), rhs, NONE, highs_vertex, 1.0, Stop())
    assert descent is not None
    assert descent.left.sum() == 1
    chosen = repair(
        descent, columns, columns.costs, NONE, HighsSetPartition(), 1.0, Stop(), seed=0, node_limit=None
    )
    assert chosen is not None
    assert covered(columns, chosen, 3) == [1, 1, 1]


def test_counterfeits_may_be_left_over_in_a_dive() -> None:
    """Row 2 stands for counterfeits, of which a column may have two; only rows 0 and 1 must be covered."""
    columns = columns_of([[0, 1], [0, 2, 2], [1, 2]], [1.0, 0.1, 0.1])
    for counterfeits, expected in [(3, [1, 2]), (1, [0])]:
        rhs = np.array([1, 1, counterfeits])
        descent = dive(columns, rhs, np.array([2]), highs_vertex, 1.0, Stop())
        assert descent is not None
        assert covered(columns, descent.chosen, 3)[2] <= counterfeits
        if not descent.left[:2].any():
            assert sorted(descent.chosen.tolist()) == expected


def test_what_cannot_be_covered_is_given_up() -> None:
    """Row 2 is in no column."""
    columns = columns_of([[0, 1]], [1.0])
    descent = Descent(np.array([0]), np.array([0, 0, 1]))
    found = repair(
        descent, columns, columns.costs, NONE, HighsSetPartition(), 1.0, Stop(), seed=0, node_limit=None
    )
    assert found is None


def test_a_cancelled_dive_claims_nothing() -> None:
    token = CancelToken()
    token.cancel()
    columns = columns_of([[0, 1]], [1.0])
    assert dive(columns, np.ones(2, np.int64), NONE, highs_vertex, 1.0, Stop(cancel=token)) is None


def test_entries_that_repeat_add_up() -> None:
    starts, rows, values = merged_entries(np.array([0, 3, 3, 5]), np.array([2, 0, 2, 1, 1]))
    assert starts.tolist() == [0, 2, 2, 3]
    assert rows.tolist() == [0, 2, 1]
    assert values.tolist() == [1.0, 2.0, 2.0]


def test_a_vertex_pays_for_what_it_leaves_uncovered() -> None:
    """A column at cost 3 against a price of 2 for each of its two rows; then of 1."""
    for price, value in [(2.0, 1.0), (1.0, 0.0)]:
        values = highs_vertex(
            np.array([0, 2]),
            np.array([0, 1]),
            np.array([3.0]),
            np.ones(2, np.int64),
            np.full(2, price),
            time_limit=np.inf,
        )
        assert values == pytest.approx([value])
