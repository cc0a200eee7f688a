"""A sample of the ACS drawn from the Census Bureau's own files.

The draw is a bottom-k sample: every person gets a number from a keyed hash of (SERIALNO, SPORDER), and the
persons with the least numbers are taken, in that order. It depends on nothing but who is in the files, needs
one state in memory at a time, and its first n rows are again a sample of the population.
"""

import hashlib
import io
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from minv_datasets.download import cache_folder, fetch, write_whole
from minv_datasets.errors import UnavailableError

OFFICIAL_URL = "https://www2.census.gov/programs-surveys/acs/data/pums/2024/1-Year"
SAMPLE_SIZE = 50_000
HASH_KEY = b"minv-datasets acs 2024"
NEVER_WORKED = "9920"  # OCCP of those without work in the last five years

ACS_STATES = (
    *("al", "ak", "az", "ar", "co", "ct", "de", "dc", "fl", "ga", "hi", "id", "il", "in", "ia", "ks", "ky"),
    *("la", "me", "md", "ma", "mi", "mn", "ms", "mo", "mt", "ne", "nv", "nh", "nj", "nm", "ny", "nc", "nd"),
    *("oh", "ok", "or", "pa", "ri", "sc", "sd", "tn", "ut", "vt", "va", "wa", "wv", "wi", "wy"),
)
"""The states of the reference sample: all but California and Texas."""

CENSUS_NAMES = {
    "SERIALNO": "serialno",
    "SPORDER": "sporder",
    "STATE": "state",
    "PUMA": "puma",
    "PWGTP": "weight",
    "SEX": "sex",
    "AGEP": "age",
    "SCHL": "educ",
    "OCCP": "occ",
    "INDP": "ind",
    "COW": "cow",
    "ESR": "esr",
    "WKHP": "hours",
    "MAR": "marst",
    "RAC1P": "race",
    "HISP": "hisp",
    "CIT": "citizen",
    "NATIVITY": "nativity",
    "FOD1P": "degree_field",
    "WAGP": "wage",
    "PINCP": "income",
    "POVPIP": "povpip",
    "JWMNP": "commute_min",
    "JWTRNS": "commute_mode",
    "DIS": "disability",
    "HICOV": "insured",
    "MIL": "military",
}
WIDTHS = {"state": 2, "puma": 5, "occ": 4, "ind": 4}


def draw_official_sample(states: Iterable[str], url: str = OFFICIAL_URL) -> Path:
    """Return the cached file of the sample of these states; download and draw it if there is none.

    The Bureau revises files in place and no digests are known: an archive is checked by its own checksums
    (CRC-32). The sample is kept under a name that holds its sha256, and is used only while that is right.

    Raises
    ------
    UnavailableError
        A download fails, or what arrives is not an archive of person records.
    """
    folder = cache_folder()
    name = f"acs-2024-{_short_digest(' '.join(states).encode())}"
    for kept in sorted(folder.glob(f"{name}-*.csv")):
        if kept.stem == f"{name}-{_short_digest(kept.read_bytes())}":
            return kept
    sample = pd.DataFrame()
    with tempfile.TemporaryDirectory() as downloads:
        for state in states:
            archive_name = f"csv_p{state}.zip"
            archive = fetch(f"{url}/{archive_name}", None, Path(downloads), archive_name)
            sample = _least(pd.concat([sample, read_person_records(archive)]))
            archive.unlink()
    content = sample.drop(columns="draw").to_csv(index=False, lineterminator="\n").encode()
    kept = folder / f"{name}-{_short_digest(content)}.csv"
    write_whole(kept, content)
    return kept


def read_person_records(archive: Path) -> pd.DataFrame:
    """Return the persons with an occupation in an official archive, all text, with their `draw`.

    Raises
    ------
    UnavailableError
        It is not an intact archive with one file of person records.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            (member,) = (name for name in opened.namelist() if name.startswith("psam_p"))
            content = opened.read(member)
        frame = pd.read_csv(
            io.BytesIO(content), usecols=list(CENSUS_NAMES), dtype="str", keep_default_na=False
        )
    except (zipfile.BadZipFile, ValueError) as error:
        raise UnavailableError(f"{archive.name} is not an archive of 2024 person records") from error
    frame = frame[list(CENSUS_NAMES)].rename(columns=CENSUS_NAMES)
    frame = frame[(frame["occ"] != "") & (frame["occ"] != NEVER_WORKED)].reset_index(drop=True)
    return _canonical(frame).assign(draw=_draws(frame))


def _canonical(frame: pd.DataFrame) -> pd.DataFrame:
    """Codes of full width, numbers without leading zeros (the files pad both, or not, by column and year)."""
    result = frame.copy()
    for column in frame.columns.drop("serialno"):
        if column in WIDTHS:
            result[column] = frame[column].str.zfill(WIDTHS[column])
        else:
            result[column] = frame[column].str.replace(r"^(-?)0+(?=\d)", r"\1", regex=True)
    return result


def _draws(frame: pd.DataFrame) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    """Return a number per person, from a keyed hash of who it is."""
    persons = (frame["serialno"] + " " + frame["sporder"].str.lstrip("0")).tolist()
    digests = b"".join(hashlib.blake2b(p.encode(), digest_size=8, key=HASH_KEY).digest() for p in persons)
    return np.frombuffer(digests, dtype=">u8").astype(np.uint64)


def _least(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the persons with the least numbers, at most `SAMPLE_SIZE`, in their order."""
    return frame.sort_values("draw", kind="stable").head(SAMPLE_SIZE)


def _short_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
