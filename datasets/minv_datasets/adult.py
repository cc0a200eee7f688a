"""UCI Adult, shipped with this distribution (CC BY 4.0; see data/ATTRIBUTION.md)."""

from pathlib import Path

import pandas as pd

from minv_datasets.reference import ReferenceFile

DATA_FOLDER = Path(__file__).parent / "data"
ADULT_FILE = ReferenceFile("adult.csv.gz", "fe24177a5b0df1874e6afc5748b7d9e547ca25880a84c4310f39b7ccf1b0da37")
ADULT_MISSING = "?"


def load_adult() -> pd.DataFrame:
    """Return the Adult census table: 32,561 persons and 15 columns, in the order of the original file.

    Numbers are integers, all else is text. A missing workclass, occupation or native-country is the text "?"
    (`ADULT_MISSING`), as in the original; `complete_rows` leaves those persons out.

    Raises
    ------
    DataError
        The shipped file is damaged (its sha256 is checked at every call).

    References
    ----------
    Becker and Kohavi (1996), Adult, UCI Machine Learning Repository, doi 10.24432/C5XW20.
    """
    path = ADULT_FILE.verify(DATA_FOLDER / ADULT_FILE.name)
    return pd.read_csv(path, keep_default_na=False)
