"""k-anonymity by clustering: COAA, KACA, GAA-CP, MDAV, V-MDAV."""

from minv.kanonymity.coaa import coaa
from minv.kanonymity.gaa_cp import gaa_cp
from minv.kanonymity.kaca import kaca
from minv.kanonymity.mdav import mdav
from minv.kanonymity.v_mdav import v_mdav

__all__ = ["coaa", "gaa_cp", "kaca", "mdav", "v_mdav"]
