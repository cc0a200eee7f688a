"""Clustering for k-anonymity: seconds of each method, alone and as tables grow."""

from typing import Any

from benchmarks import instances
from benchmarks.cases import ADULT, InstanceCase
from benchmarks.profiles import only_full

K, SEED = 5, 1
METHODS = ["mdav", "v-mdav", "coaa", "kaca", "gaa-cp"]
ROWS = [500, 1000, *only_full(3000)]


def ages_and_education(rows: int) -> instances.Microdata:
    """Return Adult without sex: as a number it makes the first bisection of COAA too uneven to go on."""
    data = instances.load(InstanceCase(ADULT, rows, K))
    return instances.Microdata(data.points[:, ::2], data.colours)


def cluster(points: Any, method: str) -> Any:
    """Return the labels of one method on numeric quasi-identifiers."""
    from minv import kanonymity
    from minv.kanonymity.kaca import in_intervals
    from minv.loss import MixedRecords
    from minv.loss.records import Numbers

    if method == "mdav":
        return kanonymity.mdav(points, K)
    if method == "v-mdav":
        return kanonymity.v_mdav(points, K)
    attributes = [Numbers(column) for column in points.T]
    if method == "kaca":
        return kanonymity.kaca([in_intervals(numbers) for numbers in attributes], K, SEED)
    records = MixedRecords(attributes)
    return kanonymity.coaa(records, K) if method == "coaa" else kanonymity.gaa_cp(records, K, SEED)


class KAnonymity:
    """One run each, compiled code warm."""

    version = "1"
    params = (METHODS, ROWS)
    param_names = ("method", "rows")
    timeout = 600

    def setup(self, method: str, rows: int) -> None:
        self.points = ages_and_education(rows).points
        cluster(self.points[:50], method)

    def time_cluster(self, method: str, rows: int) -> None:
        cluster(self.points, method)
