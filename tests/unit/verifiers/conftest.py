"""Fixtures of the judge's tests: a hand-made good series, and the module that makes it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

_PATH = Path(__file__).with_name("series_builder.py")


@pytest.fixture(scope="session")
def builder() -> ModuleType:
    """The module `series_builder`, loaded by path since tests are no package."""
    specification = importlib.util.spec_from_file_location("series_builder", _PATH)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["series_builder"] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def good_series(builder: ModuleType, tmp_path: Path) -> Path:
    """Three good releases in Parquet, with all that a series can hold."""
    return builder.build(tmp_path / "series", builder.good_plans(), domain=DOMAIN)


@pytest.fixture
def tables() -> list[pd.DataFrame]:
    """The paper's Tables 1, 2 and 3."""
    first = pd.DataFrame({"id": [1, 2], "age": "[18-20]", "disease": ["HIV", "Flu"]})
    second = pd.DataFrame(
        {"id": [1, 3, 2, 4], "age": ["18-19"] * 2 + ["20-21"] * 2, "disease": ["HIV", "Acne", "Flu", "Cough"]}
    )
    third = pd.DataFrame(
        {"id": [1, 2, 3, 4], "age": ["18-20"] * 2 + ["19-21"] * 2, "disease": ["HIV", "Flu", "Acne", "Cough"]}
    )
    return [first, second, third]


DOMAIN = ["ache", "cold", "flu", "gout", "mumps", "rash"]
