"""Declared intervals in the judge: what their labels mean, their share of the domain, their files and their rules."""

from pathlib import Path

import pandas as pd
import pytest

from minv_verifiers import verify
from minv_verifiers.errors import InputError
from minv_verifiers.outcome import Status
from minv_verifiers.reading.number_trees import read_number_tree
from minv_verifiers.reading.roles import parse_quasi_identifier

WIDTHS = "[intervals]\nlow = 0\nhigh = 100\nwidths = [10, 20]\n"
LINES = "17;17-19;teens;*\n18;17-19;teens;*\n19;17-19;teens;*\n25;25-30;older;*\n30;25-30;older;*\n57;57;older;*\n"


def declared(tmp_path: Path, text: str, name: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("cell", "known", "share", "inside", "outside"),
    [
        ("[20, 30)", True, 0.1, 20, 30),
        ("[20,30[", True, 0.1, 29.99, 30),
        ("[20, 30]", False, 0.1, 30, 30.01),
        ("[20, 40)", True, 0.2, 39, 40),
        ("[90, 100]", True, 0.1, 100, 89),
        ("[90, 100)", False, 0.1, 99, 100),
        ("[10, 30)", False, 0.2, 10, 30),
        ("[80, 120]", False, 0.2, 120, 79),
        ("*", True, 1, 100, 101),
        ("[0, 100]", True, 1, 0, -1),
        ("20", True, 0, 20, 21),
        ("20.0", True, 0, 20, 21),
        ("{20,30}", False, 0.1, 30, 25),
        ("[20, 30) or \\N", False, 0.1, 20, 30),
    ],
)
def test_cells_of_widths(
    tmp_path: Path, cell: str, known: bool, share: float, inside: float, outside: float
) -> None:
    tree = read_number_tree(declared(tmp_path, WIDTHS, "age.toml"))
    meaning = tree.parse(cell)
    assert tree.declares(meaning) is known
    assert tree.share(meaning) == pytest.approx(share)
    assert meaning.admits(str(inside), inside)
    assert not meaning.admits(str(outside), outside)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LINES, "age.csv"),
        (LINES.replace("57;57;", "57;fifties;"), "age.csv"),
        (LINES.replace("17;17-19;teens", '" 17";"17-19";"teens"'), "age.csv"),
        (
            "older = {25-30 = [25, 30.0], fifties = [57]}\n[teens]\n17-19 = [17, 18, '19']\n",
            "age.toml",
        ),
        ('{"*": {"older": [{"25-30": ["25", 30]}, 57], "teens": {"17-19": [17, 18, 19]}}}', "age.json"),
    ],
)
def test_cells_of_labels(tmp_path: Path, text: str, name: str) -> None:
    """A label stands for the closed interval around its numbers, whatever it says."""
    tree = read_number_tree(declared(tmp_path, text, name))
    assert tree.parse("teens") == tree.parse("17-19")
    for cell, width in (("teens", 2), ("25-30", 5), ("older", 32), ("*", 40), ("57", 0), ("17", 0)):
        assert tree.declares(tree.parse(cell)), cell
        assert tree.share(tree.parse(cell)) == pytest.approx(width / 40), cell
    assert not tree.declares(tree.parse("17-25"))
    assert not tree.declares(tree.parse("old"))


