"""The reference tables of the CASC project for microaggregation: Tarragona, Census, EIA."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from minv_datasets.download import cache_folder, fetch, write_whole
from minv_datasets.errors import DataError, UnavailableError, UsageError
from minv_datasets.reference import DATA_VARIABLE, ReferenceFile, existing_file

R_PACKAGE_COMMIT = "cf3251017482bb215f0a9abf4a930f502399fb72"
R_PACKAGE_FILES = f"https://raw.githubusercontent.com/sdcTools/sdcMicro/{R_PACKAGE_COMMIT}/data"
DESCRIPTION_URL = "https://research.cbs.nl/casc/CASCrefmicrodata.pdf"

TARRAGONA_COLUMNS = (
    *(
        "FIXED.ASSETS",
        "CURRENT.ASSETS",
        "TREASURY",
        "UNCOMMITTED.FUNDS",
        "PAID.UP.CAPITAL",
        "SHORT.TERM.DEBT",
    ),
    *("SALES", "LABOR.COSTS", "DEPRECIATION", "OPERATING.PROFIT", "FINANCIAL.OUTCOME", "GROSS.PROFIT"),
    "NET.PROFIT",
)
CENSUS_COLUMNS = (
    *("AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX", "TAXINC", "POTHVAL", "INTVAL"),
    *("PEARNVAL", "FICA", "WSALVAL", "ERNVAL"),
)
EIA_SALES_COLUMNS = (
    *("RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "INDREVENUE", "INDSALES"),
    *("OTHREVENUE", "OTHRSALES", "TOTREVENUE", "TOTSALES"),
)
EIA_COLUMNS = ("UTILITYID", *EIA_SALES_COLUMNS)
"""The eleven attributes that the literature on microaggregation means by "EIA"."""

CASC_COLUMNS = {"tarragona": TARRAGONA_COLUMNS, "census": CENSUS_COLUMNS, "eia": EIA_COLUMNS}
"""Per table, the columns that the literature's figures are about."""


@dataclass(frozen=True, slots=True)
class _Table:
    """One table: the reference file, all its columns, and the R data file it is made from."""

    reference: ReferenceFile
    columns: tuple[str, ...]
    r_file: ReferenceFile
    text: tuple[str, ...] = ()


_TABLES = {
    "tarragona": _Table(
        ReferenceFile("tarragona.csv", "d5f719a134a3476b2157d9675d1a2b211dbc06ad6109685ad1e4b7847cfa45a4"),
        TARRAGONA_COLUMNS,
        ReferenceFile("Tarragona.rda", "e83def0648be5e47eaf202b4dd60dd6981591d0858fd249817b9a2cc97cf2aef"),
    ),
    "census": _Table(
        ReferenceFile("census.csv", "40fb91564d4379274610e941161fd38729adb471bddb9c71d7c01ef142fd0f5b"),
        CENSUS_COLUMNS,
        ReferenceFile(
            "CASCrefmicrodata.rda", "147d0d7fa823a384e36c2297174560e32cdbe6e39803f22f797610fb1a2993d6"
        ),
    ),
    "eia": _Table(
        ReferenceFile("eia.csv", "4df54e21b3451e3c0b6081fa1c9ef5dbd8f09d484925ed2ade759b78b4869d1b"),
        ("UTILITYID", "UTILNAME", "STATE", "YEAR", "MONTH", *EIA_SALES_COLUMNS),
        ReferenceFile("EIA.rda", "8b61ceb0d1fa01d024bd62171655601abed62ff70a5e9e6fd550c43a1f76695e"),
        text=("UTILNAME", "STATE"),
    ),
}


def load_casc(name: str, path: str | os.PathLike[str] | None = None) -> pd.DataFrame:
    """Return one of the CASC reference tables, all columns, numbers as 64-bit integers.

    Looked for at `path`, then in the folder that the environment variable MINV_DATA names, then in the cache.
    Last it is downloaded: the R data file of the package sdcMicro at a fixed commit is fetched, checked by
    its sha256 and converted to the reference CSV file, which is checked again (needs the extra `casc`).

    Parameters
    ----------
    name
        "tarragona" (834 x 13), "census" (1,080 x 13) or "eia" (4,092 x 15). Of EIA the literature uses the
        columns `EIA_COLUMNS`.
    path
        A CSV file with the table's columns. Its contents are not compared with the reference.

    Raises
    ------
    UsageError
        There is no table of that name.
    DataError
        The file is missing, is damaged or has other columns.
    UnavailableError
        No copy is at hand and the download fails.

    References
    ----------
    Brand, Domingo-Ferrer, Mateo-Sanz (2002), Reference data sets to test and compare SDC methods for
    protection of numerical microdata, https://research.cbs.nl/casc/CASCrefmicrodata.pdf
    """
    if name not in _TABLES:
        raise UsageError(f"no CASC table of that name; choose one of: {', '.join(_TABLES)}")
    table = _TABLES[name]
    file = existing_file(path) if path is not None else _find(table)
    return _read(file, table)


def _find(table: _Table) -> Path:
    """Return the verified file in MINV_DATA or the cache; rebuild it there if need be."""
    local = table.reference.in_data_folder()
    if local is not None:
        return local
    cached = cache_folder() / table.reference.name
    if not (cached.is_file() and table.reference.matches(cached)):
        _rebuild(table, cached)
    return cached


def _rebuild(table: _Table, target: Path) -> None:
    """Download the R data file and convert it to the reference file, byte for byte."""
    try:
        r_file = fetch(
            f"{R_PACKAGE_FILES}/{table.r_file.name}", table.r_file.sha256, target.parent, table.r_file.name
        )
        content = _convert(r_file, table)
    except UnavailableError as error:
        raise UnavailableError(
            f"{table.reference.name} is not at hand: {error}; set {DATA_VARIABLE} to a folder that holds it "
            f"(sha256 {table.reference.sha256}), or make it from {R_PACKAGE_FILES}/{table.r_file.name} "
            f"(described in {DESCRIPTION_URL})"
        ) from error
    if hashlib.sha256(content).hexdigest() != table.reference.sha256:
        raise DataError(
            f"{r_file} was not converted to the reference file {table.reference.name}; another version of "
            f"the package rdata may do it, or set {DATA_VARIABLE} to a folder that holds the file"
        )
    write_whole(target, content)


def _convert(r_file: Path, table: _Table) -> bytes:
    """Return the CSV text of the only data frame in an R data file."""
    try:
        import rdata
    except ImportError as error:
        raise UnavailableError("reading R data needs `pip install 'minv-datasets[casc]'`") from error
    (frame,) = rdata.read_rda(r_file, default_encoding="utf-8").values()
    columns = {
        column: frame[column].astype(str) if column in table.text else frame[column].astype("int64")
        for column in table.columns
    }
    return pd.DataFrame(columns).to_csv(index=False, lineterminator="\n").encode()


def _read(path: Path, table: _Table) -> pd.DataFrame:
    """Read a CSV file that must have exactly the table's columns, all numbers integral."""
    try:
        frame = pd.read_csv(path, dtype=dict.fromkeys(table.text, "str"), keep_default_na=False)
    except (OSError, ValueError) as error:
        raise DataError(f"{path} is not a readable CSV file") from error
    if tuple(frame.columns) != table.columns:
        raise DataError(f"{path} must have the {len(table.columns)} columns {', '.join(table.columns)}")
    for column in frame.columns.difference(list(table.text)):
        if not pd.api.types.is_integer_dtype(frame[column]):
            raise DataError(f"{path}: column {column} must hold whole numbers without gaps")
    return frame
