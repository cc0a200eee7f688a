"""Real microdata, seeded generators and simulated multi-release tables."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from minv_datasets.acs import load_acs_pums as load_acs_pums
    from minv_datasets.adult import ADULT_MISSING as ADULT_MISSING
    from minv_datasets.adult import load_adult as load_adult
    from minv_datasets.adult_trees import adult_hierarchies as adult_hierarchies
    from minv_datasets.adult_trees import adult_hierarchy_paths as adult_hierarchy_paths
    from minv_datasets.casc import CASC_COLUMNS as CASC_COLUMNS
    from minv_datasets.casc import EIA_COLUMNS as EIA_COLUMNS
    from minv_datasets.casc import load_casc as load_casc
    from minv_datasets.errors import DataError as DataError
    from minv_datasets.errors import DatasetError as DatasetError
    from minv_datasets.errors import OtherSampleWarning as OtherSampleWarning
    from minv_datasets.errors import UnavailableError as UnavailableError
    from minv_datasets.errors import UsageError as UsageError
    from minv_datasets.identifiers import with_ids as with_ids
    from minv_datasets.ipums import load_ipums as load_ipums
    from minv_datasets.sampling import ADULT_SAMPLE_SIZE as ADULT_SAMPLE_SIZE
    from minv_datasets.sampling import IPUMS_SAMPLE_SIZE as IPUMS_SAMPLE_SIZE
    from minv_datasets.sampling import complete_rows as complete_rows
    from minv_datasets.sampling import eligible_samples as eligible_samples
    from minv_datasets.sampling import is_eligible as is_eligible
    from minv_datasets.sampling import sample as sample
    from minv_datasets.simulation import Dynamicity as Dynamicity
    from minv_datasets.simulation import Event as Event
    from minv_datasets.simulation import Rates as Rates
    from minv_datasets.simulation import Scenario as Scenario
    from minv_datasets.simulation import SimulatedRelease as SimulatedRelease
    from minv_datasets.simulation import simulate as simulate
    from minv_datasets.simulation import simulate_releases as simulate_releases
    from minv_datasets.synthetic import ipums_like as ipums_like

_HOMES = {
    "ADULT_MISSING": "minv_datasets.adult",
    "ADULT_SAMPLE_SIZE": "minv_datasets.sampling",
    "CASC_COLUMNS": "minv_datasets.casc",
    "DataError": "minv_datasets.errors",
    "DatasetError": "minv_datasets.errors",
    "Dynamicity": "minv_datasets.simulation",
    "EIA_COLUMNS": "minv_datasets.casc",
    "Event": "minv_datasets.simulation",
    "IPUMS_SAMPLE_SIZE": "minv_datasets.sampling",
    "OtherSampleWarning": "minv_datasets.errors",
    "Rates": "minv_datasets.simulation",
    "Scenario": "minv_datasets.simulation",
    "SimulatedRelease": "minv_datasets.simulation",
    "UnavailableError": "minv_datasets.errors",
    "UsageError": "minv_datasets.errors",
    "adult_hierarchies": "minv_datasets.adult_trees",
    "adult_hierarchy_paths": "minv_datasets.adult_trees",
    "complete_rows": "minv_datasets.sampling",
    "eligible_samples": "minv_datasets.sampling",
    "ipums_like": "minv_datasets.synthetic",
    "is_eligible": "minv_datasets.sampling",
    "load_acs_pums": "minv_datasets.acs",
    "load_adult": "minv_datasets.adult",
    "load_casc": "minv_datasets.casc",
    "load_ipums": "minv_datasets.ipums",
    "sample": "minv_datasets.sampling",
    "simulate": "minv_datasets.simulation",
    "simulate_releases": "minv_datasets.simulation",
    "with_ids": "minv_datasets.identifiers",
}

__all__ = sorted(["__version__", *_HOMES])


def __getattr__(name: str) -> Any:
    """Import on first use: the names above cost nothing until then."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
