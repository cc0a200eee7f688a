"""How many persons are concerned: exact shares, carried over, within what there is."""

from fractions import Fraction
from itertools import pairwise
from math import floor

import pytest

from minv_datasets import Rates, UsageError
from minv_datasets.simulation.plan import check_reservoir, largest_start, persons_needed, plan


def test_nothing_happens_without_rates():
    steps = plan(7, Rates(), 3)
    assert [step.rows for step in steps] == [7, 7, 7]
    assert [step.inserted for step in steps] == [7, 0, 0]


def test_by_hand():
    """10 rows; a fifth leaves, three tenths come, a tenth returns, half of those who stay change."""
    rates = Rates(insert=0.3, delete=0.2, reinsert=0.1, update_qi=0.5, update_sensitive=0.25)
    second, third = plan(10, rates, 3)[1:]
    # 8 of 10 stay; nobody is away yet
    assert (second.deleted, second.inserted, second.reinserted) == (2, 3, 0)
    assert (second.updated_qi, second.updated_sensitive, second.rows) == (4, 2, 11)
    # 2.2 leave, 3.3 come, 1.1 return; 9 stay, of which 4.5 and 2.25 change
    assert (third.deleted, third.inserted, third.reinserted) == (2, 3, 1)
    assert (third.updated_qi, third.updated_sensitive, third.rows) == (4, 2, 13)


@pytest.mark.parametrize("rate", [0.1, 0.07, 0.29, 1 / 3, 0.003])
def test_totals_are_shares_rounded_down(rate):
    """Decimal rates are meant exactly: 29 % of 100 rows are 29 persons, not 28."""
    steps = plan(100, Rates(delete=rate), 30)
    expected = Fraction(0)
    gone = 0
    for before, step in pairwise(steps):
        expected += Fraction(str(rate)) * before.rows
        gone += step.deleted
        assert gone == floor(expected)


def test_a_small_rate_takes_effect_in_the_end():
    """0.1 % of 100 persons is one person every tenth release."""
    steps = plan(100, Rates(update_sensitive=0.001), 21)
    assert [step.release for step in steps if step.updated_sensitive] == [11, 21]


def test_returns_need_someone_who_left_earlier():
    """Who leaves on the way to a release is away in it."""
    steps = plan(10, Rates(delete=0.5, reinsert=1.0), 4)
    assert [step.reinserted for step in steps] == [0, 0, 5, 2]
    assert [step.rows for step in steps] == [10, 5, 8, 6]


def test_everybody_leaves():
    """All leave and half as many come; what is below a person is carried over. Without new ones none is left."""
    assert [step.rows for step in plan(5, Rates(delete=1.0, insert=0.5), 5)] == [5, 2, 1, 1, 0]
    assert [step.rows for step in plan(5, Rates(delete=1.0), 3)] == [5, 0, 0]


@pytest.mark.parametrize("rates", [Rates(), Rates(insert=0.1), Rates(insert=0.07, delete=0.1, reinsert=0.03)])
@pytest.mark.parametrize("persons", [1, 9, 100, 1003])
def test_largest_start_is_the_largest(rates, persons):
    """Compared with trying every number of rows."""
    possible = [rows for rows in range(1, persons + 1) if persons_needed(rows, rates, 6) <= persons]
    assert largest_start(persons, rates, 6) == max(possible)


def test_too_few_persons():
    with pytest.raises(UsageError, match="at most 67 rows"):
        check_reservoir(80, 100, Rates(insert=0.5), 2)
    check_reservoir(67, 100, Rates(insert=0.5), 2)
    with pytest.raises(UsageError, match="1 person does not suffice"):
        largest_start(1, Rates(insert=1.0), 2)


@pytest.mark.parametrize("name", ["insert", "delete", "reinsert", "update_qi", "update_sensitive"])
@pytest.mark.parametrize("rate", [-0.1, float("nan"), float("inf")])
def test_rates_are_shares(name, rate):
    with pytest.raises(UsageError, match=name):
        Rates(**{name: rate})


def test_only_insertions_may_exceed_the_rows():
    Rates(insert=2.5)
    with pytest.raises(UsageError, match="at most 1"):
        Rates(delete=1.01)
