"""Small tables and series to look at."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minv.publish.series import Series

from . import naive

TERMS: dict[str, Any] = {
    "id": "person",
    "quasi_identifiers": ["age", "sex:nominal"],
    "sensitive": "illness",
    "m": 2,
}


def people(number: int = 12, seed: int = 0) -> pd.DataFrame:
    """Return persons with illnesses none of which is too frequent for m = 2."""
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "person": [f"p{i:03d}" for i in range(number)],
            "age": random.integers(18, 90, number),
            "sex": random.choice(["f", "m"], number),
            "illness": np.array(["flu", "gout", "cold", "HIV"])[np.arange(number) % 4],
            "note": "confidential",
        }
    )


@pytest.fixture(autouse=True)
def _naive_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a naive engine where the optimisation is called, unless a test uses `real_engine`."""
    if "real_engine" not in request.fixturenames:
        monkeypatch.setattr("minv.publish.series.solve", naive.solve)


@pytest.fixture
def real_engine() -> None:
    """Leave the optimisation in its place."""


@pytest.fixture
def table() -> pd.DataFrame:
    """Give a dozen persons."""
    return people()


@pytest.fixture
def new_series(tmp_path: Path) -> Callable[..., Series]:
    """Give a function that begins a series in a fresh folder."""
    made: list[Path] = []

    def begin(**terms: Any) -> Series:
        made.append(tmp_path / f"series-{len(made)}")
        return Series.create(made[-1], **{**TERMS, **terms})

    return begin
