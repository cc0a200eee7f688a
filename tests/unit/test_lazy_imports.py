"""`import minv` and the command line's own modules are quick: heavy libraries wait until they are needed."""

import subprocess
import sys

import pytest

import minv

HEAVY = {"numba", "pandas", "pyarrow", "scipy", "highspy", "numpy"}


@pytest.mark.parametrize("module", ["minv", "minv.cli"])
def test_heavy_libraries_are_not_imported(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.parametrize("name", minv.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(minv, name).__name__ == name
    assert name in dir(minv)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="'minv' has no attribute 'nonsense'"):
        minv.nonsense  # noqa: B018
