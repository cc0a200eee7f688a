"""Good series, each broken in one way, by families of rules; every module registers its own."""

from planted_faults import manifest, models, private, releases, shape, truth, updates, warnings
from planted_faults.models import disjoint_plans
from planted_faults.planting import DOMAIN, FAULTS, Fault

__all__ = [
    "DOMAIN",
    "FAULTS",
    "Fault",
    "disjoint_plans",
    "manifest",
    "models",
    "private",
    "releases",
    "shape",
    "truth",
    "updates",
    "warnings",
]
