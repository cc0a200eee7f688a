"""Seconds of each local search from the start "tau", compiled code warm; `quality` tracks what it reaches."""

from benchmarks import instances
from benchmarks.cases import STEP_INSTANCES, by_name

CASES = by_name(STEP_INSTANCES)
MOVES = 1_000_000
SEED = 1


class LocalSearch:
    """One run each; annealing makes a million moves."""

    version = "1"
    params = (list(CASES),)
    param_names = ("instance",)

    def setup(self, name: str) -> None:
        from minv.heuristics import tau

        self.m = CASES[name].m
        data = instances.load(CASES[name])
        self.problem = (data.points, data.colours, tau(data.points, data.colours, self.m, SEED))
        self.time_two_swap(name)
        self.time_first_improvement(name)
        self.anneal(moves=1000)

    def anneal(self, moves: int) -> None:
        """Anneal by so many moves."""
        from minv.localsearch import anneal

        anneal(*self.problem, m=self.m, moves=moves, seed=SEED)

    def time_two_swap(self, name: str) -> None:
        from minv.localsearch import two_swap

        two_swap(*self.problem)

    def time_first_improvement(self, name: str) -> None:
        from minv.localsearch import first_improvement

        first_improvement(*self.problem)

    def time_anneal_million_moves(self, name: str) -> None:
        self.anneal(MOVES)
