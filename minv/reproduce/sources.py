"""Where the tables come from: files, or packages that offer some by name."""

from importlib.metadata import entry_points
from pathlib import Path

from minv.errors import DataError, UsageError
from minv.tables.frame import FrameSource
from minv.tables.opening import open_table
from minv.tables.source import Source

OFFERS = "minv.tables"
"""Entry-point group in which a package, such as minv-datasets, offers functions that return a frame."""


def find_table(name: str) -> Source:
    """Return the file of this path or, failing that, the table that an installed package offers by this name.

    Raises
    ------
    UsageError
        There is no such file and no such offer.
    DataError
        The file or the offered table cannot be had; the text says why.
    """
    if Path(name).is_file():
        return open_table(name)
    offers = {offer.name: offer for offer in entry_points(group=OFFERS)}
    if name not in offers:
        known = ", ".join(sorted(offers)) or "none; minv-datasets offers some"
        raise UsageError(f"no file {name}, and no table of that name is offered (offered: {known})")
    try:
        return FrameSource(offers[name].load()())
    except Exception as error:  # whatever the offering package raises
        raise DataError(f"table {name}: {error}") from error
