"""Fixtures of the judge's tests: a hand-made good series, and the module that makes it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

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


DOMAIN = ["ache", "cold", "flu", "gout", "mumps", "rash"]
