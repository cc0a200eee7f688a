"""The transcription of the paper's tables."""

import pytest

from minv.reproduce.published import TABLES, Cell, published_cells


def il(table: int, m: int, step: str, subsets: int | None = None) -> float:
    """One IL of a table that has a single data set."""
    (found,) = [c.il for c in published_cells(table) if (c.m, c.step, c.subsets) == (m, step, subsets)]
    return found


def best(*tables: int, m: int) -> float:
    """The least IL that the tables print for m."""
    return min(cell.il for table in tables for cell in published_cells(table) if cell.m == m)


@pytest.mark.parametrize(("table", "cells"), [(4, 36), (5, 36), (6, 39), (7, 39), (8, 18)])
def test_every_cell_is_there(table: int, cells: int) -> None:
    """Three m; two heuristics, perhaps a first two-swap, and five s with two steps each."""
    assert len(published_cells(table)) == cells
    assert len(set(published_cells(table))) == cells


@pytest.mark.parametrize("m", [3, 5, 7])
@pytest.mark.parametrize(("dataset", "tables"), [("adult", (4, 6)), ("ipums", (5, 7))])
def test_table_8_repeats_the_best_of_the_others(dataset: str, tables: tuple[int, int], m: int) -> None:
    """The paper derives Table 8 from Tables 4-7, so a slip in copying either would show."""
    summary = {cell.step: cell.il for cell in published_cells(8) if (cell.dataset, cell.m) == (dataset, m)}
    assert summary["optimization"] == best(*tables, m=m)
    for table in tables:
        assert il(table, m, "classic") == summary["classic"]
        assert il(table, m, "tau") == summary["tau"]


@pytest.mark.parametrize("table", [4, 5, 6, 7])
def test_loss_never_rises_from_one_step_to_the_next(table: int) -> None:
    """Each step starts from the result of the one before."""
    for m in (3, 5, 7):
        start = il(table, m, "two-swap-before" if table in (6, 7) else "tau")
        for subsets in (40, 20, 10, 5, 2):
            generated = il(table, m, "column-generation", subsets)
            assert start >= generated >= il(table, m, "two-swap-after", subsets)


def test_one_row_as_printed() -> None:
    """Table 4, m = 5, s = 10."""
    printed = [cell for cell in published_cells(4) if (cell.m, cell.subsets) == (5, 10)]
    assert printed == [
        Cell(4, "adult", 5, 10, "column-generation", 1082.9, 18.33),
        Cell(4, "adult", 5, 10, "two-swap-after", 73.16, 9.03),
    ]


def test_there_are_five_tables() -> None:
    """No cell belongs to another one."""
    assert all(cell.table == table for table in TABLES for cell in published_cells(table))
