"""The levels of dynamicity: what each allows is the paper's definition."""

import pytest

from minv_datasets import Dynamicity, Rates, UsageError
from minv_datasets.simulation.dynamicity import rates_at

ALLOWED = {
    Dynamicity.INCREMENTAL: {"insert"},
    Dynamicity.EXTERNAL_DYNAMIC: {"insert", "delete"},
    Dynamicity.FULLY_DYNAMIC: {"insert", "delete", "reinsert", "update_qi", "update_sensitive"},
}
NAMES = sorted(ALLOWED[Dynamicity.FULLY_DYNAMIC])


@pytest.mark.parametrize("level", Dynamicity)
@pytest.mark.parametrize("name", NAMES)
def test_each_level_has_and_accepts_exactly_its_changes(level, name):
    """The whole truth table."""
    assert (getattr(level.rates, name) > 0) == (name in ALLOWED[level])
    if name in ALLOWED[level]:
        assert getattr(rates_at(level, **{name: 0.5}), name) == 0.5
    else:
        with pytest.raises(UsageError, match=f"{level} tables have no {name}"):
            rates_at(level, **{name: 0.5})


@pytest.mark.parametrize("level", Dynamicity)
def test_a_rate_of_zero_is_always_accepted(level):
    """It switches a change off, or confirms that there is none."""
    assert rates_at(level, **dict.fromkeys(NAMES, 0.0)) == Rates()


@pytest.mark.parametrize("level", Dynamicity)
def test_only_fully_dynamic_tables_age(level):
    if level is Dynamicity.FULLY_DYNAMIC:
        assert rates_at(level, ageing=True) == level.rates
    else:
        with pytest.raises(UsageError, match="no ageing"):
            rates_at(level, ageing=True)


def test_without_a_level_only_what_is_given_happens():
    assert rates_at(None, insert=0.2, delete=None, ageing=True) == Rates(insert=0.2)


def test_names_are_accepted_and_checked():
    assert rates_at("incremental", insert=None) == Dynamicity.INCREMENTAL.rates
    with pytest.raises(UsageError, match="incremental, external-dynamic, fully-dynamic"):
        rates_at("static")
