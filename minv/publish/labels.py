"""The class of each row of a table, as a file."""

from pathlib import Path

from minv.compiled import IntArray
from minv.series.durable import replace_file
from minv.tables.microdata import Microdata


def write_labels(path: Path, microdata: Microdata, labels: IntArray) -> None:
    """Write a CSV file with the header `row,class`: the 0-based position of each input row and its class.

    Rows that were dropped for a missing value have no line.

    Raises
    ------
    OSError
        The file cannot be written; what was there is unchanged.
    """
    pairs = zip(microdata.positions.tolist(), labels.tolist(), strict=True)
    lines = ["row,class", *(f"{row},{label}" for row, label in pairs)]
    replace_file(path, ("\n".join(lines) + "\n").encode())
