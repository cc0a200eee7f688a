"""Files of hierarchies mean the same to minv and to the judge, whatever their form and their labels."""

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kanon_files import PLACES, small_table, write_files

from minv.hierarchy import Hierarchy, read_hierarchy
from minv.publish.engine import Budget
from minv.publish.kanon import anonymise
from minv.publish.kanon_table import publish_table, write_links, write_table
from minv.tables.opening import open_table
from minv.tables.roles import Roles, quasi_identifiers
from minv_verifiers import verify
from minv_verifiers.reading.tree_files import read_tree
from minv_verifiers.report.report import Report

K = 4
LABEL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5)


@st.composite
def nested_tree(draw: st.DrawFn) -> dict[str, Any]:
    """A tree of different labels, as nested tables with lists of values at the bottom, under one root."""
    labels = iter(draw(st.lists(LABEL, min_size=23, max_size=23, unique=True)))

    def table(depth: int) -> Any:
        if depth == 0 or draw(st.booleans()):
            return list(itertools.islice(labels, 1))
        return {next(labels): table(depth - 1) for _ in range(draw(st.integers(1, 2)))}

    return {next(labels): {next(labels): table(2) for _ in range(draw(st.integers(1, 2)))}}


def paths_of(node: Any, above: tuple[str, ...] = ()) -> list[list[str]]:
    """Each value of nested tables with the labels above it, nearest first."""
    if isinstance(node, dict):
        return [path for label, below in node.items() for path in paths_of(below, (label, *above))]
    return [[value, *above] for value in node]


def lines_of(paths: list[list[str]], quoting: Any) -> str:
    """One line a value, all of one length by repeating the value."""
    width = max(map(len, paths))
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";", quoting=quoting, lineterminator="\r\n").writerows(
        [path[0]] * (width - len(path)) + path for path in paths
    )
    return text.getvalue()


def toml_of(node: Any) -> str:
    """Inline tables; JSON writes texts as TOML reads them, save two letters that it does not escape."""
    if isinstance(node, dict):
        return "{" + ", ".join(f"{_quoted(label)} = {toml_of(below)}" for label, below in node.items()) + "}"
    return "[" + ", ".join(map(_quoted, node)) + "]"


def _quoted(text: str) -> str:
    # TOML knows no surrogates, in which JSON writes the letters beyond the first plane.
    return '"' + "".join(f"\\U{ord(letter):08x}" for letter in text) + '"'


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nested_tree())
def test_every_form_is_read_alike(tmp_path: Path, tree: dict[str, Any]) -> None:
    expected = {value: above for value, *above in paths_of(tree)}
    if set(tree) == {"intervals"}:
        return
    ((root, below),) = tree.items()
    forms = {
        "a.json": json.dumps(tree),
        "a.toml": f"{_quoted(root)} = {toml_of(below)}\n",
        "a.csv": lines_of(paths_of(tree), csv.QUOTE_MINIMAL),
        "b.csv": lines_of(paths_of(tree), csv.QUOTE_ALL),
    }
    for name, text in forms.items():
        path = tmp_path / name
        path.write_bytes(text.encode())
        assert {value: list(above) for value, above in read_tree(path).ancestors.items()} == expected, name
        found = read_hierarchy(path)
        assert isinstance(found, Hierarchy)
        assert {
            labels[0]: labels[1:]
            for labels in ([found.labels[node] for node in found.path(leaf)] for leaf in range(found.leaves))
        } == expected, name


REGIONS = {
    region: [place for place, own in PLACES.items() if own == region] for region in set(PLACES.values())
}
FORMS = {
    "places.toml": "".join(f"{region} = {places!r}\n" for region, places in REGIONS.items()),
    "places.json": json.dumps({"*": REGIONS}),
    "quoted.csv": "".join(f'"{place}";"{region}";"*"\n' for place, region in PLACES.items()),
    "padded.csv": "".join(f"{place};{place};{region};*\n" for place, region in PLACES.items()),
    "parted.csv": "".join(f'{place};"{region}; ""so-called""";*\n' for place, region in PLACES.items()),
}


def judged(folder: Path, source: Path) -> Report:
    public = pd.read_csv(folder / "public.csv", dtype=str)
    return verify(
        public,
        quasi_identifiers=["age", f"place:nominal={source}"],
        sensitive="illness",
        person="person",
        class_id="class",
        m=K,
        model="k-anonymous",
        links=[folder / "links.csv"],
        tables=[folder / "table.csv"],
        claimed_ncp=[float((folder / "ncp").read_text())],
    )


@pytest.mark.parametrize("form", FORMS)
def test_what_minv_publishes_by_any_form_is_true_and_of_the_loss_claimed(tmp_path: Path, form: str) -> None:
    write_files(tmp_path, small_table())
    source = tmp_path / form
    source.write_text(FORMS[form])
    found = anonymise(
        open_table(tmp_path / "table.csv"),
        Roles(quasi_identifiers(["age", f"place:nominal={source}"]), "illness", "person"),
        K,
        budget=Budget(method="mdav", effort=100),
    )
    table = publish_table(found)
    write_table(tmp_path / "public.csv", table)
    write_links(tmp_path / "links.csv", "person", found, table)
    (tmp_path / "ncp").write_text(repr(found.ncp))
    report = judged(tmp_path, source)
    assert report.violated == ()
    for rule in ("loss-as-claimed", "cells-contain-truth", "nobody-lost", "k-anonymity"):
        assert report.outcome(rule).status.name == "PASSED", rule
    assert any("north" in cell for cell in pd.read_csv(tmp_path / "public.csv")["place"])
    # The label of another region is a lie, by any form of the file.
    public = pd.read_csv(tmp_path / "public.csv", dtype=str)
    public["place"] = public["place"].str.replace("north", "south")
    public.to_csv(tmp_path / "public.csv", index=False)
    assert "cells-contain-truth" in judged(tmp_path, source).violated
