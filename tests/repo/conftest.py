"""What the tests of the repository itself share: its root and its tracked files."""

import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root folder."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tracked(root: Path) -> list[Path]:
    """All files that git tracks and that still exist, relative to the root."""
    if not (root / ".git").exists():
        pytest.skip("not a git repository, so which files belong to it is unknown")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True)
    return [Path(name) for name in listing.stdout.split("\0") if name and (root / name).is_file()]
