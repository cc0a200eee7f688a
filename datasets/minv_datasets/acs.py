"""Persons of the American Community Survey 2024 (1-year public use microdata) who have an occupation."""

import os
import warnings
from pathlib import Path

import pandas as pd

from minv_datasets.acs_official import ACS_STATES, OFFICIAL_URL, draw_official_sample
from minv_datasets.errors import DataError, OtherSampleWarning, UnavailableError
from minv_datasets.reference import DATA_VARIABLE, ReferenceFile, existing_file

ACS_FILE = ReferenceFile(
    "acs_pums.csv.gz", "5642f19dcf7a642065e1ab491e6596341bfcbb11b43d31613aaf251bc32908d0"
)
TEXT_COLUMNS = ("serialno", "state", "puma", "occ", "ind")
GAPPY_COLUMNS = ("hours", "degree_field", "povpip", "commute_min", "commute_mode", "military")
"""Columns that do not apply to everybody: nullable integers."""

NOT_AT_HAND = (
    f"{ACS_FILE.name} is not at hand: set {DATA_VARIABLE} to a folder that holds it (sha256 {ACS_FILE.sha256}) "
    f"or give its path; {OFFICIAL_URL} gives another sample of the same population, from which this one cannot "
    "be rebuilt"
)

ACS_COLUMNS = (
    *("serialno", "sporder", "state", "puma", "weight", "sex", "age", "educ", "occ", "ind", "cow", "esr"),
    *("hours", "marst", "race", "hisp", "citizen", "nativity", "degree_field", "wage", "income", "povpip"),
    *("commute_min", "commute_mode", "disability", "insured", "military"),
)


def load_acs_pums(path: str | os.PathLike[str] | None = None, *, download: bool = True) -> pd.DataFrame:
    """Return a sample of 50,000 persons with an occupation, in random order.

    Looked for at `path`, then in the folder that the environment variable MINV_DATA names. If neither is set
    or has it, the official files are downloaded (48 states and the District of Columbia, several hundred
    megabytes; only the sample is kept, in the user's cache). They give *another* sample of the same size from
    the same population, since the draw behind the reference file cannot be repeated: `OtherSampleWarning`.

    The first n rows are themselves a random sample. serialno, state, puma, occ and ind are text (leading
    zeros), all else is whole numbers, nullable (Int64) where a question is not asked of everybody.

    Parameters
    ----------
    path
        A file laid out like the reference file `acs_pums.csv.gz`. Its contents are not compared with it.
    download
        Whether another sample will do. If not, nothing is downloaded: the reference sample or an error.

    Raises
    ------
    DataError
        The file is missing, is damaged or has other columns.
    UnavailableError
        No copy is at hand, and the download fails or is not wanted.

    References
    ----------
    US Census Bureau, American Community Survey 2024 1-year public use microdata sample, person records.
    """
    file = existing_file(path) if path is not None else ACS_FILE.in_data_folder()
    if file is None and not download:
        raise UnavailableError(NOT_AT_HAND)
    return _read(file if file is not None else _official_sample())


def _official_sample() -> Path:
    """Return the file of a sample drawn from the official files, with the warning that it is another one."""
    try:
        file = draw_official_sample(ACS_STATES)
    except UnavailableError as error:
        raise UnavailableError(f"{NOT_AT_HAND}, and drawing that one failed: {error}") from error
    warnings.warn(
        f"this is not the reference sample {ACS_FILE.name} but another one of the same population, "
        f"drawn from {OFFICIAL_URL}: figures agree in level only",
        OtherSampleWarning,
        stacklevel=3,
    )
    return file


def _read(path: Path) -> pd.DataFrame:
    """Read a file with the reference layout."""
    types = dict.fromkeys(TEXT_COLUMNS, "str") | dict.fromkeys(GAPPY_COLUMNS, "Int64")
    try:
        frame = pd.read_csv(path, dtype=types)
    except (OSError, ValueError) as error:
        raise DataError(f"{path} is not a readable CSV file of this layout") from error
    if tuple(frame.columns) != ACS_COLUMNS:
        raise DataError(f"{path} must have the {len(ACS_COLUMNS)} columns {', '.join(ACS_COLUMNS)}")
    for column in ACS_COLUMNS:
        if column not in types and not pd.api.types.is_integer_dtype(frame[column]):
            raise DataError(f"{path}: column {column} must hold whole numbers without gaps")
    return frame
