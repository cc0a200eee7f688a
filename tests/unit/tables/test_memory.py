"""A table that is too large is told so before it is read."""

from pathlib import Path

import pytest

from minv.errors import DataError
from minv.tables.memory import check_memory


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend a machine of 4 GB, of which 1 GB is free."""
    path = tmp_path / "meminfo"
    path.write_text(
        "MemTotal:        4000000 kB\nMemFree:  5 kB\nMemAvailable:    1000000 kB\nHugePages_Total:       0\n"
    )
    monkeypatch.setattr("minv.tables.memory._MEMORY", path)


@pytest.mark.usefixtures("machine")
def test_more_than_the_machine_has_is_refused_with_the_estimate() -> None:
    with pytest.raises(DataError, match=r"5000000 rows of 800 columns need about 1600\.0 GB .* \(4\.1 GB\)"):
        check_memory(5_000_000, 800, "table.csv")


@pytest.mark.usefixtures("machine")
def test_more_than_is_free_is_a_warning() -> None:
    (warning,) = check_memory(1_000_000, 5, "table.csv")
    assert "about 2.0 GB" in warning
    assert "1.0 GB are free" in warning


@pytest.mark.usefixtures("machine")
def test_small_tables_pass() -> None:
    assert check_memory(1000, 5, "table.csv") == []


def test_system_that_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minv.tables.memory._MEMORY", tmp_path / "absent")
    assert check_memory(10**12, 5, "table.csv") == []
