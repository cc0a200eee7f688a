"""How much memory a table takes, told before it is read."""

from pathlib import Path

from minv.errors import DataError
from minv.wording import counted, form

# Measured while publishing tables of 50,000 to 200,000 rows: text, codes, coordinates, both tables of a release.
BYTES_A_CELL = 400
_MEMORY = Path("/proc/meminfo")


def check_memory(rows: int, columns: int, title: str) -> list[str]:
    """Compare the memory that a table needs with what the machine has.

    Parameters
    ----------
    columns
        Number of columns that are read.

    Returns
    -------
    A warning, if the memory that is free now may not do.

    Raises
    ------
    DataError
        The machine does not have so much memory at all.
    """
    needed = rows * columns * BYTES_A_CELL
    memory = _memory()
    told = (
        f"{title}: {counted(rows, 'row')} of {counted(columns, 'column')} {form(rows, 'needs', 'need')} about "
        f"{_gigabytes(needed)} of memory"
    )
    if needed > memory.get("MemTotal", needed):
        raise DataError(
            f"{told}, more than this machine has ({_gigabytes(memory['MemTotal'])}); use fewer rows"
        )
    if needed > memory.get("MemAvailable", needed):
        return [f"{told}, and {_gigabytes(memory['MemAvailable'])} are free"]
    return []


def _memory() -> dict[str, int]:
    """Return the system's own figures in bytes; none where it does not tell them."""
    try:
        lines = _MEMORY.read_text().splitlines()
    except OSError:
        return {}
    entries = (line.replace(":", "").split() for line in lines)
    return {entry[0]: 1024 * int(entry[1]) for entry in entries if entry[-1] == "kB"}


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
