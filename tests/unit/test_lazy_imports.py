"""`import minv` and the command line's own modules are quick: heavy libraries wait until they are needed."""

import pkgutil
import subprocess
import sys

import pytest

import minv
import minv_datasets
import minv_verifiers

HEAVY = {"numba", "pandas", "pyarrow", "scipy", "highspy", "numpy"}


@pytest.mark.parametrize(
    "module", ["minv", "minv.cli", "minv.cli.app", "minv_verifiers.cli", "minv_datasets.cli"]
)
def test_heavy_libraries_are_not_imported(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.parametrize("name", minv.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(minv, name).__name__ == name
    assert name in dir(minv)


def test_a_public_name_is_no_module_of_the_same_name() -> None:
    """A module that was imported before would take its place."""
    for package in (minv, minv_datasets, minv_verifiers):
        modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
        assert not modules & set(package.__all__)


def test_unknown_name() -> None:
    for package in (minv, minv_datasets, minv_verifiers):
        with pytest.raises(AttributeError, match=r"has no attribute '?nonsense'?$"):
            package.nonsense  # noqa: B018
