"""Local search from a feasible partition: swaps, moves, assignment by colour, annealing."""

from minv.localsearch.annealing import Annealing, anneal
from minv.localsearch.cluster_number import with_clusters
from minv.localsearch.colour_assignment import reassign_colours
from minv.localsearch.descend import descend
from minv.localsearch.first_improvement import first_improvement
from minv.localsearch.requirements import Requirements, allowed_colours
from minv.localsearch.two_swap import two_swap

__all__ = [
    "Annealing",
    "Requirements",
    "allowed_colours",
    "anneal",
    "descend",
    "first_improvement",
    "reassign_colours",
    "two_swap",
    "with_clusters",
]
