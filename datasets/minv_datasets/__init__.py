"""Real microdata, seeded generators and simulated multi-release tables."""

from minv_datasets.acs import load_acs_pums
from minv_datasets.adult import ADULT_MISSING, load_adult
from minv_datasets.adult_hierarchies import adult_hierarchies, adult_hierarchy_paths
from minv_datasets.casc import CASC_COLUMNS, EIA_COLUMNS, load_casc
from minv_datasets.errors import (
    DataError,
    DatasetError,
    OtherSampleWarning,
    UnavailableError,
    UsageError,
)
from minv_datasets.identifiers import with_ids
from minv_datasets.ipums import load_ipums
from minv_datasets.sampling import (
    ADULT_SAMPLE_SIZE,
    IPUMS_SAMPLE_SIZE,
    complete_rows,
    eligible_samples,
    is_eligible,
    sample,
)
from minv_datasets.simulation import (
    Dynamicity,
    Event,
    Rates,
    Scenario,
    SimulatedRelease,
    simulate,
    simulate_releases,
)
from minv_datasets.synthetic import ipums_like

__version__ = "0.1.0"

__all__ = [
    "ADULT_MISSING",
    "ADULT_SAMPLE_SIZE",
    "CASC_COLUMNS",
    "EIA_COLUMNS",
    "IPUMS_SAMPLE_SIZE",
    "DataError",
    "DatasetError",
    "Dynamicity",
    "Event",
    "OtherSampleWarning",
    "Rates",
    "Scenario",
    "SimulatedRelease",
    "UnavailableError",
    "UsageError",
    "adult_hierarchies",
    "adult_hierarchy_paths",
    "complete_rows",
    "eligible_samples",
    "ipums_like",
    "is_eligible",
    "load_acs_pums",
    "load_adult",
    "load_casc",
    "load_ipums",
    "sample",
    "simulate",
    "simulate_releases",
    "with_ids",
]
