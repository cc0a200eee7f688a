"""Extracts of IPUMS USA: sex, age, education and occupation.

IPUMS asks every user to register and forbids handing extracts on, so there is no download.
"""

import os
from pathlib import Path

import pandas as pd

from minv_datasets.errors import DataError, UnavailableError
from minv_datasets.reference import DATA_VARIABLE, existing_file

IPUMS_URL = "https://usa.ipums.org"
IPUMS_NAMES = ("ipums.csv.gz", "ipums.csv")
OCCUPATION_VARIABLES = ("OCC", "OCC2010", "OCC1990", "OCC1950")
MISSING_SEX = 9
MISSING_EDUC = 99


def load_ipums(path: str | os.PathLike[str] | None = None) -> pd.DataFrame:
    """Return the persons of an IPUMS USA extract who have an occupation: sex, age, educ, occupation.

    Parameters
    ----------
    path
        A CSV extract (may be compressed) with SEX, AGE, EDUC and one of OCC, OCC2010, OCC1990, OCC1950, in
        IPUMS codes; further columns are allowed, case does not matter. By default `ipums.csv.gz` or
        `ipums.csv` in the folder that the environment variable MINV_DATA names.

    Returns
    -------
    DataFrame
        sex (1 male, 2 female), age and educ as integers, occupation as text (four digits). Left out: persons
        without an occupation (code 0) or with the code for a missing sex or education.

    Raises
    ------
    UnavailableError
        No path is given and MINV_DATA has no such file.
    DataError
        The file is missing, is no CSV file, lacks a variable, or has codes that are not whole numbers.

    References
    ----------
    Ruggles et al. (2023), IPUMS USA, https://usa.ipums.org
    """
    file = existing_file(path) if path is not None else _in_data_folder()
    table = _read(file)
    variable = next((name for name in OCCUPATION_VARIABLES if name in table.columns), None)
    missing = [name for name in ("SEX", "AGE", "EDUC") if name not in table.columns]
    if variable is None or missing:
        lacking = [*missing, *(["OCC"] if variable is None else [])]
        raise DataError(f"{file} lacks {', '.join(lacking)}: add to the extract, with codes, not labels")
    codes = pd.DataFrame({name: _codes(table[name], file) for name in ("SEX", "AGE", "EDUC", variable)})
    known = (codes[variable] != 0) & (codes["SEX"] != MISSING_SEX) & (codes["EDUC"] != MISSING_EDUC)
    codes = codes[known].reset_index(drop=True)
    return pd.DataFrame(
        {
            "sex": codes["SEX"],
            "age": codes["AGE"],
            "educ": codes["EDUC"],
            "occupation": codes[variable].astype("str").str.zfill(4),
        }
    )


def _in_data_folder() -> Path:
    folder = os.environ.get(DATA_VARIABLE)
    for name in IPUMS_NAMES if folder else ():
        candidate = Path(str(folder)) / name
        if candidate.is_file():
            return candidate
    raise UnavailableError(
        f"IPUMS data may not be handed on: register at {IPUMS_URL}, make a CSV extract with SEX, AGE, EDUC "
        f"and OCC, and give its path or put it as {IPUMS_NAMES[0]} into the folder that {DATA_VARIABLE} names"
    )


def _read(path: Path) -> pd.DataFrame:
    wanted = {"SEX", "AGE", "EDUC", *OCCUPATION_VARIABLES}
    try:
        table = pd.read_csv(path, usecols=lambda column: column.upper() in wanted)
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path} is not a readable CSV extract (a fixed-width .dat file will not do)"
        ) from error
    return table.rename(columns=str.upper)


def _codes(column: "pd.Series[int]", path: Path) -> "pd.Series[int]":
    if not pd.api.types.is_integer_dtype(column):
        raise DataError(f"{path}: {column.name} must hold whole-number codes without gaps, not labels")
    return column
