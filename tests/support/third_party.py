"""Roles of a small table of anybody, for the tests of the judge."""

from typing import Any

ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": "disease", "person": "id", "m": 2}
