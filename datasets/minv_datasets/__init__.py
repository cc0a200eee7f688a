"""Real microdata, seeded generators and simulated multi-release tables."""

__version__ = "0.1.0"
