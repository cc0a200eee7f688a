"""Linear charges for cuts: for no cluster more than its penalties, and gone when discharged."""

from itertools import combinations

import numpy as np
import pytest
from cuts_by_definition import penalty_of, random_cuts
from hypothesis import given, settings
from hypothesis import strategies as st

from minv.pricing.cut_kernels import COVER, FRACTIONS, NEITHER, charge_cuts, discharge_cuts
from minv.pricing.cuts import CutPenalties, rank_one_cuts, subset_row_cuts

ROWS = 7


class Charges:
    """The state of one box's charges."""

    def __init__(self, cuts: CutPenalties) -> None:
        number = len(cuts.penalties)
        self._table = cuts.table(ROWS)
        self._sums = np.zeros(number, np.int64)
        self._charged = np.empty(number, np.int64)
        self._count = 0
        self.form = np.zeros(number, np.int64)
        self.shift = np.zeros(ROWS)
        self.constant = 0.0

    def charge(self, cluster: list[int]) -> bool:
        """Make the cluster dearer; whether that was possible."""
        members = np.array(cluster)
        arrays = (self._sums, self.form, self._charged, self._count, self.shift)
        self._count, rise, changed = charge_cuts(self._table, members, len(members), *arrays)
        self.constant += rise
        return bool(changed)

    def discharge(self) -> None:
        """Undo all."""
        discharge_cuts(self._table, self.form, self._charged, self._count, self.shift)

    def of(self, cluster: tuple[int, ...]) -> float:
        """What the linear charges add to a cluster's reduced cost."""
        return float(self.shift[list(cluster)].sum()) - self.constant


def test_a_cut_is_charged_in_fractions_then_on_the_rows_that_are_met() -> None:
    """Each time on the cluster at hand; the third time there is nothing more to charge."""
    triple = subset_row_cuts(np.array([[0, 1, 2]]), np.ones(ROWS, np.int64))
    charges = Charges(CutPenalties(triple, np.array([4.0])))
    assert not charges.charge([0, 3, 4])
    assert charges.form.tolist() == [NEITHER]
    assert charges.charge([0, 1, 3])
    assert charges.form.tolist() == [FRACTIONS]
    assert charges.of((0, 1)) == pytest.approx(2.0)
    assert charges.of((0, 1, 2)) == pytest.approx(4.0)
    assert charges.charge([0, 1, 3])
    assert charges.form.tolist() == [COVER]
    assert charges.of((0, 1)) == pytest.approx(4.0)
    assert charges.of((0, 2)) == pytest.approx(0.0)
    assert not charges.charge([0, 1, 3])


def test_a_cover_takes_the_large_numerators_first() -> None:
    """Of four rows that hold the cut, two suffice: they alone are charged, and clusters with both pay in full."""
    numerators = np.array([1, 2, 1, 3])
    cut = rank_one_cuts([(np.arange(4), numerators)], [5], np.ones(ROWS, np.int64))
    charges = Charges(CutPenalties(cut, np.array([2.0])))
    assert charges.charge([0, 1, 2, 3])
    assert charges.form.tolist() == [FRACTIONS]
    assert charges.charge([0, 1, 2, 3])
    assert charges.form.tolist() == [COVER]
    assert np.flatnonzero(charges.shift).tolist() == [1, 3]
    assert charges.of((1, 3)) == pytest.approx(2.0)
    assert charges.of((0, 1)) == pytest.approx(0.0)


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1))
def test_no_cluster_is_charged_more_than_its_penalties(seed: int) -> None:
    """Whatever clusters were charged, and in what order: of every subset of the rows."""
    rng = np.random.default_rng(seed)
    number = rng.integers(1, 6)
    cuts = CutPenalties(
        random_cuts(rng, np.ones(ROWS, np.int64), number), rng.choice([0.0, 0.5, 3.0], number)
    )
    charges = Charges(cuts)
    for _ in range(rng.integers(1, 8)):
        charges.charge(rng.choice(ROWS, rng.integers(2, 6), replace=False).tolist())
    for size in range(ROWS + 1):
        for cluster in combinations(range(ROWS), size):
            assert charges.of(cluster) <= penalty_of(cuts, cluster) + 1e-12
    charges.discharge()
    assert (charges.shift == 0).all()
    assert (charges.form == NEITHER).all()
