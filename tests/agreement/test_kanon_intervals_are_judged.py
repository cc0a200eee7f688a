"""Numbers that `minv kanon` generalises to declared intervals: to the judge true, smallest, and of the loss claimed."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from minv.hierarchy import Intervals, read_hierarchy
from minv.publish.engine import Budget
from minv.publish.kanon import METHODS, Anonymisation, anonymise
from minv.publish.kanon_table import publish_table, write_links, write_table
from minv.tables.opening import open_table
from minv.tables.roles import Roles, quasi_identifiers
from minv_datasets import adult_hierarchy_paths
from minv_verifiers import verify
from minv_verifiers.reading.number_trees import read_number_tree
from minv_verifiers.report.report import Report

K = 4
AGES = range(15, 95)
DECLARED = {
    "widths.toml": "[intervals]\nlow = 0\nhigh = 103\nwidths = [5, 10, 30]\n",
    "bounds.json": '{"intervals": {"bounds": [[0, 18, 25.5, 45, 65, 120], [0, 25.5, 65, 120]]}}',
    "listed.csv": "".join(f"{age};{age // 7 * 7}+;{'young' if age < 42 else 'old'};all\n" for age in AGES),
    "quoted.csv": "".join(f'"{age}";"{age // 7 * 7}; and more";all\n' for age in AGES),
    "padded.csv": "".join(f"{age};{age};{age // 7 * 7}+;all\n" for age in AGES),
    "nested.toml": "".join(
        f"{age}plus = [{', '.join(str(year) for year in range(age, age + 20))}]\n"
        for age in range(15, 95, 20)
    ),
    "nested.json": json.dumps({"all": [{f"{age}+": [age, f"{age + 1}.0"]} for age in AGES[::2]]}),
}
RULES = ("intervals-declared", "intervals-smallest", "cells-contain-truth", "loss-as-claimed", "k-anonymity")


def published(folder: Path, frame: pd.DataFrame, source: Path, method: str) -> Anonymisation:
    frame.to_csv(folder / "table.csv", index=False)
    found = anonymise(
        open_table(folder / "table.csv"),
        Roles(quasi_identifiers([f"age:numeric={source}", "hours"]), "illness", "person"),
        K,
        budget=Budget(method=method, effort=100),
    )
    table = publish_table(found)
    write_table(folder / "public.csv", table)
    write_links(folder / "links.csv", "person", found, table)
    return found


def judged(folder: Path, found: Anonymisation, source: Path | None) -> Report:
    assert found.ncp is not None
    return verify(
        [folder / "public.csv"],
        quasi_identifiers=["age" if source is None else f"age:numeric={source}", "hours"],
        sensitive="illness",
        person="person",
        class_id="class",
        m=K,
        model="k-anonymous",
        links=[folder / "links.csv"],
        tables=[folder / "table.csv"],
        claimed_ncp=[found.ncp],
        claimed_il=[found.il],
    )


def small_table(seed: int = 0) -> pd.DataFrame:
    generator = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "person": [f"p{number}" for number in range(50)],
            "age": generator.integers(17, 91, 50),
            "hours": generator.integers(1, 60, 50),
            "illness": generator.choice(["flu", "gout", "cold"], 50),
        }
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", DECLARED)
def test_the_judge_agrees(tmp_path: Path, method: str, name: str) -> None:
    source = tmp_path / name
    source.write_text(DECLARED[name])
    found = published(tmp_path, small_table(), source, method)
    report = judged(tmp_path, found, source)
    assert report.violated == ()
    for rule in RULES:
        assert report.outcome(rule).status.name == "PASSED", rule


def test_without_the_declaration_truth_is_judged_and_the_loss_is_another(tmp_path: Path) -> None:
    source = tmp_path / "widths.toml"
    source.write_text(DECLARED[source.name])
    found = published(tmp_path, small_table(), source, "kaca")
    report = judged(tmp_path, found, None)
    assert report.violated == ("loss-as-claimed",)
    assert report.outcome("cells-contain-truth").status.name == "PASSED"


def test_the_shipped_ages_of_adult_are_intervals_of_numbers(tmp_path: Path) -> None:
    source = adult_hierarchy_paths()["age"]
    found = published(tmp_path, small_table(1), source, "optimise")
    assert judged(tmp_path, found, source).violated == ()


@example(low=0, extent=1, width=1 / 3, ratios=[])  # three widths end just below 1, which is meant
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    low=st.decimals(-50, 50, places=2),
    extent=st.decimals("0.5", 60, places=2),
    width=st.one_of(st.decimals("0.05", 9, places=2), st.floats(0.05, 9)),
    ratios=st.lists(st.integers(2, 4), max_size=2),
)
def test_both_sides_cut_a_domain_alike(tmp_path: Path, low, extent, width, ratios) -> None:
    """Bounds are told by decimals: what minv publishes is what the judge finds in the same file."""
    widths = [float(width)]
    for ratio in ratios:
        widths.append(widths[-1] * ratio)
    path = tmp_path / "levels.toml"
    path.write_text(
        f"[intervals]\nlow = {float(low)!r}\nhigh = {float(low + extent)!r}\nwidths = {widths!r}\n"
    )
    levels = read_hierarchy(path)
    assert isinstance(levels, Intervals)
    tree = read_number_tree(path)
    ends = np.array(levels.bounds[0])
    for label in levels.hierarchy(np.concatenate([ends, (ends[:-1] + ends[1:]) / 2])).labels:
        assert tree.declares(tree.parse(label)), label
