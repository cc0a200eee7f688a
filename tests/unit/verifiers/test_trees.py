"""Hierarchies in the judge: labels of nodes as cells, their share of the leaves, and their files."""

from pathlib import Path

import pandas as pd
import pytest

from minv_verifiers import verify
from minv_verifiers.cells.tree import Tree
from minv_verifiers.errors import InputError, UsageError
from minv_verifiers.reading.roles import parse_quasi_identifier
from minv_verifiers.reading.tree_files import read_tree

TREE = Tree({"ox": ["tame", "*"], "cow": ["tame", "*"], "cat": ["tame", "*"], "elk": ["wild", "*"]})
LINES = "ox;tame;*\ncow;tame;*\ncat;tame;*\nelk;wild;*\n"


@pytest.mark.parametrize(
    ("text", "admitted", "share"),
    [
        ("cow", {"cow"}, 0),
        ("tame", {"ox", "cow", "cat"}, 3 / 4),
        ("wild", {"elk"}, 0),
        ("*", {"ox", "cow", "cat", "elk"}, 1),
        ("{cow,elk}", {"cow", "elk"}, 1 / 2),
        ("yak", set(), 0),
    ],
)
def test_a_cell_admits_the_values_under_its_node(text: str, admitted: set[str], share: float) -> None:
    cell = TREE.parse(text)
    assert {value for value in TREE.ancestors if cell.admits(value, float("nan"))} == admitted
    assert TREE.share(cell) == share


def test_a_tree_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "beasts.csv"
    path.write_text(LINES)
    assert read_tree(path).ancestors == TREE.ancestors
    column = parse_quasi_identifier(f"beast:nominal={path}")
    assert (column.name, column.kind) == ("beast", "nominal")
    assert column.tree is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs a value"),
        ("ox\n", "needs a value"),
        ("ox;*\nox;*\n", "1 line is of a value that has one already"),
        ("ox;*\nelk;+\n", "different labels"),
    ],
)
def test_unusable_files_of_trees_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "beasts.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_tree(path)


def test_a_tree_is_for_nominal_columns_and_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a readable"):
        parse_quasi_identifier(f"beast:nominal={tmp_path / 'none.csv'}")
    with pytest.raises(UsageError, match="a nominal one a hierarchy"):
        parse_quasi_identifier("age:any=ages.csv")


def judged(cells: list[str], ncp: float, tmp_path: Path) -> set[str]:
    path = tmp_path / "beasts.csv"
    path.write_text(LINES)
    truth = pd.DataFrame({"who": range(4), "beast": ["ox", "cat", "elk", "elk"]})
    report = verify(
        truth.assign(beast=cells),
        quasi_identifiers=[f"beast:nominal={path}"],
        person="who",
        m=2,
        model="k-anonymous",
        tables=[truth],
        claimed_ncp=[ncp],
    )
    return set(report.violated)


def test_certainty_penalty_counts_leaves_of_the_tree(tmp_path: Path) -> None:
    """Two records at 3 of 4 leaves, two at one leaf."""
    assert judged(["tame", "tame", "elk", "elk"], 3 / 8, tmp_path) == set()
    assert judged(["tame", "tame", "elk", "elk"], 2 / 3, tmp_path) == {"loss-as-claimed"}


def test_a_node_that_does_not_cover_the_value_is_found(tmp_path: Path) -> None:
    assert "cells-contain-truth" in judged(["wild", "wild", "elk", "elk"], 0, tmp_path)
