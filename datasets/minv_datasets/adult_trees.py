"""Generalisation hierarchies for the categorical columns of Adult, and for age.

Each is a `;`-separated file without a header: one line per value, the value first, then ever more general
terms, `*` last; all lines of a file are equally long. "?" has a branch of its own where it occurs.

- age: 15 to 94 in bands of 5, 10, 20 and 40 years; Adult has 17 to 90.
- education: by school grade and by what was completed.
- native-country: regions and continents of the United Nations' M49 standard, of the time when Yugoslavia
  existed. "South" stands for South Korea (77 of its 80 persons are Asian-Pac-Islander) and "Hong" for Hong
  Kong; "Outlying-US(Guam-USVI-etc)" lies in Oceania and the Caribbean, so on several continents.
- occupation: the major groups of the 1990 census classification.
- race, sex: no level between the value and `*`.
"""

from pathlib import Path

import pandas as pd

from minv_datasets.adult import DATA_FOLDER

HIERARCHY_COLUMNS = (
    "age",
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "sex",
    "workclass",
)


def adult_hierarchy_paths() -> dict[str, Path]:
    """Return the hierarchy file of each column that has one."""
    return {column: DATA_FOLDER / "adult_hierarchies" / f"{column}.csv" for column in HIERARCHY_COLUMNS}


def adult_hierarchies() -> dict[str, pd.DataFrame]:
    """Return the hierarchy of each column that has one: a row per value, column 0 the value, the last `*`."""
    return {
        column: pd.read_csv(path, sep=";", header=None, dtype="str", keep_default_na=False)
        for column, path in adult_hierarchy_paths().items()
    }
