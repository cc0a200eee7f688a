"""A small table of mixed quasi-identifiers with its files, for the tests of `minv kanon`."""

from pathlib import Path

import numpy as np
import pandas as pd

PLACES = {
    "Oslo": "north",
    "Malmo": "north",
    "Kiel": "middle",
    "Bonn": "middle",
    "Rome": "south",
    "Nice": "south",
}
JOBS = ("baker", "clerk", "smith", "thatcher")


def small_table(rows: int = 60, seed: int = 0) -> pd.DataFrame:
    """Persons with an age, a place, a job, a school grade and an illness."""
    generator = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "person": [f"p{number}" for number in range(rows)],
            "age": generator.integers(20, 70, rows),
            "place": generator.choice(list(PLACES), rows),
            "job": generator.choice(JOBS, rows),
            "grade": generator.choice(["low", "middle", "high"], rows),
            "illness": generator.choice(["flu", "gout", "cold"], rows),
        }
    )


def write_files(folder: Path, frame: pd.DataFrame) -> Path:
    """Write the table, the hierarchy of places and the order of grades; return the table's path."""
    frame.to_csv(folder / "table.csv", index=False)
    lines = [f"{place};{region};*" for place, region in PLACES.items()]
    (folder / "places.csv").write_text("\n".join(lines) + "\n")
    (folder / "grades.txt").write_text("low\nmiddle\nhigh\n")
    return folder / "table.csv"


def roles(folder: Path) -> list[str]:
    """Return the options that name the quasi-identifiers."""
    return [
        *("--qi", "age", "--qi", f"place:nominal={folder / 'places.csv'}", "--qi", "job:nominal"),
        *("--qi", f"grade:ordinal={folder / 'grades.txt'}"),
    ]
