"""The hierarchies cover Adult, are trees, and are right about the world."""

import pandas as pd
import pytest

from minv_datasets import adult_hierarchies, adult_hierarchy_paths, load_adult

COLUMNS = sorted(
    ["age", "education", "marital-status", "native-country", "occupation", "race", "sex", "workclass"]
)


@pytest.fixture(scope="module")
def hierarchies():
    return adult_hierarchies()


@pytest.fixture(scope="module")
def adult():
    return load_adult()


def test_there_are_eight(hierarchies):
    assert sorted(hierarchies) == COLUMNS
    assert all(path.is_file() for path in adult_hierarchy_paths().values())


@pytest.mark.parametrize("column", COLUMNS)
def test_every_value_has_one_leaf(column, hierarchies, adult):
    """The question mark included; categorical columns have no leaf that does not occur."""
    leaves = hierarchies[column][0]
    assert leaves.is_unique
    occurring = set(adult[column].astype("str"))
    assert occurring <= set(leaves)
    if column != "age":
        assert occurring == set(leaves)


@pytest.mark.parametrize("column", COLUMNS)
def test_it_is_a_tree_with_one_root(column, hierarchies):
    """No gap, one root `*`, a term on one level only and under one parent only."""
    table = hierarchies[column]
    assert not table.isna().any(axis=None)
    assert (table != "").all(axis=None)
    assert (table.iloc[:, -1] == "*").all()
    level_of: dict[str, int] = {}
    for level in table.columns:
        for term in table[level].unique():
            assert level_of.setdefault(term, level) == level
    for child, parent in zip(table.columns, table.columns[1:], strict=False):
        assert not table[[child, parent]].drop_duplicates().duplicated(child).any()


@pytest.mark.parametrize("column", COLUMNS)
def test_the_file_is_plain(column):
    """ASCII, LF ends, no blank around a field."""
    content = adult_hierarchy_paths()[column].read_bytes()
    assert content.isascii()
    assert b"\r" not in content
    assert content.endswith(b";*\n")
    fields = [field for line in content.decode().splitlines() for field in line.split(";")]
    assert all(field == field.strip() for field in fields)


def test_ages_lie_in_their_bands(hierarchies):
    """Every band contains the age, and the bands of a level are equally wide and disjoint."""
    table = hierarchies["age"]
    age = table[0].astype(int)
    for level, width in {1: 5, 2: 10, 3: 20, 4: 40}.items():
        bounds = table[level].str.split("-", expand=True).astype(int)
        assert ((bounds[0] <= age) & (age <= bounds[1])).all()
        assert (bounds[1] - bounds[0] == width - 1).all()
        assert bounds[0].nunique() * width == len(table)


def test_education_follows_the_number_of_the_census(hierarchies, adult):
    """Terms are intervals of education-num: a coarser term never mixes distant levels of schooling."""
    number = adult.drop_duplicates("education").set_index("education")["education-num"]
    table = hierarchies["education"].set_index(0)
    for level in table.columns[:-1]:
        spans = number.groupby(table[level].rename("term")).agg(["min", "max", "size"])
        assert (spans["max"] - spans["min"] + 1 == spans["size"]).all()


def test_geography(hierarchies):
    """Facts on which hierarchies of this table have been wrong."""
    table = hierarchies["native-country"].set_index(0)
    regions = table[1].to_dict()
    continents = table[2].to_dict()
    assert regions["South"] == regions["Japan"] == "Eastern Asia"
    assert regions["Hong"] == regions["China"]
    assert continents["Iran"] == continents["Laos"] == "Asia"
    assert continents["Mexico"] == continents["Peru"] == "Americas"
    assert regions["Columbia"] == regions["Ecuador"] == regions["Peru"] == "South America"
    assert regions["Puerto-Rico"] == regions["Trinadad&Tobago"] == "Caribbean"
    assert regions["Guatemala"] == regions["Mexico"] == "Central America"
    assert regions["Yugoslavia"] == "Southern Europe"
    assert {continents[c] for c in ("England", "Hungary", "Greece", "Holand-Netherlands")} == {"Europe"}
    assert continents["Outlying-US(Guam-USVI-etc)"] not in {"Americas", "Asia", "Europe"}


def test_south_is_korea(adult):
    """What the placement of "South" rests on: nearly all its persons are Asian."""
    south = adult[adult["native-country"] == "South"]
    assert (south["race"] == "Asian-Pac-Islander").mean() > 0.9


def test_what_is_unknown_stays_apart(hierarchies):
    """A missing value shares no term but the root with a known one."""
    for column in ("workclass", "occupation", "native-country"):
        table = hierarchies[column].set_index(0)
        known = table.drop(index="?")
        for level in table.columns[:-1]:
            assert table.loc["?", level] not in set(known[level])


def test_frames_are_text(hierarchies):
    """Ages too: a hierarchy maps text to text."""
    assert all(pd.api.types.is_string_dtype(t) for h in hierarchies.values() for t in h.dtypes)
