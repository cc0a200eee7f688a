"""All tables by name: for the command `minv-datasets`, and for programs that look for tables by entry point."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import pandas as pd

from minv_datasets.acs import load_acs_pums
from minv_datasets.adult import load_adult
from minv_datasets.casc import load_casc
from minv_datasets.ipums import load_ipums
from minv_datasets.synthetic import ipums_like

IPUMS_LIKE_ROWS = 50_000
IPUMS_LIKE_SEED = 1


def generated_ipums_like() -> pd.DataFrame:
    """Return the generator's first 50,000 persons of seed 1: a table that needs no file."""
    return ipums_like(IPUMS_LIKE_ROWS, IPUMS_LIKE_SEED)


TABLES: Mapping[str, Callable[[], pd.DataFrame]] = MappingProxyType(
    {
        "acs": load_acs_pums,
        "adult": load_adult,
        "census": partial(load_casc, "census"),
        "eia": partial(load_casc, "eia"),
        "ipums": load_ipums,
        "ipums-like": generated_ipums_like,
        "tarragona": partial(load_casc, "tarragona"),
    }
)
"""What loads each table."""
