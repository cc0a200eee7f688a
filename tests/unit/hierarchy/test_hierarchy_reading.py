"""Files become trees, or one clear line that quotes no value."""

import json

import pytest

from minv.errors import DataError
from minv.hierarchy import Hierarchy, Intervals, read_hierarchy

LINES = "Bern;CH;*\nLima;Peru;*\nBasel;CH;*\n"


@pytest.fixture
def write(tmp_path):
    def _write(text: str, name: str = "places.csv", encoding: str = "utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return _write


def paths_of(hierarchy: Hierarchy) -> set[tuple[str, ...]]:
    found = set()
    for leaf in range(hierarchy.leaves):
        path, node = [], leaf
        while node >= 0:
            path.append(hierarchy.labels[node])
            node = int(hierarchy.parents[node])
        found.add(tuple(path))
    return found


EXPECTED = {("Bern", "CH", "*"), ("Basel", "CH", "*"), ("Lima", "Peru", "*")}


@pytest.mark.parametrize(
    ("text", "name", "encoding"),
    [
        (LINES, "places.csv", "utf-8"),
        (LINES.replace("\n", "\r\n"), "places.csv", "utf-8"),
        (LINES.rstrip(), "places.csv", "utf-8"),
        (LINES, "places.txt", "utf-8-sig"),
        ('"Bern";CH;*\n\nLima;Peru;*\nBasel;CH;*', "places.csv", "utf-8"),
        ('["*"]\nCH = ["Bern", "Basel"]\nPeru = ["Lima"]\n', "places.toml", "utf-8"),
        ('CH = ["Bern", "Basel"]\nPeru = ["Lima"]\n', "places.toml", "utf-8"),
        (json.dumps({"*": {"CH": ["Bern", "Basel"], "Peru": ["Lima"]}}), "places.json", "utf-8"),
        (json.dumps({"*": [{"CH": ["Bern", "Basel"]}, {"Peru": ["Lima"]}]}), "places.json", "utf-8"),
    ],
)
def test_the_same_tree_from_every_form(write, text, name, encoding):
    assert paths_of(read_hierarchy(write(text, name, encoding))) == EXPECTED


def test_line_ends_inside_quoted_labels_stay_as_they_are(write):
    hierarchy = read_hierarchy(write('"a\r\nb";"c\rd";*\r\n"e";"f\ng";*\r\n'))
    assert paths_of(hierarchy) == {("a\r\nb", "c\rd", "*"), ("e", "f\ng", "*")}


def test_nested_branches_may_differ_in_depth_and_hold_numbers(write):
    hierarchy = read_hierarchy(write('["all"]\nfew = [1, 2.5]\nmany = {some = [10], lots = ["x"]}', "n.toml"))
    assert paths_of(hierarchy) == {
        ("1", "few", "all"),
        ("2.5", "few", "all"),
        ("10", "some", "many", "all"),
        ("x", "lots", "many", "all"),
    }


def test_long_numbers_keep_their_digits(write):
    """As they do in a nominal column of a table."""
    text = json.dumps({"*": {"a": [9007199254740993, 10**400, 7.0]}})
    assert read_hierarchy(write(text, "n.json")).labels[:3] == ("9007199254740993", "1" + "0" * 400, "7")


def test_other_encodings_are_read_when_named(write):
    path = write("Zürich;CH;*\n", encoding="latin-1")
    with pytest.raises(DataError, match="not utf-8 text"):
        read_hierarchy(path)
    assert read_hierarchy(path, encoding="latin-1").labels[0] == "Zürich"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("Secret,CH,*\n", "no `;`"),
        ("Secret;CH;*\nOther;*\n", "line 2 has 2 labels, the first has 3"),
        ("Secret;CH;*\nSecret;CH;*\n", "1 value is listed twice: line 2 .as line 1."),
        ("Secret;CH;*\nCH;Peru;*\n", "1 value is both a leaf and an inner node: line 2"),
        ("Secret;CH;Europe;*\nOther;CH;Asia;*\n", "two different parents, seen in line 2"),
        ("Secret;CH;*\nOther;CH;+\n", "line 2 ends in another root than line 1"),
        ("Secret;;*\n", "an empty label above a value in line 1"),
        ("Secret;CH;*;CH;*\n", "own ancestor in line 1"),
        ("Secret;Secret;Secret\n", "line 1 holds one label only"),
        ('Secret;"CH;*\n', "line 1 is not a line"),
    ],
)
def test_faulty_lines_give_one_clear_line_without_a_value(write, text, message):
    with pytest.raises(DataError, match=message) as caught:
        read_hierarchy(write(text))
    assert "Secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("places.csv: ")


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ('{"*": ["Secret", "Secret"]}', "a.json", "listed twice"),
        ('{"*": {"CH": ["Secret"], "CH": ["Other"]}}', "a.json", "same key twice"),
        ('{"*": {"CH": []}}', "a.json", "nothing below"),
        ('{"*": [true]}', "a.json", "neither a text nor a finite number"),
        ('{"*": [NaN]}', "a.json", "neither a text nor a finite number"),
        ('["Secret"]', "a.json", "must be a table"),
        ('{"*": ["Secret"', "a.json", "not JSON .line 1"),
        ("[" * 100_000, "a.json", "too deep"),
        ("{}", "a.json", "is empty"),
        ('{"*": [1%s]}' % ("0" * 5000), "a.json", "too long"),
        ("CH = [1%s]" % ("0" * 5000), "a.toml", "too long"),
        ("CH = Secret", "a.toml", "not TOML"),
        ('{"Secret": "*"}', "a.json", None),
        ('{"intervals": {"low": 0, "high": 9}}', "a.json", "intervals need the numbers"),
        ('{"intervals": {"low": 0, "high": "9", "widths": [1]}}', "a.json", "intervals need the numbers"),
        ('{"intervals": {"low": 0, "high": 9, "widths": [2, 3]}}', "a.json", "whole multiple"),
        ('{"intervals": {"low": 0, "high": 9, "widths": [3]}, "x": ["a"]}', "a.json", "1 other key beside"),
        ('{"intervals": {"low": 0, "high": 9, "widths": [3], "by": 1}}', "a.json", "1 unknown key under"),
        ('{"intervals": {"bounds": [[0, 9]], "low": 0}}', "a.json", "`bounds` say all"),
        ('{"intervals": {"low": 9, "high": 0, "widths": [2]}}', "a.json", "low below high"),
        ('{"intervals": {"low": 0, "high": 9, "widths": 3}}', "a.json", "intervals need the numbers"),
        ('{"intervals": {"low": 0, "high": 9, "widths": []}}', "a.json", "at least one width"),
        ('{"intervals": {"low": 0, "high": 9, "widths": [Infinity]}}', "a.json", "all finite"),
        ('{"intervals": {"low": 0, "high": 1e9, "widths": [1]}}', "a.json", "more than 100000"),
        ('{"intervals": {"low": 0, "high": 1%s, "widths": [1]}}' % ("0" * 400), "a.json", "too large"),
        ('{"intervals": {"bounds": [0, true]}}', "a.json", "intervals need the numbers"),
        ('{"intervals": {"bounds": [[0, 9], 3]}}', "a.json", "intervals need the numbers"),
        ('{"intervals": {"bounds": []}}', "a.json", "level 1 must be two or more"),
        ('{"intervals": {"bounds": [[0, 5, 5, 9]]}}', "a.json", "level 1 must be two or more"),
        ("[intervals]\nbounds = [[0, 5, 9], [0, nan]]", "a.toml", "level 2 must be two or more"),
        (
            "[intervals]\nbounds = [[0, 5, 9], [0, 5]]",
            "a.toml",
            "level 2 begins or ends elsewhere than level 1",
        ),
        ("[intervals]\nbounds = [[0, 5, 9], [0, 4, 6, 9]]", "a.toml", "2 bounds of level 2 cut through"),
    ],
)
def test_faulty_documents(write, text, name, message):
    if message is None:  # a single leaf under a root is a tree
        assert paths_of(read_hierarchy(write(text, name))) == {("*", "Secret")}
        return
    with pytest.raises(DataError, match=message) as caught:
        read_hierarchy(write(text, name))
    assert "Secret" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.csv: cannot read the hierarchy: No such file"):
        read_hierarchy(tmp_path / "none.csv")


def test_an_interval_document(write):
    found = read_hierarchy(write("[intervals]\nlow = 0\nhigh = 100\nwidths = [5, 10, 20]\n", "age.toml"))
    assert found == Intervals.of_widths(0.0, 100.0, (5.0, 10.0, 20.0))


def test_documents_of_bounds(write):
    levels = ((0.0, 18.0, 65.0, 120.0), (0.0, 18.0, 120.0))
    assert read_hierarchy(
        write("[intervals]\nbounds = [[0, 18, 65, 120], [0, 18, 120]]", "a.toml")
    ) == Intervals(levels)
    assert read_hierarchy(write('{"intervals": {"bounds": [0, 18, 65, 120]}}', "a.json")) == Intervals(
        levels[:1]
    )
