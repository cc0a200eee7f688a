"""Loss of the clustering methods, each result verified as k-anonymous; deterministic, hence in the gate."""

import numpy as np

from benchmarks import instances
from benchmarks.cases import ADULT, InstanceCase
from benchmarks.judge import Claim, judge
from benchmarks.kanonymity import METHODS, K, ages_and_education, cluster
from benchmarks.outcomes import Outcome, Outcomes, outcome, solve_all

ROWS = 1000


def solve(method: str) -> Outcome:
    """Return the verified loss of one method."""
    from minv.loss.squares import information_loss, sum_of_squared_errors

    data = ages_and_education(ROWS)
    labels = np.asarray(cluster(data.points, method))
    whole = sum_of_squared_errors(data.points, np.zeros(len(labels), dtype=np.int64))
    claimed = information_loss(sum_of_squared_errors(data.points, labels), whole)
    return Outcome(judge(data, K, Claim(labels, claimed), model="k-anonymous"))


class KAnonymity:
    """IL in percent of each method at k = 5."""

    version = f"1-{instances.checksum(InstanceCase(ADULT, ROWS, K))}"
    params = (METHODS,)
    param_names = ("method",)
    timeout = 600
    unit = "%"

    def setup_cache(self) -> Outcomes:
        return solve_all(METHODS, solve)

    def track_il(self, outcomes: Outcomes, method: str) -> float:
        return outcome(outcomes, method).il