def test_a_label_of_one_number_is_that_number(tmp_path: Path) -> None:
    tree = read_number_tree(declared(tmp_path, LINES.replace("57;57;", "57;50s;"), "age.csv"))
    assert tree.declares(tree.parse("50s"))
    assert tree.parse("50s").admits("57", 57)
    assert not tree.parse("50s").admits("50", 50)
    assert tree.share(tree.parse("50s")) == 0


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "a.toml", "the file is empty"),
        ("[intervals]\nlow = 0", "a.toml", "intervals need"),
        ("[intervals]\nlow = 0\nhigh = 9\nwidths = 3", "a.toml", "intervals need"),
        ("[intervals]\nlow = 0\nhigh = 9\nwidths = []", "a.toml", "above 0"),
        ("[intervals]\nlow = 0\nhigh = inf\nwidths = [1]", "a.toml", "finite"),
        ("[intervals]\nlow = 9\nhigh = 0\nwidths = [1]", "a.toml", "low must lie below"),
        ("[intervals]\nlow = 0\nhigh = 9\nwidths = [2, 3]", "a.toml", "whole multiple"),
        ("[intervals]\nlow = 0\nhigh = 1e9\nwidths = [1]", "a.toml", "more than 100000"),
        ("[intervals]\nbounds = []", "a.toml", "do not ascend"),
        ("[intervals]\nbounds = [[0, 5, 5]]", "a.toml", "level 1 do not ascend"),
        ("[intervals]\nbounds = [[0, inf]]", "a.toml", "level 1 are not finite"),
        ("[intervals]\nbounds = [[0, 5, 9], [0, 5]]", "a.toml", "level 2 begins or ends elsewhere"),
        ("[intervals]\nbounds = [[0, 5, 9], [0, 4, 9]]", "a.toml", "level 2 cuts through"),
        ('{"intervals": {"bounds": [0, true]}}', "a.json", "intervals need"),
        ('{"intervals": {"bounds": [0, "Secret"]}}', "a.json", "intervals need"),
        ('{"*": [1, "Secret"]}', "a.json", "1 value is no finite number"),
        ('{"*": [1, "1.0"]}', "a.json", "1 numbers are listed again"),
        ('{"*": {"a": [1, 3], "b": [2]}}', "a.json", "1 labels have a number of another"),
        ('{"*": {"1": [1, 2]}}', "a.json", "1 label is a value as well"),
        ('{"*": {"1.0": [1, 2]}}', "a.json", "1 label is a value as well"),
        ('{"*": {"a": []}}', "a.json", "a label has no values below it"),
        (
            '{"intervals": {"bounds": [0, 9]}, "intervals": {"bounds": [0, 5]}}',
            "a.json",
            "the same key twice",
        ),
        ("{", "a.json", "not a readable JSON"),
        (
            '{"intervals": {"low": 0, "high": 1' + "0" * 400 + ', "widths": [5]}}',
            "a.json",
            "a number or a ratio of widths is too large",
        ),
        (
            '{"intervals": {"low": 0, "high": 1e-320, "widths": [1e-322, 1e308]}}',
            "a.json",
            "a number or a ratio of widths is too large",
        ),
        ("intervals", "a.toml", "not a readable TOML"),
        ("1;a;*\nSecret;a;*\n", "a.csv", "1 value is no finite number"),
        ("1;a;*\n1.0;a;*\n", "a.csv", "1 numbers are listed again"),
        ("1;a;*\n2;b;*\n3;a;*\n", "a.csv", "1 labels have a number of another"),
        ("17;18;*\n18;18;*\n", "a.csv", "1 label is a value as well"),
        ("17;18;*\n18;teens;*\n", "a.csv", "1 label is a value as well"),
    ],
)
def test_unusable_files_are_refused(tmp_path: Path, text: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_quasi_identifier(f"age:numeric={declared(tmp_path, text, name)}")
    assert "Secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


TRUTH = pd.DataFrame({"who": range(6), "age": [21, 27, 44, 59, 70, 70]})
GOOD = ["[20, 30)"] * 2 + ["[40, 60)"] * 2 + ["70"] * 2


def judged(tmp_path: Path, cells: list[str], ncp: float | None = None, *, truth: bool = True):
    path = declared(tmp_path, WIDTHS, "age.toml")
    return verify(
        TRUTH.assign(age=cells),
        quasi_identifiers=[f"age:numeric={path}"],
        person="who",
        m=2,
        model="k-anonymous",
        **({"tables": [TRUTH]} if truth else {}),
        **({} if ncp is None else {"claimed_ncp": [ncp]}),
    )


def test_the_smallest_intervals_pass_and_their_widths_are_the_loss(tmp_path: Path) -> None:
    report = judged(tmp_path, GOOD, (2 * 0.1 + 2 * 0.2) / 6)
    assert report.violated == ()
    for rule in ("intervals-declared", "intervals-smallest", "cells-contain-truth", "loss-as-claimed"):
        assert report.outcome(rule).status is Status.PASSED, rule
    # by the range of the values, 49, instead of the domain
    assert judged(tmp_path, GOOD, (2 * 10 + 2 * 20) / 49 / 6).violated == ("loss-as-claimed",)


@pytest.mark.parametrize(
    ("cells", "rules"),
    [
        (["[20, 40)"] * 2 + GOOD[2:], {"intervals-smallest"}),
        (["*"] * 2 + GOOD[2:], {"intervals-smallest"}),
        (GOOD[:4] + ["[70, 80)"] * 2, {"intervals-smallest"}),  # all members have one value
        (["[20, 30]"] * 2 + GOOD[2:], {"intervals-declared"}),
        (["[21, 27]"] * 2 + GOOD[2:], {"intervals-declared"}),
        (["{21,27}"] * 2 + GOOD[2:], {"intervals-declared"}),
        (["twenties"] * 2 + GOOD[2:], {"intervals-declared", "cells-contain-truth"}),
        (["[20, 27)"] * 2 + GOOD[2:], {"intervals-declared", "cells-contain-truth"}),
        (["[30, 40)"] * 2 + GOOD[2:], {"cells-contain-truth"}),
        (["21"] * 2 + GOOD[2:], {"cells-contain-truth"}),
    ],
)
def test_planted_faults(tmp_path: Path, cells: list[str], rules: set[str]) -> None:
    assert set(judged(tmp_path, cells).violated) == rules


def test_a_witness_tells_where(tmp_path: Path) -> None:
    (wide,) = judged(tmp_path, ["[20, 40)"] * 2 + GOOD[2:]).outcome("intervals-smallest").witnesses
    assert (wide.column, wide.release) == ("age", 1)
    (strange,) = judged(tmp_path, ["[21, 27]"] * 2 + GOOD[2:]).outcome("intervals-declared").witnesses
    assert strange.rows == (1, 2)


def test_without_the_original_the_smallest_is_not_checkable(tmp_path: Path) -> None:
    report = judged(tmp_path, GOOD, truth=False)
    assert report.outcome("intervals-declared").status is Status.PASSED
    assert report.outcome("intervals-smallest").status is Status.NOT_CHECKABLE


def test_nothing_is_asked_where_nothing_was_declared() -> None:
    report = verify(TRUTH.assign(age=GOOD), quasi_identifiers=["age"], m=2, model="k-anonymous")
    assert "intervals-declared" not in [outcome.rule for outcome in report.outcomes]
