"""Dynamic tables: persons who come, go, return and change, release after release."""

from minv_datasets.simulation.dynamicity import Dynamicity
from minv_datasets.simulation.events import Event
from minv_datasets.simulation.rates import Rates
from minv_datasets.simulation.releases import SimulatedRelease, simulate, simulate_releases
from minv_datasets.simulation.scenario import Scenario

__all__ = ["Dynamicity", "Event", "Rates", "Scenario", "SimulatedRelease", "simulate", "simulate_releases"]
