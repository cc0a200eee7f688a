"""The assertions for other people's test suites, as functions and as pytest fixtures."""

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from minv_verifiers import testing

ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": "disease", "person": "id", "m": 2}
FIRST = pd.DataFrame({"id": [1, 2], "age": "[18-20]", "disease": ["HIV", "Flu"]})
SECOND = pd.DataFrame(
    {"id": [1, 3, 2, 4], "age": ["18-19"] * 2 + ["20-21"] * 2, "disease": ["HIV", "Acne", "Flu", "Cough"]}
)


def test_good_series_are_asserted(good_series: Path) -> None:
    """A good series passes every assertion that applies."""
    assert testing.assert_verified(good_series).passed
    assert testing.assert_tau_safe([FIRST, FIRST], **ROLES).claims.model == "tau-safe"
    testing.assert_m_invariant([FIRST, FIRST], **ROLES)
    testing.assert_m_unique([FIRST, SECOND], **ROLES)
    testing.assert_k_anonymous([FIRST, SECOND], **ROLES)
    testing.assert_withstands_attack([FIRST, FIRST], **ROLES)


@pytest.mark.parametrize(
    ("assertion", "releases", "options", "text"),
    [
        (testing.assert_tau_safe, [FIRST, SECOND], ROLES, "violated      tau-safety"),
        (testing.assert_m_invariant, [FIRST, SECOND], ROLES, "violated      m-invariance"),
        (testing.assert_m_unique, [FIRST], {**ROLES, "m": 3}, "fewer than m = 3"),
        (testing.assert_k_anonymous, [FIRST], {**ROLES, "m": 3}, "fewer than k = 3"),
        (testing.assert_tau_safe, [FIRST, FIRST], {**ROLES, "person": None}, "not checkable tau-safety"),
        (testing.assert_withstands_attack, [FIRST, SECOND], ROLES, "BREACHED"),
    ],
)
def test_failures_say_what_is_wrong(assertion: Any, releases: Any, options: Any, text: str) -> None:
    """The error carries the findings; what cannot be checked is a failure."""
    with pytest.raises(AssertionError, match=text):
        assertion(releases, **options)


def test_pytest_offers_the_fixtures(tmp_path: Path) -> None:
    """A suite elsewhere asks for `assert_tau_safe` by name."""
    (tmp_path / "test_release.py").write_text(
        "import pandas as pd\n"
        "frame = pd.DataFrame({'id': [1, 2], 'age': '20', 'disease': ['a', 'b']})\n"
        "roles = dict(quasi_identifiers=['age'], sensitive='disease', person='id')\n"
        "def test_safe(assert_tau_safe):\n"
        "    assert_tau_safe([frame, frame], m=2, **roles)\n"
        "def test_unsafe(assert_tau_safe):\n"
        "    assert_tau_safe([frame, frame], m=3, **roles)\n"
    )
    registered = any(entry.name == "minv_verifiers" for entry in entry_points(group="pytest11"))
    plugin = [] if registered else ["-p", "minv_verifiers.pytest_plugin"]  # an older editable installation
    command = [sys.executable, "-m", "pytest", "-q", *plugin, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "1 failed, 1 passed" in result.stdout
    assert "fewer than m = 3" in result.stdout
