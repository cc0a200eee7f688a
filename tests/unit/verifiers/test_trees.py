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
        ("ox;*\nox;*\n", "1 value is listed again"),
        ("ox;*\nelk;+\n", "different labels"),
        ("ox;ox;ox\n", "needs a value"),  # nothing but itself above it
        ("ox;;*\n", "a label above a value is empty"),
        ("ox;tame;*\ntame;*;*\n", "1 label is a value as well"),
        ('ox;"tame;*\nelk;wild;*\n', "a quoted label does not end"),
        ('"ox"en;tame;*\n', "a quoted label does not end"),
    ],
)
def test_unusable_files_of_trees_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "beasts.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_tree(path)
    assert "\n" not in str(caught.value)
    assert "ox" not in str(caught.value).replace(str(path), "")


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("{}", "a.json", "the file is empty"),
        ("", "a.toml", "the file is empty"),
        ('["ox"]', "a.json", "the outermost value is no table"),
        ('{"*": ["ox"', "a.json", "not a readable JSON"),
        ("[" * 100_000, "a.json", "nested too deeply to be read"),
        ('{"*": [1' + "0" * 5000 + "]}", "a.json", "a whole number has too many digits to be read"),
        ("tame = ox", "a.toml", "not a readable TOML"),
        ("tame = " + "[" * 100_000, "a.toml", "nested too deeply to be read"),
        ("tame = [1" + "0" * 5000 + "]", "a.toml", "a whole number has too many digits to be read"),
        ("tame = [0x1" + "0" * 5000 + "]", "a.toml", "a whole number has too many digits to be read"),
        ('{"*": {"tame": ["ox"], "tame": ["elk"]}}', "a.json", "the same key twice"),
        ('{"*": {"tame": []}}', "a.json", "a label has no values below it"),
        ('{"*": {"tame": {}}}', "a.json", "a label has no values below it"),
        ('{"*": [true]}', "a.json", "neither a text nor a finite number"),
        ('{"*": [null]}', "a.json", "neither a text nor a finite number"),
        ('{"*": [NaN]}', "a.json", "neither a text nor a finite number"),
        ("tame = [2024-05-01]", "a.toml", "neither a text nor a finite number"),
        ('{"*": ["ox", "ox"]}', "a.json", "1 value is listed again"),
        ('{"*": {"tame": ["ox"], "wild": ["tame"]}}', "a.json", "1 label is a value as well"),
        ("[intervals]\nlow = 0\nhigh = 9\nwidths = [3]", "a.toml", "for a numeric column"),
    ],
)
def test_unusable_documents_are_refused(tmp_path: Path, text: str, name: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_tree(path)
    assert "\n" not in str(caught.value)
    assert "ox" not in str(caught.value).replace(str(path), "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('["*"]\ntame = ["ox", "cow", "cat"]\nwild = ["elk"]\n', "a.toml"),
        ('tame = ["ox", "cow", "cat"]\nwild = "elk"\n', "a.toml"),  # several outermost: the root is *
        ('{"*": {"tame": ["ox", "cow", "cat"], "wild": ["elk"]}}', "a.JSON"),
        ('\ufeff{"*": [{"tame": ["ox", ["cow", "cat"]]}, {"wild": "elk"}]}', "a.json"),
        ('"ox";tame;*\r\n\r\ncow;tame;*\r\n"cat";"tame";"*"\r\nelk;wild;*', "a.csv"),
        (
            "\ufeffox;tame;*\ncow;tame;tame;*\ncat;cat;tame;*;*\nelk;elk;wild;*\n",
            "a.csv",
        ),  # repeated: padding
    ],
)
def test_one_tree_from_every_form(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    assert dict(read_tree(path).ancestors) == {value: list(above) for value, above in TREE.ancestors.items()}


def test_labels_hold_what_parts_lines_where_they_are_quoted(tmp_path: Path) -> None:
    """A semicolon, a quote and line ends of all kinds are parts of labels."""
    path = tmp_path / "beasts.csv"
    path.write_bytes('"ox; old";"so-called ""tame""\nbeasts";*\nnext\u2028line\x0b;wild;*\n'.encode())
    tree = read_tree(path)
    assert tree.ancestors == {
        "ox; old": ['so-called "tame"\nbeasts', "*"],
        "next\u2028line\x0b": ["wild", "*"],
    }
    assert tree.parse('so-called "tame"\nbeasts').admits("ox; old", float("nan"))


def test_numbers_of_documents_are_texts_of_the_format(tmp_path: Path) -> None:
    """Branches differ in depth; numbers read as the cells of a table write them."""
    path = tmp_path / "a.toml"
    path.write_text('["all"]\nfew = [1, 2.50, 7.0]\nmany = {some = [9007199254740993, 1e22], lots = ["x"]}\n')
    assert read_tree(path).ancestors == {
        "1": ["few", "all"],
        "2.5": ["few", "all"],
        "7": ["few", "all"],
        "9007199254740993": ["some", "many", "all"],
        "1e+22": ["some", "many", "all"],
        "x": ["lots", "many", "all"],
    }


def test_a_tree_is_for_nominal_columns_and_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a readable"):
        parse_quasi_identifier(f"beast:nominal={tmp_path / 'none.csv'}")
    with pytest.raises(UsageError, match="a nominal one a hierarchy"):
        parse_quasi_identifier("age:any=ages.csv")


FORMS = {
    "beasts.csv": LINES,
    "quoted.csv": '"ox";"tame";"*"\n"cow";tame;*\n"cat";tame;*\nelk;"wild";*\n',
    "beasts.toml": 'tame = ["ox", "cow", "cat"]\nwild = ["elk"]\n',
    "beasts.json": '{"*": {"tame": ["ox", "cow", "cat"], "wild": ["elk"]}}',
}


@pytest.fixture(params=FORMS)
def hierarchy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same tree in each form of a file."""
    path = tmp_path / request.param
    path.write_text(FORMS[request.param])
    return path


def judged(cells: list[str], ncp: float, path: Path) -> set[str]:
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


def test_certainty_penalty_counts_leaves_of_the_tree(hierarchy: Path) -> None:
    """Two records at 3 of 4 leaves, two at one leaf."""
    assert judged(["tame", "tame", "elk", "elk"], 3 / 8, hierarchy) == set()
    assert judged(["tame", "tame", "elk", "elk"], 2 / 3, hierarchy) == {"loss-as-claimed"}


def test_a_node_that_does_not_cover_the_value_is_found(hierarchy: Path) -> None:
    assert "cells-contain-truth" in judged(["wild", "wild", "elk", "elk"], 0, hierarchy)
