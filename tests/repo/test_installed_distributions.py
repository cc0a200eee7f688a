"""In tox the tests run on installed wheels, and the wheels are complete."""

import importlib
import importlib.metadata
import os
import sysconfig
from pathlib import Path

import pytest

SOURCES = {
    "minv": "minv",
    "minv_verifiers": "verifiers/minv_verifiers",
    "minv_datasets": "datasets/minv_datasets",
}

pytestmark = pytest.mark.skipif(
    os.environ.get("MINV_INSTALLED") != "1", reason="the distributions may be editable outside tox"
)


@pytest.mark.parametrize("package", SOURCES)
def test_the_tests_run_on_the_installed_package(package: str) -> None:
    """Not on the working tree, where a file forgotten in a wheel would go unnoticed."""
    file = importlib.import_module(package).__file__
    assert file is not None
    assert Path(file).is_relative_to(sysconfig.get_path("purelib"))


@pytest.mark.parametrize("package", SOURCES)
def test_every_tracked_file_of_the_package_is_installed(
    root: Path, tracked: list[Path], package: str
) -> None:
    """Modules, py.typed, schemas, templates, data."""
    source = Path(SOURCES[package])
    expected = {path.relative_to(source) for path in tracked if path.is_relative_to(source)}
    installed = Path(sysconfig.get_path("purelib")) / package
    missing = {str(path) for path in expected if not (installed / path).is_file()}
    assert Path("py.typed") in expected
    assert not missing


def test_the_three_distributions_have_one_version() -> None:
    """They are released together."""
    versions = {importlib.metadata.version(name.replace("_", "-")) for name in SOURCES}
    assert len(versions) == 1
