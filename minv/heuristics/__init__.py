"""Constructive algorithms: the published bucket algorithms, and a fast start."""

from minv.heuristics.baselines import classic, random_bucket, tau
from minv.heuristics.sorted_start import sorted_start

__all__ = ["classic", "random_bucket", "sorted_start", "tau"]
