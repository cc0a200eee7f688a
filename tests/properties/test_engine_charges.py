"""Linear charges for cuts: for no cluster more than its penalties, and gone when discharged."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minv.pricing.cut_kernels import HALVES, NEITHER, PAIR, charge_cuts, discharge_cuts
from minv.pricing.cuts import CutPenalties

ROWS = 7


class Charges:
    """The state of one box's charges."""

    def __init__(self, cuts: CutPenalties) -> None:
        number = len(cuts.penalties)
        self._cuts = cuts
        self._index = cuts.by_row(ROWS)
        self._hits = np.zeros(number, np.int64)
        self._charged = np.empty(number, np.int64)
        self._count = 0
        self.form = np.zeros(number, np.int64)
        self.shift = np.zeros(ROWS)
        self.constant = 0.0

    def charge(self, cluster: list[int]) -> bool:
        """Make the cluster dearer; whether that was possible."""
        members = np.array(cluster)
        arrays = (self._hits, self.form, self._charged, self._count, self.shift)
        self._count, rise, changed = charge_cuts(
            self._cuts.triples, *self._index, self._cuts.penalties, members, len(members), *arrays
        )
        self.constant += rise
        return bool(changed)

    def discharge(self) -> None:
        """Undo all."""
        discharge_cuts(self._cuts.triples, self.form, self._charged, self._count, self.shift)

    def of(self, cluster: tuple[int, ...]) -> float:
        """What the linear charges add to a cluster's reduced cost."""
        return float(self.shift[list(cluster)].sum()) - self.constant

    def penalties_of(self, cluster: tuple[int, ...]) -> float:
        """What they stand for, by the definition."""
        held = [len(set(cluster) & set(triple)) >= 2 for triple in self._cuts.triples.tolist()]
        return float(self._cuts.penalties[held].sum())


def test_a_cut_is_charged_in_halves_then_on_the_pair_that_is_met() -> None:
    """Each time on the cluster at hand; the third time there is nothing more to charge."""
    charges = Charges(CutPenalties(np.array([[0, 1, 2]]), np.array([4.0])))
    assert not charges.charge([0, 3, 4])
    assert charges.form.tolist() == [NEITHER]
    assert charges.charge([0, 1, 3])
    assert charges.form.tolist() == [HALVES]
    assert charges.of((0, 1)) == pytest.approx(2.0)
    assert charges.of((0, 1, 2)) == pytest.approx(4.0)
    assert charges.charge([0, 1, 3])
    assert charges.form.tolist() == [PAIR]
    assert charges.of((0, 1)) == pytest.approx(4.0)
    assert charges.of((0, 2)) == pytest.approx(0.0)
    assert not charges.charge([0, 1, 3])


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1))
def test_no_cluster_is_charged_more_than_its_penalties(seed: int) -> None:
    """Whatever clusters were charged, and in what order: of every subset of the rows."""
    rng = np.random.default_rng(seed)
    number = rng.integers(1, 6)
    triples = np.array([np.sort(rng.choice(ROWS, 3, replace=False)) for _ in range(number)])
    charges = Charges(CutPenalties(triples, rng.choice([0.0, 0.5, 3.0], number)))
    for _ in range(rng.integers(1, 8)):
        charges.charge(rng.choice(ROWS, rng.integers(2, 6), replace=False).tolist())
    for size in range(ROWS + 1):
        for cluster in combinations(range(ROWS), size):
            assert charges.of(cluster) <= charges.penalties_of(cluster) + 1e-12
    charges.discharge()
    assert (charges.shift == 0).all()
    assert (charges.form == NEITHER).all()
