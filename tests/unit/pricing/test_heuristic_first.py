"""The exact pricer is asked where the heuristic has nothing new to say."""

import numpy as np

from minv.pricing.alternating import AlternatingPricer
from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties, subset_row_cuts
from minv.pricing.heuristic_first import HeuristicFirst
from minv.pricing.protocol import PricingStatus
from minv.stopping import Stop

RANDOM = np.random.default_rng(4)
POINTS, COLOURS, DUALS = RANDOM.normal(size=(30, 2)), np.arange(30) % 5, RANDOM.gamma(1.0, 0.7, 30)


def pricer() -> HeuristicFirst:
    """Both of our own."""
    arguments = (POINTS, COLOURS, 2, 3)
    return HeuristicFirst(
        AlternatingPricer(*arguments, tolerance=1e-9), BoxPricer(*arguments, tolerance=1e-9)
    )


def test_columns_that_are_known_prove_nothing_twice() -> None:
    both = pricer()
    assert both.price(DUALS, Stop()).status is PricingStatus.HEURISTIC
    again = both.price(DUALS, Stop())
    assert again.status is PricingStatus.OPTIMAL
    assert again.columns.number


def test_without_columns_the_exact_pricer_proves_it() -> None:
    assert pricer().price(np.full(30, -1.0), Stop()).status is PricingStatus.OPTIMAL


def test_cuts_and_lists_are_for_the_exact_pricer() -> None:
    both = pricer()
    cuts = CutPenalties(subset_row_cuts(np.array([[0, 1, 2]]), np.ones(3, np.int64)), np.ones(1))
    assert both.price(DUALS, Stop(), cuts).status is PricingStatus.OPTIMAL
    assert both.columns_below(np.zeros(30), 0.1, 1000, Stop()) is not None
