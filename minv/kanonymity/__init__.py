"""k-anonymity by clustering: COAA, KACA, GAA-CP, MDAV, V-MDAV, and a search of our own for SSE and NCP."""

from minv.kanonymity.coaa import coaa
from minv.kanonymity.gaa_cp import gaa_cp
from minv.kanonymity.kaca import kaca
from minv.kanonymity.line import optimal_on_a_line
from minv.kanonymity.mdav import mdav
from minv.kanonymity.search import (
    SearchSettings,
    default_effort,
    minimise_certainty_penalty,
    minimise_squared_errors,
)
from minv.kanonymity.v_mdav import v_mdav

__all__ = [
    "SearchSettings",
    "coaa",
    "default_effort",
    "gaa_cp",
    "kaca",
    "mdav",
    "minimise_certainty_penalty",
    "minimise_squared_errors",
    "optimal_on_a_line",
    "v_mdav",
]
